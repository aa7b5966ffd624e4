package fastforward

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/experiments/sim/executor"
	"contend/internal/laws"
	"contend/internal/must"
	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// cableChange is a failure or a repair of a cable at a cycle.
type cableChange struct {
	at    scheduler.Cycle
	links []router.Link
	fails bool
}

// driveFailing has an executor run jobs on a network whose cables fail and are repaired. It returns
// the cycle in which each job ended.
func driveFailing(r *rapid.T, x scheduler.Executor, n *netsim.Network, jobs []started,
	changes []cableChange) map[scheduler.JobID]scheduler.Cycle {
	ends := map[scheduler.JobID]scheduler.Cycle{}
	failed := map[router.Link]bool{}
	n.ExpectRepairs(true)
	for i := 0; len(ends) < len(jobs); {
		until := scheduler.MaxCycle
		if i < len(jobs) {
			until = jobs[i].at
		}
		if len(changes) > 0 {
			until = min(until, changes[0].at)
		}
		now, done, err := x.Advance(until, nil)
		if err != nil {
			r.Fatal(err)
		}
		for _, id := range done {
			ends[id] = now
		}
		for len(changes) > 0 && changes[0].at <= now {
			must.Do(changeCable(x, n, failed, &changes[0]))
			changes = changes[1:]
		}
		for i < len(jobs) && jobs[i].at <= now {
			x.Start(&jobs[i].job, jobs[i].nodes)
			i++
		}
	}
	return ends
}

// changeCable lets the links of a cable fail, or repairs them.
func changeCable(x scheduler.Executor, n *netsim.Network, failed map[router.Link]bool,
	c *cableChange) error {
	var name []router.Link
	for _, l := range c.links {
		failed[l] = c.fails
	}
	for l, fails := range failed {
		if fails {
			name = append(name, l)
		}
	}
	slices.Sort(name)
	change := func() error {
		if c.fails {
			n.Fail(c.links...)
		} else {
			n.Repair(c.links...)
		}
		return nil
	}
	if e, ok := x.(*Executor); ok {
		return e.ChangeLinks(fmt.Sprint(name), change)
	}
	return change()
}

// failingMachines are small machines whose routings draw nothing, even where cables have failed.
var failingMachines = []routedMachine{
	{"mesh:6x6", "auto", 1}, {"mesh:6x6", "auto", 2}, {"torus:4x4", "dateline", 2},
	{"tree:4x2", "d-mod-k", 1}, {"tree:2x4", "adaptive", 1}, {"fat-tree:4x4:2", "adaptive", 2},
	{"dragonfly:a4h2p2", "minimal", 0}, {"hyperx:4x4", "dimension-order", 0},
	{"hypercube:4", "auto", 1},
}

// drawChanges draws cables that have failed from the beginning, and others that fail later and are
// repaired.
func drawChanges(r *rapid.T, n *netsim.Network, span int) (list []cableChange) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "seed of failures"), 3))
	var cables [][]router.Link
	w := n.Wiring()
	for l := range router.Link(w.Links()) {
		if from, to := w.Ends(l); w.Kind(l) == router.Network && from.Router < to.Router {
			back, _ := w.Out(to.Router, to.Port)
			cables = append(cables, []router.Link{l, back})
		}
	}
	rng.Shuffle(len(cables), func(i, j int) { cables[i], cables[j] = cables[j], cables[i] })
	for i := range min(len(cables), rapid.IntRange(1, 6).Draw(r, "cables")) {
		at := scheduler.Cycle(0)
		if rng.IntN(3) > 0 {
			at = scheduler.Cycle(rng.IntN(span))
		}
		list = append(list, cableChange{at, cables[i], true})
		until := at + 1 + scheduler.Cycle(rng.IntN(span))
		if rng.IntN(3) == 0 { // jobs without a path wait for it
			until = scheduler.Cycle(10 * span)
		}
		list = append(list, cableChange{until, cables[i], false})
	}
	slices.SortStableFunc(list, func(a, b cableChange) int { return int(a.at - b.at) })
	return list
}

// Jobs on networks whose cables fail and are repaired end in the cycle in which they end in full
// simulations, if no jump was an estimate.
func TestJumpsWhereCablesFail(t *testing.T) { jumpsWhereCablesFail(t, 12) }

func jumpsWhereCablesFail(t *testing.T, checks int) {
	laws.AtMost(t, checks)
	var exact, jumped, service float64
	sure, lost := 0, int64(0)
	rapid.Check(t, func(r *rapid.T) {
		c, _ := drawnRoutes(r, failingMachines)
		c.LinksFail, c.ResendCycles = true, rapid.SampledFrom([]int64{0, 300, 5000}).Draw(r, "resend")
		network := func() *netsim.Network { return must.Have(netsim.New(c)) }
		jobs := drawnJobs(r, c.Topology.Nodes(), unmixed)
		n := network()
		span := rapid.SampledFrom([]int{3000, 30_000, 300_000}).Draw(r, "span")
		changes := drawChanges(r, n, span)
		full := driveFailing(r, executor.New(n, unmixed, clock), n, jobs, changes)
		other := network()
		e := New(other, unmixed, clock, Config{Tolerance: 0.1}, executor.Software{})
		half := map[scheduler.JobID]float64{}
		e.Unsure = func(id scheduler.JobID, cycles, carry float64) { half[id] = cycles + carry }
		ends := driveFailing(r, e, other, jobs, changes)
		for id, end := range full {
			if half[id] > 0 {
				continue
			}
			if sure++; ends[id] != end {
				r.Errorf("job %d ends at %d, in full at %d", id, ends[id], end)
			}
		}
		got, want := e.sums.messages, n.Totals()
		if got.Messages != want.Messages || got.Flits != want.Flits {
			r.Errorf("%+v, in full %+v", got, want)
		}
		if a, b := n.Failures(), other.Failures(); e.sums.exactCycles == e.sums.jumpedCycles &&
			(a.Lost != b.Lost || a.Resent != b.Resent || a.RerouteCycles != b.RerouteCycles ||
				got != want) {
			r.Errorf("%+v %+v, in full %+v %+v", b, got, a, want)
		}
		lost += n.Failures().Lost
		exact, jumped = exact+e.sums.exactCycles, jumped+e.sums.jumpedCycles
		service += e.sums.serviceCycles
	})
	t.Logf("%d jobs without an error; %.2f of the time jumped, %.2f of this exactly; %d packets lost",
		sure, jumped/service, exact/jumped, lost)
	if sure < 2*checks || jumped < 0.2*service || exact < 0.2*jumped || checks >= 100 && lost == 0 {
		t.Error("too few")
	}
}

// unmixed are patterns that draw nothing.
var unmixed = []patterns.Config{{Name: "all-to-all", Flits: 16}, {Name: "ring", Flits: 16},
	{Name: "near-neighbour", Flits: 16}, {Name: "n-body", Flits: 24},
	{Name: "all-reduce-ring", Bytes: 4096, PadFlits: 2}}
