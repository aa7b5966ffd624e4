package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"contend/experiments/config"
	"contend/experiments/fastforward"
	"contend/experiments/metrics"
	"contend/internal/heap"
	"contend/netsim"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// failures yields the failures and repairs of a run: a scheduler.Failures.
type failures struct {
	events heap.Heap[failureEvent]
	parts  []failing
	clock  scheduler.Clock
	net    *netsim.Network       // nil if jobs send no messages
	jumps  *fastforward.Executor // nil if every flit is simulated
	failed []int32               // by link: failures of it that are not repaired
	coming int                   // failures of links that are not repaired and will be
	list   []metrics.Failure     // that have happened
	idle   idleTime
	drawn  int // parts whose links fail at drawn times
	given  int // events to come of parts that fail at given times
	kills  int // runs of jobs that the failure which happens now has ended
}

// maxIdle is a number of changes and of retries: a run ends with an error if messages wait and none
// arrives while each link that fails at drawn times fails or is repaired maxIdle times, and a source
// could have sent a packet again maxIdle times.
const maxIdle = 1000

// idleTime is the time in which messages wait and none arrives.
type idleTime struct {
	arrived int64        // messages that had arrived when it began
	since   netsim.Cycle // when it began
	changes []int        // by part, of its links since then
	often   int          // parts with maxIdle changes
}

// failing is a part of the machine whose pieces fail together and are repaired together: all pieces
// of a row of machine.failures, or one node, router or cable of a row with mtbf.
type failing struct {
	row     *config.Failure
	numbers []int // of the nodes, routers or cables
	nodes   []topology.Node
	links   []router.Link
	rng     *rand.Rand // of the times of a row with mtbf, otherwise nil
}

// failureEvent is a failure of a part, or its repair.
type failureEvent struct {
	at   scheduler.Cycle
	fail bool
	part int
}

// Before orders events by time. Repairs come before failures.
func (a failureEvent) Before(b failureEvent) bool {
	if a.at != b.at || a.fail == b.fail {
		return a.at < b.at || a.at == b.at && a.part < b.part
	}
	return b.fail
}

// newFailures returns the failures of a replication of a plan. The network is nil if jobs send no
// messages.
//
// The share of a row and the times of each part are drawn from streams of their own, so that runs
// that differ in anything else see the same failures. Pieces that fail with a smaller share fail
// with a larger one too.
func newFailures(
	plan *config.Plan, replication int, clock scheduler.Clock, net *netsim.Network,
) (*failures, error) {
	f := &failures{clock: clock, net: net}
	if net != nil && plan.FailsLinks() {
		f.failed = make([]int32, net.Wiring().Links())
	}
	var slow []router.Link
	for i := range plan.Failures {
		row := &plan.Failures[i]
		stream := func(name string) *rand.Rand {
			return rand.New(rand.NewPCG(plan.StreamSeed(replication,
				fmt.Sprintf("failures %d %s %s", i, row.Kind, name))))
		}
		whole, things := failing{row: row}, f.things(plan, row)
		if row.Share > 0 {
			stream("share").Shuffle(len(things), func(a, b int) {
				things[a], things[b] = things[b], things[a]
			})
			things = things[:row.Drawn(len(things))]
			slices.Sort(things)
		}
		for _, k := range things {
			one := f.part(plan, row, k)
			if row.MTBF > 0 {
				one.rng = stream(fmt.Sprint(k))
				f.add(one)
			}
			whole.numbers = append(whole.numbers, k)
			whole.nodes, whole.links = append(whole.nodes, one.nodes...), append(whole.links, one.links...)
		}
		if row.MTBF == 0 {
			f.add(whole)
		}
		if row.Bandwidth == 0 {
			continue
		}
		slow = append(slow, whole.links...)
		timings := net.LinkTimings()
		for _, l := range whole.links {
			flit := int(timings[l].Flit)
			if _, ok := netsim.FlitCyclesAt(row.Bandwidth, flit); !ok {
				return nil, config.FieldFailures.Bad("give 0.5, or raise network.flit_cycles", "%s has a "+
					"bandwidth of %v, at which flits take %.3g cycles, which is no whole number above %d",
					config.FieldFailures, row.Bandwidth, float64(flit)/row.Bandwidth, flit)
			}
		}
	}
	slices.Sort(slow)
	if len(slices.Compact(slices.Clone(slow))) < len(slow) {
		return nil, config.FieldFailures.Bad("give each link one bandwidth",
			"%s makes a link slow twice", config.FieldFailures)
	}
	return f, nil
}

// things returns the numbers of the nodes, routers or cables of a row. A cable is a pair of links,
// one in each direction, and has the number of that from the router with the smaller number.
func (f *failures) things(plan *config.Plan, row *config.Failure) (list []int) {
	count := plan.Machine.Nodes()
	switch {
	case row.Numbers != nil:
		return slices.Clone(row.Numbers)
	case row.Kind == config.FailingRouters:
		count = plan.Machine.Routers()
	case row.Kind == config.FailingLinks:
		w := f.net.Wiring()
		classed, _ := w.Topology.(topology.Classed)
		for l := range router.Link(w.Links()) {
			from, to := w.Ends(l)
			a, b := int(from.Router), int(to.Router)
			if w.Kind(l) != router.Network || a > b {
				continue
			}
			number, _ := cableNumber(w, l)
			if of := func(c config.Cables) bool { return c.Of(a, b, number) }; (row.Cables == nil ||
				slices.ContainsFunc(row.Cables, of)) && (row.Class == "" ||
				classed.LinkClasses()[classed.LinkClass(from.Router, from.Port)] == row.Class) {
				list = append(list, int(l))
			}
		}
		return list
	}
	for k := range count {
		list = append(list, k)
	}
	return list
}

// cableNumber returns the number of a link among those from its router to the same other router, in
// the order of their ports, and how many there are.
func cableNumber(w *router.Wiring, l router.Link) (number, cables int) {
	from, to := w.Ends(l)
	for p := range topology.Port(w.Topology.Ports()) {
		if r, _, ok := w.Topology.Peer(from.Router, p); ok && r == to.Router {
			if p < from.Port {
				number++
			}
			cables++
		}
	}
	return number, cables
}

// part returns the pieces that fail with a node, router or cable. With a router all nodes fail that
// have a network interface at it.
func (f *failures) part(plan *config.Plan, row *config.Failure, number int) (p failing) {
	p.row, p.numbers = row, []int{number}
	switch row.Kind {
	case config.FailingNodes:
		p.nodes = []topology.Node{topology.Node(number)}
		return p
	case config.FailingLinks:
		_, to := f.net.Wiring().Ends(router.Link(number))
		back, _ := f.net.Wiring().Out(to.Router, to.Port)
		p.links = []router.Link{router.Link(number), back}
		return p
	}
	machine := topology.Unwrap(plan.Machine)
	for n := range topology.Node(machine.Nodes()) {
		for rail := range topology.Rails(machine) {
			if r, _ := topology.AttachRail(machine, n, rail); int(r) == number {
				p.nodes = append(p.nodes, n)
				break
			}
		}
	}
	if f.net != nil {
		p.links = f.net.RouterLinks(topology.Router(number))
	}
	return p
}

// add adds a part with its first failure.
func (f *failures) add(p failing) {
	at := f.clock.Cycles(p.row.At)
	if p.rng != nil {
		at = f.span(p.row.MTBF * p.rng.ExpFloat64())
	}
	f.parts, f.idle.changes = append(f.parts, p), append(f.idle.changes, 0)
	if p.rng != nil && len(p.links) > 0 && p.row.Bandwidth == 0 {
		f.drawn++
	}
	f.push(failureEvent{at, true, len(f.parts) - 1})
}

// push adds an event, unless it is never.
func (f *failures) push(e failureEvent) {
	if e.at >= scheduler.MaxCycle {
		return
	}
	f.events.Push(e)
	if f.parts[e.part].rng == nil {
		f.given++
	}
}

// span returns a time in cycles, at least one.
func (f *failures) span(t float64) scheduler.Cycle { return max(1, f.clock.Cycles(t)) }

// Next implements scheduler.Failures.
func (f *failures) Next() (c scheduler.Change, ok bool) {
	if len(f.events) == 0 {
		return c, false
	}
	e := f.events.Pop()
	p := &f.parts[e.part]
	if p.rng == nil {
		f.given--
	}
	c = scheduler.Change{At: e.at, Until: scheduler.MaxCycle}
	next := failureEvent{scheduler.MaxCycle, !e.fail, e.part}
	switch {
	case p.rng != nil && e.fail:
		next.at = e.at + f.span(p.row.MTTR*p.rng.ExpFloat64())
	case p.rng != nil:
		next.at = e.at + f.span(p.row.MTBF*p.rng.ExpFloat64())
	case e.fail && p.row.For > 0:
		next.at = e.at + f.span(p.row.For)
		c.Until = min(next.at, scheduler.MaxCycle)
	}
	f.push(next)
	if e.fail {
		c.Down, c.Lost = p.nodes, next.at >= scheduler.MaxCycle
	} else {
		c.Up = p.nodes
	}
	c.Do = func() error {
		if e.fail {
			f.happened(p, e.at, next.at)
		}
		if len(p.links) == 0 {
			return nil
		}
		return f.changeLinks(e.part, e.fail, next.at < scheduler.MaxCycle)
	}
	return c, true
}

// killed counts a run of a job that the failure which happens now has ended, and returns the number
// of the failure.
func (f *failures) killed() int {
	f.kills++
	return len(f.list) + 1
}

// happened adds a failure that has happened.
func (f *failures) happened(p *failing, at, repaired scheduler.Cycle) {
	k := metrics.Failure{Row: p.row, Number: len(f.list) + 1, Numbers: p.numbers, At: at,
		Repaired: repaired, Killed: f.kills}
	if p.row.Kind == config.FailingLinks {
		k.Numbers = nil
		for _, l := range p.numbers {
			from, to := f.net.Wiring().Ends(router.Link(l))
			c := config.Cables{Routers: [2]int{int(from.Router), int(to.Router)}, Number: config.AllCables}
			if number, cables := cableNumber(f.net.Wiring(), router.Link(l)); cables > 1 {
				c.Number = number
			}
			k.Cables = append(k.Cables, c)
		}
	}
	f.list, f.kills = append(f.list, k), 0
}

// changeLinks lets the links of a part fail, or repairs them, now. again says whether links that
// fail will be repaired.
func (f *failures) changeLinks(part int, fail, again bool) error {
	p := &f.parts[part]
	if share := p.row.Bandwidth; share > 0 && fail {
		return f.net.SetBandwidth(share, p.links...)
	} else if share > 0 {
		return f.net.SetBandwidth(1, p.links...)
	}
	step := int32(-1)
	if fail {
		step = 1
	}
	var list []router.Link // that change
	for _, l := range p.links {
		if before := f.failed[l]; before == 0 || before+step == 0 {
			list = append(list, l)
		}
		f.failed[l] += step
	}
	if err := f.checkIdle(part); err != nil {
		return err
	}
	change := func() error {
		if again || !fail {
			f.coming += int(step)
			f.net.ExpectRepairs(f.coming > 0)
		}
		if fail {
			f.net.Fail(list...)
		} else {
			f.net.Repair(list...)
		}
		return nil
	}
	if f.jumps == nil {
		return change()
	}
	return f.jumps.ChangeLinks(f.failedLinks(), change)
}

// failedLinks names the links that have failed.
func (f *failures) failedLinks() string {
	var b []byte
	for l, times := range f.failed {
		if times > 0 {
			b = fmt.Append(b, l, ",")
		}
	}
	return string(b)
}

// checkIdle counts a change of the links of a part. It returns an error if messages have waited for
// so long that none will ever arrive.
func (f *failures) checkIdle(part int) error {
	k, now, arrived := &f.idle, f.net.Now(), f.net.Totals().Messages
	if f.net.Pending() == 0 || arrived != k.arrived || f.given > 0 {
		clear(k.changes)
		k.arrived, k.since, k.often = arrived, now, 0
	}
	if k.changes[part]++; k.changes[part] == maxIdle {
		k.often++
	}
	tries := (now - k.since) / max(1, f.net.Config().ResendCycles)
	if k.often < f.drawn || tries < maxIdle {
		return nil
	}
	return fmt.Errorf("messages wait and none arrives while each link fails or is repaired %d times, "+
		"from cycle %d to %d: links fail too often for a packet to arrive", maxIdle, k.since, now)
}

// run runs traffic to a cycle, with the failures on the way.
func (f *failures) run(net *netsim.Network, tr *netsim.Traffic, until int64) error {
	for len(f.events) > 0 && int64(f.events[0].at) < until {
		c, _ := f.Next()
		err := tr.Run(net, int64(c.At))
		if err == nil && c.Do != nil {
			err = c.Do()
		}
		if err != nil {
			return err
		}
	}
	return tr.Run(net, until)
}
