package openloop

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"contend/experiments/cosim"
	"contend/experiments/netfile"
	"contend/experiments/spec"
	"contend/netsim/topology"
)

// WriteMatrix writes the network of a configuration into a folder, as network.csv and network.dot:
// its routers, nodes and links, with the class, the delay and the width of each link. It returns
// notes on what the files do not say.
func WriteMatrix(s *cosim.Simulator, dir string, c *NetConfig) (notes []string, err error) {
	if len(c.Dims) > 1 {
		return nil, &spec.InputError{Where: "--matrix",
			Problem: fmt.Sprintf("the files hold one network, and there are %d", len(c.Dims)),
			Right:   "choose one, such as --topology mesh:8x8"}
	}
	plan, err := c.Spec.Plan()
	if err != nil {
		return nil, err
	}
	net, err := s.NewNetwork(plan, 0)
	if err != nil {
		return nil, err
	}
	machine, wiring, timings := spec.Unwrap(plan.Machine), net.Wiring(), net.LinkTimings()
	n, err := netfile.Describe(machine, func(r topology.Router, p topology.Port) netfile.Times {
		l, _ := wiring.Out(r, p)
		return netfile.Times{Cycles: int(timings[l].Delay), FlitCycles: int(timings[l].Flit)}
	})
	if err != nil {
		return nil, spec.Unreadable(err, "leave out --matrix")
	}
	if !netfile.Ordered(machine) {
		notes = append(notes, "the files number nodes router by router, and the machine does not")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, &spec.InputError{Problem: fmt.Sprintf("the output folder cannot be used, %v", err),
			Right: "choose another with -o"}
	}
	for name, write := range map[string]func(io.Writer) error{"network.csv": n.WriteCSV,
		"network.dot": n.WriteDOT} {
		if err := spec.WriteFileWith(filepath.Join(dir, name), write); err != nil {
			return nil, err
		}
	}
	return notes, nil
}
