package fastforward

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"weak"

	"contend/internal/must"
	"contend/router"
	"contend/scheduler"
)

func TestTrusted(t *testing.T) {
	for _, c := range []struct {
		beyond, n int
		want      bool
	}{{0, 1, true}, {1, 1, true}, {2, 2, false}, {3, 20, true}, {5, 20, false}, {5, 100, true},
		{11, 100, true}, {12, 100, false}} {
		if Trusted(c.beyond, c.n) != c.want {
			t.Errorf("%d of %d: %v", c.beyond, c.n, !c.want)
		}
	}
}

// Exact jumps are not checked among the others: they would hide how often the intervals of those
// fail.
func TestChecksLeaveExactJumpsOut(t *testing.T) {
	c := newChecks(5, 0.1, rand.New(rand.NewPCG(1, 1)))
	c.offer(drawable(1, 10, true), 100)
	c.offer(drawable(1, 10, true), 19) // it is hardly used
	if len(c.estimates.jumps) != 0 || len(c.exact.jumps) != 1 || c.sawEstimates {
		t.Errorf("%d jumps are offered, and %d exact ones", len(c.estimates.jumps), len(c.exact.jumps))
	}
	if c.offer(drawable(1, 10, false), 15); len(c.estimates.jumps) != 1 || !c.sawEstimates {
		t.Errorf("%d jumps are offered, want 1", len(c.estimates.jumps))
	}
}

// componentsSeen lists all components of a run.
type componentsSeen struct {
	*Executor
	list map[weak.Pointer[component]]bool
}

// Advance implements scheduler.Executor.
func (x componentsSeen) Advance(until scheduler.Cycle, done []scheduler.JobID) (
	scheduler.Cycle, []scheduler.JobID, error) {
	for _, c := range x.components {
		x.list[weak.Make(c)] = true
	}
	return x.Executor.Advance(until, done)
}

// A jump that is to be checked keeps its jobs as they were, and no later components, so that memory
// does not grow with the length of a log.
func TestChecksKeepNothingElse(t *testing.T) {
	jobs := scattered(rand.New(rand.NewPCG(3, 1)), 64, mixed, 500)
	e := jumping(t, 8, 0.1)
	e.checks = newChecks(3, 0.1, rand.New(rand.NewPCG(1, 1)))
	x := componentsSeen{e, map[weak.Pointer[component]]bool{}}
	drive(t, x, jobs)
	e.isolated.component = nil
	runtime.GC()
	alive := 0
	for p := range x.list {
		if p.Value() != nil {
			alive++
		}
	}
	if len(e.checks.estimates.jumps) == 0 || len(x.list) < 10 || alive > 0 {
		t.Errorf("%d of %d components are kept for %d samples", alive, len(x.list),
			len(e.checks.estimates.jumps))
	}
	runtime.KeepAlive(e)
}

// The flit-hops of a run are all that its network sends: those of checks, of the time before a
// component begins and of the packets that are left when its trajectory ends.
func TestAllSimulatedFlitsCount(t *testing.T) {
	jobs := scattered(rand.New(rand.NewPCG(3, 1)), 64, mixed, 500)
	e := jumping(t, 8, 0.1)
	e.checks = newChecks(3, 0.1, rand.New(rand.NewPCG(1, 1)))
	sent := 0.0
	e.isolated.net.Watch(func(p *router.Arrival) { sent += float64(p.Hops+2) * float64(p.Length) })
	drive(t, e, jobs)
	before := sent
	if e.isolated.flitHops != sent {
		t.Errorf("%v flit-hops, sent %v", e.isolated.flitHops, sent)
	}
	must.Have(0, e.Finish())
	if e.isolated.flitHops != sent || sent == before {
		t.Errorf("%v flit-hops with checks, sent %v", e.isolated.flitHops, sent)
	}
}
