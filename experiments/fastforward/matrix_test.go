package fastforward

import (
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments/sim/executor"
	"contend/scheduler"
)

// waited runs jobs with jumps, of which so many are checked.
func waited(t *testing.T, jobs []started, checks int) *Executor {
	t.Helper()
	e := New(grid(t, 8), mixed, scheduler.Clock{CyclesPerSecond: 1}, Config{Tolerance: 0.05},
		executor.Software{})
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

// What was foreseen is scaled, and what is simulated stays.
func TestBalanceOfWaits(t *testing.T) {
	for _, want := range []float64{100, 39, 30} {
		x := cell{{othersHeld: 30}, {othersHeld: 10, ownHeld: 3}}
		key := cellKey{pairKey{1, 2}, 3}
		m := &matrix{cells: map[cellKey]*cell{key: &x}}
		m.balance([]cellKey{key}, waitSums{othersHeld: want, behind: 6})
		if x[simulated][othersHeld] != 30 || x[foreseen][othersHeld] != want-30 ||
			x[foreseen][ownHeld] != 6 {
			t.Errorf("%v cycles in all: %v", want, x)
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
	if by := got.byJob(2); by[0].direct() != 0 || by[1].direct() != 8 {
		t.Errorf("direct waits: %v", by)
	}
	mean := weights{1, 2}.shares(got, shares{{1, 4, waitSums{othersHeld: 24, root: 24}}}).of(&each)
	want := 8 * (2 + 2*24) / (8 + 2*24.)
	if len(mean) != 3 || math.Abs(mean[1].waitSums[othersHeld]-want) > 1e-9 {
		t.Errorf("the mean is %+v", mean)
	}
	if one := (weights{1, 2}).shares(nil, got); len(one) != len(got) {
		t.Errorf("beside none: %+v", one)
	}
}
