package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments/cosim/run"
	"contend/scheduler"
)

// waited runs jobs with jumps, of which so many are checked.
func waited(t *testing.T, jobs []started, checks int) *Executor {
	t.Helper()
	e := New(grid(t, 8), mixed, scheduler.Clock{CyclesPerSecond: 1}, Config{Tolerance: 0.05},
		run.Software{})
	e.checks = newChecks(checks, 0.05, rand.New(rand.NewPCG(1, 4)))
	e.RecordWaits()
	drive(t, e, jobs)
	if err := e.check(); err != nil {
		t.Fatal(err)
	}
	return e
}

// The waits of all pairs of jobs and channels sum up to those of the run, before they are scaled to
// what checks have corrected.
func TestWaitsOfPairsSumUp(t *testing.T) {
	jumps := 0
	for seed := range uint64(6) {
		jobs := scattered(rand.New(rand.NewPCG(seed, 30)), 64, mixed, 300)[:4]
		e := waited(t, jobs, 0)
		e.matrix.addLive()
		var got waitSums
		for _, c := range e.matrix.cells {
			sum := c.all()
			got.add(&sum, 1)
		}
		known := got.known()
		for kind, want := range e.sums.messages.waits() {
			if math.Abs(known[kind]-want) > 1e-6*want {
				t.Errorf("seed %d: %v cycles of kind %d, want %v", seed, known[kind], kind, want)
			}
		}
		if e.sums.jumped > 0.05*e.sums.service && e.sums.messages[foreign] > 0 {
			jumps++
		}
	}
	if jumps < 3 {
		t.Errorf("time is jumped over in %d runs", jumps)
	}
}

// A jump that is checked is worth what its check has found, and no longer what was foreseen.
func TestChecksOfWaits(t *testing.T) {
	m := &matrix{cells: map[cellKey]*cell{}}
	one := waitSums{othersHeld: 1, root: 1}
	s := &sampled{messages: []float64{10, 0}, part: component{jobs: []*jobState{
		{job: scheduler.Job{ID: 7}}, {job: scheduler.Job{ID: 8}}}},
		trajectory: &trajectory{legs: []leg{{each: messageSums{blocked: 2, foreign: 2},
			shares: shares{{1, 3, one}}}}}}
	m.add(foreseen, 7, s.part.ids(), shares{{1, 3, one}}, 20)
	m.check(s, 0, shares{{1, 4, one}}, &messageSums{blocked: 5, foreign: 5})
	before, after := m.at(cellKey{pairKey{7, 8}, 3}), m.at(cellKey{pairKey{7, 8}, 4})
	if before[foreseen].direct() != 0 || after[checked].direct() != 50 || len(m.cells) != 2 {
		t.Errorf("%v and %v cycles", before[foreseen].direct(), after[checked].direct())
	}
}

// What a check finds replaces what was foreseen, all other jumps are scaled by one factor, and what
// is simulated stays. Where that does not suffice, what checks have found is scaled too.
func TestBalanceOfWaits(t *testing.T) {
	for _, c := range []struct {
		want float64
		held [origins]float64
	}{{100, [...]float64{30, 50, 20}}, {50, [...]float64{30, 0, 20}},
		{39, [...]float64{30, 3, 6}}, {30, [...]float64{30, 0, 0}}} {
		var x cell
		for origin, held := range []float64{simulated: 30, foreseen: 10, checked: 20} {
			x[origin][othersHeld] = held
		}
		key := cellKey{pairKey{1, 2}, 3}
		m := &matrix{cells: map[cellKey]*cell{key: &x}}
		m.balance([]cellKey{key}, waitSums{othersHeld: c.want})
		for origin, want := range c.held {
			if got := x[origin][othersHeld]; math.Abs(got-want) > 1e-9 {
				t.Errorf("%v cycles in all: %v of origin %d, want %v", c.want, got, origin, want)
			}
		}
	}
}

// Waits that are told of within the window count, and are scaled to those of the messages. A kind
// that is told of outside alone is divided as it is there.
func TestSharesOfWindows(t *testing.T) {
	inside := shares{{1, 4, waitSums{othersHeld: 10, behind: 2, root: 12}},
		{1, 5, waitSums{othersHeld: 30, root: 24}}}
	outside := shares{{nobodys, 7, waitSums{behind: 5, root: 5}},
		{1, 6, waitSums{othersHeld: 9, root: 9}}}
	each := messageSums{foreign: 8, blocked: 9}
	got := inside.or(outside).of(&each)
	if len(got) != 2 || got[0].waitSums != (waitSums{othersHeld: 2, behind: 1, root: 3}) ||
		got[1].waitSums != (waitSums{othersHeld: 6, root: 6}) {
		t.Errorf("%+v", got)
	}
	inside[0].waitSums[behind] = 0
	got = inside.or(outside).of(&each)
	if len(got) != 3 || got[2].by != nobodys || got[2].waitSums != (waitSums{behind: 1}) {
		t.Errorf("%+v", got)
	}
	if direct := got.direct(2); direct[0] != 0 || direct[1] != 8 {
		t.Errorf("direct waits: %v", direct)
	}
	c := &trajectory{length: 3, legs: []leg{{rate: 0.5, shares: got}, {}}}
	g := &c.legs[0]
	c.meetWaits(g, shares{{1, 4, waitSums{othersHeld: 24, root: 24}}}, 0.5, 1)
	if mean := g.shares.of(&each).direct(2); mean[1] != 8 || g.apart[1] != 0.5 || g.apart[0] != 0 {
		t.Errorf("the mean is %v, and trajectories are apart by %v", mean, g.apart)
	}
	if g.shares[0].waitSums[othersHeld] != 3*2 || g.shares[3].waitSums[othersHeld] != 24 {
		t.Errorf("the shares are %+v", g.shares)
	}
}
