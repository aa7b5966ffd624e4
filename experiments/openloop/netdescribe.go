package openloop

import (
	"fmt"
	"path/filepath"
	"strings"

	"contend/experiments/config"
	"contend/experiments/formats/netfile"
	"contend/experiments/sim"
	"contend/internal/input"
	"contend/router/topology"
)

// bytesDescribed is what a router of a description takes with its links and its line, in bytes.
const bytesDescribed = 1 << 10

// WriteMatrix writes the network of a configuration into a folder, as network.anynet: its routers,
// nodes and links, with the delay and the width of each link.
func WriteMatrix(s *sim.Simulator, dir string, c *NetConfig) error {
	if len(c.Networks) > 1 {
		return &input.Error{Where: "--matrix",
			Problem: fmt.Sprintf("the file holds one network, and there are %d", len(c.Networks)),
			Right:   "choose one, such as --topology mesh:8x8"}
	}
	plan, err := c.Spec.Plan()
	if err != nil {
		return err
	}
	if n := plan.Machine.Routers(); n > netfile.MaxRouters {
		return &input.Error{Where: "--matrix", Right: "take a smaller machine",
			Problem: fmt.Sprintf("the machine has %d routers, the file at most %d", n,
				netfile.MaxRouters)}
	}
	if err := s.Fits(c.Spec.Memory() + bytesDescribed*int64(plan.Machine.Routers())); err != nil {
		return err
	}
	net, err := s.NewNetwork(plan, 0)
	if err != nil {
		return err
	}
	wiring, timings := net.Wiring(), net.LinkTimings()
	n, err := netfile.Describe(config.Unwrap(plan.Machine),
		func(r topology.Router, p topology.Port) netfile.Times {
			l, _ := wiring.Out(r, p)
			return netfile.Times{Cycles: int(timings[l].Delay), FlitCycles: int(timings[l].Flit)}
		})
	if err != nil {
		return input.Unreadable(err, "leave out --matrix")
	}
	if err := makeFolder(dir); err != nil {
		return err
	}
	text := strings.Join(n.Lines(), "\n") + "\n"
	return input.WriteFile(filepath.Join(dir, "network.anynet"), []byte(text))
}
