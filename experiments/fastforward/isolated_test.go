package fastforward

import (
	"math"
	"testing"

	"contend/experiments/sim/executor"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Two iterations are compared block by block: what differs between blocks of one iteration is
// no scatter.
func TestEstimateOfFewIterations(t *testing.T) {
	k := &jobState{perIteration: 4}
	for _, c := range []struct {
		blocks []int64
		half   float64
	}{
		{[]int64{0, 10, 40, 45, 100, 110, 140, 145, 200}, 0},
		// Two blocks differ by 2: the variance of the mean is 2·(2/2), with 2 degrees of freedom.
		{[]int64{0, 10, 40, 45, 100, 112, 140, 145, 200}, 4.302653 * math.Sqrt2 / 100},
	} {
		g := progress{iterationEnds: []int64{0, 100, 200}, blocksBefore: 3,
			blockEnds: append([]int64{-70, -20, -10}, c.blocks...)}
		g.estimateRate(k, 2, 0.95)
		if math.Abs(g.halfWidth-c.half) > 1e-6 || g.rate != 0.04 {
			t.Errorf("%v: rate %v, half %v, want %v", c.blocks, g.rate, g.halfWidth, c.half)
		}
	}
}

// Blocks end evenly, the last with its iteration.
func TestBlockEnd(t *testing.T) {
	for _, per := range []int64{1, 2, 7, 8, 9, 1000} {
		k := &jobState{perIteration: per}
		last := int64(0)
		for b := range 3 * k.blocks() {
			end := blockEnd(k, b)
			if n := end - last; n < per/8 || n < 1 || n > per/int64(k.blocks())+1 {
				t.Errorf("%d messages: block %d has %d", per, b, n)
			}
			if last = end; (b+1)%k.blocks() == 0 && end%per != 0 {
				t.Errorf("%d messages: an iteration ends with %d", per, end)
			}
		}
	}
}

// Only what nothing is left of between two iterations repeats exactly.
func TestRegenerates(t *testing.T) {
	phases, drawn := patterns.Config{Name: "ring"}, patterns.Config{Name: "random"}
	code := patterns.Config{Name: "npb-cg"}
	for _, c := range []struct {
		name    string
		pattern patterns.Config
		pause   int64
		set     func(c *netsim.Config)
		draws   bool
		want    bool
	}{
		{"phases", phases, 0, func(*netsim.Config) {}, false, true},
		{"drawn ways", phases, 0, func(*netsim.Config) {}, true, false},
		{"drawn receivers", drawn, 0, func(*netsim.Config) {}, false, false},
		{"a code", code, 0, func(*netsim.Config) {}, false, false},
		{"slow links", phases, 1, func(c *netsim.Config) { c.FlitCycles = 3 }, false, false},
		{"slow links and a pause", phases, 2, func(c *netsim.Config) { c.FlitCycles = 3 }, false, true},
		{"slow credits", phases, 4, func(c *netsim.Config) { c.CreditCycles = 6 }, false, false},
		{"two channels", phases, 9, func(c *netsim.Config) { c.VirtualChannels = 2 }, false, false},
		{"round-robin", phases, 9,
			func(c *netsim.Config) { c.Arbiter = router.RoundRobin }, false, false},
	} {
		machine := must.Have(topology.NewCube(topology.CubeConfig{Dims: []int{2, 2}}))
		config := netsim.Default(machine)
		c.set(&config)
		n := must.Have(netsim.New(config))
		s := newIsolatedSimulation(n, nil, scheduler.Clock{}, executor.Software{},
			Config{DrawsRoute: c.draws})
		if got := s.regenerates(&jobState{config: c.pattern, laterCompute: c.pause}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A rate is known once its interval is narrow enough.
func TestEstimateOfRate(t *testing.T) {
	k := &jobState{perIteration: 1}
	for _, c := range []struct {
		times []int64
		want  bool
		rate  float64
	}{{[]int64{0, 100, 200, 300, 400}, true, 0.01}, {[]int64{0, 100, 200, 310, 400}, false, 0.01},
		{[]int64{-50, 0, 101, 200, 301, 400}, true, 0.01},
		{[]int64{0, 50, 400, 450, 800}, false, 0.005}} {
		g := progress{iterationEnds: c.times, blockEnds: c.times, blocksBefore: len(c.times) - 5}
		g.estimateRate(k, 4, 0.95)
		if got := g.halfWidth <= 0.05; got != c.want || math.Abs(g.rate-c.rate) > 1e-9 {
			t.Errorf("%v: rate %v, half %v", c.times, g.rate, g.halfWidth)
		}
		if last := c.times[len(c.times)-1]; g.anchor != last ||
			g.anchorMessages != float64(len(c.times)) {
			t.Errorf("%v: anchor %d, %v messages", c.times, g.anchor, g.anchorMessages)
		}
	}
}
