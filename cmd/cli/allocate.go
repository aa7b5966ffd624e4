package cli

import (
	"errors"
	"fmt"
	"strings"

	"contend/experiments/config"
	"contend/experiments/service"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/lifetime"

	"github.com/spf13/cobra"
)

// allocateFlags are the flags of contend allocate.
type allocateFlags struct {
	machine, order   string
	allocators, sets []string
	seed             int64
}

const allocateLong = `Decide for other programs which nodes jobs get. Each line of standard input
is a request, a JSON object. One line of standard output answers it before the next line is read.
Nodes are numbered from 0, x first.

  {"free":[0,1,2,3,17],"size":4}   nodes for 4 processes out of these; nothing is kept
  {"busy":[0,1],"shape":[2,2]}     the same for a submesh, given the nodes that are busy
  {"allocate":"a","size":4}        nodes for job a, which keeps them; at first all are free
  {"release":"a"}                  job a returns its nodes

Any request may have an "id", which the answer repeats. An answer has "nodes" in rank order,
"reserved" for nodes that no other job can use either, and measures of their quality. If the job
has to wait, it has "refused". If the request is wrong, it has "line" and "error", and the exit
status is 2. Several allocators answer side by side, under "allocators".`

func (a *app) allocateCommand() *cobra.Command {
	var f allocateFlags
	c := &cobra.Command{
		Use: "allocate", Short: "Decide for other programs which nodes jobs get, as JSON lines",
		Long: allocateLong,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.allocate(c, f) },
	}
	flags := c.Flags()
	machineFlag(flags, &f.machine)
	flags.StringArrayVar(&f.allocators, "allocator", nil, "short form of an allocator, such as "+
		"best-fit-1d:hilbert; "+
		"may be repeated: `SHORT` (default first-fit)")
	flags.StringVar(&f.order, "order", "", "order of the nodes along which spans are measured "+
		"(default that of the first allocator that has one, or row-major)")
	setFlag(flags, &f.sets, "set a key of [machine] or, with one allocator, of [allocator]")
	flags.Int64Var(&f.seed, "seed", 1, "seed of the allocator random (runs.seed)")
	return c
}

func (a *app) allocate(c *cobra.Command, f allocateFlags) error {
	config, err := a.decisionConfig(f)
	if err != nil {
		return err
	}
	life := lifetime.New(c.Context())
	defer life.End()
	decisions, err := service.NewDecisions(&sim.Simulator{}, config, a.names, life)
	if err != nil {
		return err
	}
	return serve(c, func() error { return decisions.Serve(c.InOrStdin(), a.stdout) })
}

// decisionConfig turns flags into the machine and allocators of a decision.
func (a *app) decisionConfig(f allocateFlags) (service.DecisionConfig, error) {
	decision := service.DecisionConfig{Order: f.order}
	st := study.Study{Base: config.DefaultSpec()}
	if err := a.setMachine(&st, "--machine", f.machine); err != nil {
		return decision, err
	}
	if len(f.allocators) == 1 {
		if err := st.Set("allocator", f.allocators[0], a.names); err != nil {
			var bad *input.Error
			if errors.As(err, &bad) {
				bad.Where = "--allocator " + f.allocators[0]
			}
			return decision, err
		}
	} else {
		decision.Allocators = f.allocators
	}
	if err := a.setAll(&st, f.sets, func(key, value string) error {
		bad := input.Error{Where: "--set " + key + "=" + value}
		switch section, _, _ := strings.Cut(key, "."); {
		case section != "machine" && section != "allocator":
			bad.Problem, bad.Right = "a decision does not depend on this key",
				"give keys of [machine] and [allocator]"
			return &bad
		case section == "allocator" && len(f.allocators) > 1:
			bad.Problem, bad.Right = "the key does not say which of the allocators it sets",
				"give their short forms, such as --allocator paging:2"
			return &bad
		}
		return nil
	}); err != nil {
		return decision, err
	}
	if err := st.Set("runs.seed", fmt.Sprint(f.seed), a.names); err != nil {
		return decision, err
	}
	if err := st.CheckUse("a decision", []string{"machine.", "allocator", "allocator.",
		"runs.seed"}); err != nil {
		return decision, err
	}
	decision.Spec = st.Base
	return decision, nil
}
