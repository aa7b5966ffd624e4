package netsim

import (
	"fmt"
	"math"

	"contend/router"
)

// slows reports whether SetBandwidth may be called.
func (c *Config) slows() bool { return c.SlowestBandwidth > 0 && c.SlowestBandwidth < 1 }

// checkBandwidth returns an error if SlowestBandwidth is out of its bounds.
func (c *Config) checkBandwidth() error {
	if b := c.SlowestBandwidth; b != 0 && !(b >= 1.0/maxCycles && b <= 1) {
		return bad("SlowestBandwidth", fmt.Sprintf("it must be 0, or from 1/%d to 1", maxCycles), "is %v",
			b)
	}
	return nil
}

// slowestFlit returns the maximum time of a flit on a slow link, 0 if there are none.
func (c *Config) slowestFlit(w *router.Wiring) (slowest Cycle) {
	if !c.slows() {
		return 0
	}
	for _, t := range c.LinkTimings(w) {
		slowest = max(slowest, Cycle(math.Round(float64(t.Flit)/c.SlowestBandwidth)))
	}
	return min(slowest, maxCycles)
}

// FlitCyclesAt returns the cycles of a flit on a link at a share of its bandwidth, given those at
// all of it. It reports false if the share is not in (0, 1], or if the cycles are not, within 1%,
// a whole number other than that for all of it.
func FlitCyclesAt(share float64, flitCycles int) (cycles int, ok bool) {
	exact := float64(flitCycles) / share
	whole := math.Round(exact)
	return int(whole), share == 1 || share > 0 && share < 1 && math.Abs(exact-whole) <= 0.01*exact &&
		int(whole) > flitCycles
}

// SetBandwidth gives links a share of the bandwidth that they were built with, from now on, each in
// its one direction: a flit takes as much longer. The delay of a link stays. The share is at least
// Config.SlowestBandwidth and such that a flit takes a whole number of cycles: see FlitCyclesAt.
func (n *Network) SetBandwidth(share float64, links ...router.Link) error {
	if !n.config.slows() || share < n.config.SlowestBandwidth {
		return fmt.Errorf("netsim: a bandwidth of %v, less than Config.SlowestBandwidth, %v", share,
			n.config.SlowestBandwidth)
	}
	for _, l := range links {
		flit := int(n.config.timingOf(n.wiring, l).Flit)
		cycles, ok := FlitCyclesAt(share, flit)
		if !ok || Cycle(cycles) > n.config.slowestFlit(n.wiring) {
			return fmt.Errorf("netsim: at a bandwidth of %v a flit that takes %d cycles at full bandwidth "+
				"would take %.2f, which is no whole number or too long", share, flit, float64(flit)/share)
		}
		n.routers.SetFlitTime(l, int32(cycles))
	}
	return nil
}
