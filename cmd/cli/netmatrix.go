package cli

import (
	"fmt"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/formats/netfile"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/router/topology"
)

// bytesDescribed is the memory of a router in a description, with its links and its line, in
// bytes.
const bytesDescribed = 1 << 10

// netMatrix writes the network of a study into a folder, as network.anynet: its routers, nodes
// and links, with the delay and the width of each link.
func (a *app) netMatrix(st *study.Study, dir string) error {
	if i := st.AxisOf(dimsPath); i >= 0 {
		return &input.Error{Where: "--matrix",
			Problem: fmt.Sprintf("the file holds one network, and there are %d", len(st.Axes[i].Values)),
			Right:   "choose one, such as --topology mesh:8x8"}
	}
	lines, err := describeNetwork(&sim.Simulator{}, &st.Base)
	if err != nil {
		return err
	}
	if err := experiments.CheckLinks(dir); err != nil {
		return err
	}
	out, name := a.output(dir), "network.anynet"
	if err := out.WriteText(name, []byte(strings.Join(lines, "\n")+"\n")); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "The network is in %s\n", out.Path(name))
	return nil
}

// describeNetwork returns the lines of an anynet file.
func describeNetwork(s *sim.Simulator, spec *config.Spec) ([]string, error) {
	plan, err := spec.Plan()
	if err != nil {
		return nil, err
	}
	if n := plan.Machine.Routers(); n > netfile.MaxRouters {
		return nil, &input.Error{Where: "--matrix", Right: "take a smaller machine",
			Problem: fmt.Sprintf("the machine has %d routers, the file at most %d", n,
				netfile.MaxRouters)}
	}
	if err := s.Fits(spec.Memory() + bytesDescribed*int64(plan.Machine.Routers())); err != nil {
		return nil, err
	}
	net, err := s.NewNetwork(plan, 0)
	if err != nil {
		return nil, err
	}
	wiring, timings := net.Wiring(), net.LinkTimings()
	n, err := netfile.Describe(config.Unwrap(plan.Machine),
		func(r topology.Router, p topology.Port) netfile.Times {
			l, _ := wiring.Out(r, p)
			return netfile.Times{Cycles: int(timings[l].Delay), FlitCycles: int(timings[l].Flit)}
		})
	if err != nil {
		return nil, input.Unreadable(err, "leave out --matrix")
	}
	return n.Lines(), nil
}
