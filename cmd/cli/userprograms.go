package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"contend/experiments/config"
	"contend/experiments/service/external"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/pflag"
)

// noExec is the flag that refuses programs of users, noExecVariable the variable that does so where
// the flag is not given.
const noExec, noExecVariable = "no-exec", "CONTEND_NO_EXEC"

// userPrograms are the programs that a command starts for a study or an argument: exec:COMMAND.
// Each is named on standard error before it starts, since a study may be somebody else's, or all
// are refused.
type userPrograms struct {
	stderr    io.Writer
	refused   bool   // value of the flag
	refusedBy string // the flag or the variable that refuses programs, or ""

	mu    sync.Mutex
	named map[string]bool // commands that were named
}

// define adds the flag.
func (p *userPrograms) define(flags *pflag.FlagSet) {
	flags.BoolVar(&p.refused, noExec, false, "refuse studies and arguments that name programs to "+
		"start (exec:COMMAND), as "+noExecVariable+"=1 in the environment does")
}

// begin has every program pass allow from now on. Without the flag, the variable decides.
func (p *userPrograms) begin(flags *pflag.FlagSet) error {
	external.OnStart(p.allow)
	if flags.Changed(noExec) {
		if p.refused {
			p.refusedBy = "--" + noExec
		}
		return nil
	}
	text := os.Getenv(noExecVariable)
	on, err := strconv.ParseBool(cmp.Or(text, "0"))
	if err != nil {
		return &input.Error{Where: noExecVariable, Problem: fmt.Sprintf("it is %q", text),
			Right: "give 1, which refuses programs, or 0"}
	}
	if on {
		p.refusedBy = noExecVariable + "=" + text
	}
	return nil
}

// allow names a program that is about to start, unless it was named before, or refuses it.
func (p *userPrograms) allow(c external.Command) error {
	line := c.Line()
	if p.refusedBy != "" {
		return &input.Error{Where: p.refusedBy,
			Problem: fmt.Sprintf("%s:%s would start a program", config.Program, line),
			Right:   fmt.Sprintf("read it, and give --%s=false if it may run with your rights", noExec)}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.named[line] {
		fmt.Fprintf(p.stderr, "contend: starts the program %s (--%s refuses programs)\n",
			strings.ReplaceAll(input.Printable(line), "\n", `\n`), noExec)
		if p.named == nil {
			p.named = map[string]bool{}
		}
		p.named[line] = true
	}
	return nil
}

// allowAll passes all programs of points to allow.
func (p *userPrograms) allowAll(points []study.Point) error {
	for i := range points {
		for _, command := range points[i].Spec.Programs() {
			c, err := external.ParseCommand(command)
			if err == nil {
				err = p.allow(c)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
