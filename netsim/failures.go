package netsim

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"contend/internal/heap"
	"contend/router"
	"contend/router/topology"
)

// Failures counts packets lost on failed links, and their later transmissions.
type Failures struct {
	// Lost is the number of losses; a packet that is lost twice counts twice.
	Lost int64
	// Resent is the number of packets that their sources have sent again.
	Resent int64
	// Rerouted is the number of lost packets that have arrived after all, RerouteCycles the sum over
	// them of the time from the first loss to the arrival.
	Rerouted      int64
	RerouteCycles Cycle
}

// UnreachableError reports that messages from one node to another have no path, and that no repair
// is expected.
type UnreachableError struct {
	From, To topology.Node
	Cycle    Cycle // from which they have no path
}

// Error names the two nodes.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("node %d cannot reach node %d from cycle %d on: all paths lead over links that "+
		"have failed, and no repair is to come", e.From, e.To, e.Cycle)
}

// failing is the state of a network whose links may fail, nil if none may.
type failing struct {
	net      *Network
	resends  resends             // packets, and messages, that are offered again
	held     []held              // messages without a path
	blocked  []blockedPair       // queue pairs without a path
	entered  []router.Entry      // entries of held packets of queue pairs
	repairs  bool                // repairs are expected
	lostAt   map[int64]firstLoss // by number: the first loss of a packet that has not arrived
	disowned map[int32]int64     // by job: packets before this number are not sent again
	losses   []router.Loss       // scratch
	// reopens is the next cycle in which escape paths that are closed may open, MaxInt64 if they are
	// open: see router.Leftover.
	reopens Cycle
	resent  Cycle // first loss of the packet that arrives now; -1 if none
	// Results of isCut for packets from interface foundFrom, by destination: round if they have a
	// path, round + 1 if not. Smaller values are old: of another source, or from before a change of
	// links.
	found     []int64
	foundFrom topology.Node
	round     int64
	total     Failures
}

// resends are packets, and messages, that are offered again. Beyond saturation many wait for one
// cycle: a failure removes all messages without a path from a source queue, and they return
// together.
type resends struct {
	cycles heap.Heap[resendCycle] // of due
	due    map[Cycle][]router.Offer
}

// resend is a packet that is offered again in a cycle.
type resend struct {
	cycle Cycle
	router.Offer
}

// resendCycle is a cycle in which packets are offered again.
type resendCycle Cycle

// Before implements heap.Heap.
func (c resendCycle) Before(o resendCycle) bool { return c < o }

// add adds a packet that is offered again in a cycle.
func (r *resends) add(cycle Cycle, m router.Offer) {
	if _, ok := r.due[cycle]; !ok {
		r.cycles.Push(resendCycle(cycle))
	}
	r.due[cycle] = append(r.due[cycle], m)
}

// next returns the first cycle in which packets are offered again, MaxInt64 if there is none.
func (r *resends) next() Cycle {
	if len(r.cycles) == 0 {
		return math.MaxInt64
	}
	return Cycle(r.cycles[0])
}

// pop removes and returns the packets of the first cycle. The last comes first, because each goes
// to the head of the queue.
func (r *resends) pop() []router.Offer {
	cycle := Cycle(r.cycles.Pop())
	list := r.due[cycle]
	delete(r.due, cycle)
	slices.SortFunc(list, func(a, b router.Offer) int { return cmp.Compare(b.Number, a.Number) })
	return list
}

// held is a message, or the unsent rest of one, that has had no path since a cycle.
type held struct {
	since Cycle
	router.Offer
}

// blockedPair is a queue pair that has had no path since a cycle.
type blockedPair struct {
	since Cycle
	pair  *queuePair
}

// firstLoss is the first loss of a packet that has not arrived.
type firstLoss struct {
	at   Cycle
	from topology.Node
	job  int32
}

// newFailing returns the state of a network, nil if its links do not fail.
func newFailing(n *Network) *failing {
	if !n.config.LinksFail {
		return nil
	}
	return &failing{net: n, lostAt: map[int64]firstLoss{}, disowned: map[int32]int64{},
		resends: resends{due: map[Cycle][]router.Offer{}}, reopens: math.MaxInt64,
		found: make([]int64, n.wiring.Nodes()), foundFrom: none}
}

// Fail lets links fail now, each in its one direction. Packets that hold virtual channels of the
// links or have flits on them are lost, and so are packets whose heads find no path any more.
// Config.LinksFail must be set.
//
// The source of a lost packet sends it again Config.ResendCycles after it was injected, or when it
// is lost if that is later, ahead of its source queue. Messages without a path wait at their nodes
// and try again after each ResendCycles.
func (n *Network) Fail(links ...router.Link) {
	f := n.failing
	f.setFailed(links, true)
	var list []router.Offer
	for node := range topology.Node(n.wiring.Nodes()) {
		list = n.routers.Withdraw(list, node,
			func(to topology.Node, _ int32) bool { return f.isCut(node, to) })
	}
	for _, m := range list {
		f.hold(m)
	}
	if n.pairs != nil { // other packets need not wait
		for _, m := range list {
			e := router.Entry{Cycle: n.Now(), Node: m.From, Job: m.Job, User: m.User, Number: m.Number}
			if n.pairs.left(&e) && n.pairs.reports {
				f.entered = append(f.entered, e)
			}
		}
	}
	f.collect()
}

// Repair repairs links that have failed, now.
func (n *Network) Repair(links ...router.Link) {
	f := n.failing
	f.setFailed(links, false)
	f.collect()
	f.held = slices.DeleteFunc(f.held, func(k held) bool {
		cut := f.isCut(k.From, k.To)
		if !cut {
			f.resends.add(f.nextTry(k.since), k.Offer)
		}
		return !cut
	})
	f.blocked = slices.DeleteFunc(f.blocked, func(k blockedPair) bool {
		cut := f.isCut(k.pair.from, k.pair.to)
		if !cut {
			n.pairs.foresee(f.nextTry(k.since), k.pair, nil)
		}
		return !cut
	})
}

// nextTry returns the next cycle in which a message that has had no path since a cycle tries again.
func (f *failing) nextTry(since Cycle) Cycle {
	step := max(1, f.net.config.ResendCycles)
	return since + (f.net.Now()-since+step-1)/step*step
}

// ExpectRepairs says whether links that have failed will be repaired. If not, as before the first
// call, Advance returns an *UnreachableError when a message has no path.
func (n *Network) ExpectRepairs(expected bool) { n.failing.repairs = expected }

// EscapePairs returns the share of the pairs of network interfaces with one number whose packets take
// escape paths now, and the share of those without any path: see router.Leftover. On machines of
// many nodes it looks at some of the sources.
func (n *Network) EscapePairs() (onEscapePaths, cut float64) {
	if n.failing == nil {
		return 0, 0
	}
	const maxPairs = 1 << 17
	all := topology.Node(n.wiring.Nodes())
	step := topology.Node(max(1, int(all)*int(n.nodes)/maxPairs))
	var count [router.ByRouting + 1]int
	pairs := 0
	// All sources of a destination in turn, as ways are stored by destination.
	for to := range all {
		first := to / n.nodes * n.nodes
		for from := (first + step - 1) / step * step; from < first+n.nodes; from += step {
			if to != from {
				count[n.routers.Reach(from, to)]++
				pairs++
			}
		}
	}
	share := func(r router.Reach) float64 { return float64(count[r]) / float64(max(1, pairs)) }
	return share(router.OnEscapePath), share(router.Unreached)
}

// RouterLinks returns the links from and to a router, including those of its nodes.
func (n *Network) RouterLinks(r topology.Router) (links []router.Link) {
	for l := range router.Link(n.wiring.Links()) {
		if n.wiring.Leaves(l) == r || n.wiring.Enters(n.wiring.First(l)) == r {
			links = append(links, l)
		}
	}
	return links
}

// FirstLost returns the cycle of the first loss of the packet that Watch passes on now, or false if
// it was never lost.
func (n *Network) FirstLost() (at Cycle, lost bool) {
	if n.failing == nil || n.failing.resent < 0 {
		return 0, false
	}
	return n.failing.resent, true
}

// Settled reports whether parts of the network may stand still, as far as failures are concerned:
// escape paths are open, and no packet is in the network from before the last change of links. Until
// the next change packets then use no other links than those of Footprint. A network that is not
// settled will be, without a repair.
func (n *Network) Settled() bool {
	return n.failing == nil || n.failing.reopens == math.MaxInt64 && n.routers.Settled()
}

// Recovering reports whether packets of some jobs have been lost and have not arrived yet, and
// whether messages of them wait for a repair.
func (n *Network) Recovering(jobs []int32) (lost, held bool) {
	f := n.failing
	if f == nil {
		return false, false
	}
	for _, k := range f.lostAt {
		lost = lost || slices.Contains(jobs, k.job)
	}
	for _, list := range f.resends.due {
		for i := range list {
			lost = lost || slices.Contains(jobs, list[i].Job)
		}
	}
	for i := range f.held {
		held = held || slices.Contains(jobs, f.held[i].Job)
	}
	for _, k := range f.blocked {
		held = held || len(k.pair.waiting) > 0 && slices.Contains(jobs, k.pair.waiting[0].Job)
	}
	return lost, held
}

// Failures returns the counts since the start or ResetUsage.
func (n *Network) Failures() Failures {
	if n.failing == nil {
		return Failures{}
	}
	return n.failing.total
}

// setFailed lets links fail, or repairs them.
func (f *failing) setFailed(links []router.Link, failed bool) {
	f.reopens = math.MaxInt64
	if open := f.net.routers.SetFailed(links, failed); !open {
		f.reopens = f.net.Now() + max(1, f.net.config.ResendCycles)
	}
	f.foundFrom = none
}

// next returns the first cycle in which packets are offered again or escape paths may open.
func (f *failing) next() Cycle { return min(f.resends.next(), f.reopens) }

// isCut reports whether packets from one network interface to another have no path. It searches
// once per destination for consecutive calls with one source, because a source queue beyond
// saturation has far more messages than destinations.
func (f *failing) isCut(from, to topology.Node) bool {
	if f == nil {
		return false
	}
	if from != f.foundFrom {
		f.foundFrom = from
		f.round += 2
	}
	k := &f.found[to]
	if *k < f.round {
		if *k = f.round; f.net.routers.Reach(from, to) == router.Unreached {
			*k++
		}
	}
	return *k > f.round
}

// hold keeps a message until it has a path.
func (f *failing) hold(m router.Offer) { f.held = append(f.held, held{f.net.Now(), m}) }

// block keeps a queue pair until it has a path.
func (f *failing) block(p *queuePair) { f.blocked = append(f.blocked, blockedPair{f.net.Now(), p}) }

// collect schedules the resending of packets that have been lost.
func (f *failing) collect() {
	n := f.net
	f.losses = n.routers.Losses(f.losses[:0])
	for _, k := range f.losses {
		f.total.Lost++
		if _, again := f.lostAt[k.Number]; !again {
			f.lostAt[k.Number] = firstLoss{k.Cycle, k.From, k.Job}
		}
		f.resends.add(max(n.Now(), k.Injected+n.config.ResendCycles), k.Offer)
	}
}

// serve sends again the lost packets whose time has come. The error reports a message without a
// path.
func (f *failing) serve() error {
	f.collect()
	if f.reopens <= f.net.Now() {
		f.net.Repair()
	}
	for f.resends.next() <= f.net.Now() {
		for _, m := range f.resends.pop() {
			f.offerAgain(m)
		}
	}
	if f.repairs || f.reopens < math.MaxInt64 {
		return nil
	}
	if len(f.held) > 0 {
		return f.unreachable(f.held[0].From, f.held[0].To, f.held[0].since)
	}
	for _, k := range f.blocked {
		if p := k.pair; len(p.waiting) > 0 {
			return f.unreachable(p.from, p.to, k.since)
		}
	}
	return nil
}

// take takes the messages of some interfaces that are offered again from the others.
func (r *resends) take(of func(topology.Node) bool) (taken []resend) {
	for cycle, list := range r.due {
		r.due[cycle] = slices.DeleteFunc(list, func(m router.Offer) bool {
			if of(m.From) {
				taken = append(taken, resend{cycle, m})
			}
			return of(m.From)
		})
	}
	return taken
}

// delay moves the times of lost packets, and of messages without a path, of some interfaces.
func (f *failing) delay(by Cycle, of func(topology.Node) bool) {
	for number, k := range f.lostAt {
		if of(k.from) {
			k.at += by
			f.lostAt[number] = k
		}
	}
	for i := range f.held {
		if of(f.held[i].From) {
			f.held[i].since += by
			f.held[i].Created += by
		}
	}
	for i := range f.blocked {
		if of(f.blocked[i].pair.from) {
			f.blocked[i].since += by
		}
	}
}

// offerAgain offers a packet or a message whose time has come. It holds one without a path, and
// discards one whose job is gone.
func (f *failing) offerAgain(m router.Offer) {
	switch {
	case m.Number < f.disowned[m.Job]:
		f.discard(&m)
		return
	case f.isCut(m.From, m.To):
		f.hold(m)
		return
	case m.Again:
		f.total.Resent++
	}
	m.Again = true
	f.net.routers.Offer(m)
}

// unreachable returns the error for two network interfaces.
func (f *failing) unreachable(from, to topology.Node, since Cycle) error {
	nodes := f.net.nodes
	return &UnreachableError{from % nodes, to % nodes, since}
}

// drop gives up the messages that a job has sent so far: those lost, now or later, and those that
// wait for a path. They count as arrived and are not sent again.
func (f *failing) drop(job int32) {
	f.disowned[job] = f.net.packetsSent
	f.held = slices.DeleteFunc(f.held, func(k held) bool {
		if k.Job == job {
			f.resends.add(f.net.Now(), k.Offer)
		}
		return k.Job == job
	})
}

// discard counts a lost packet, or a message without a path, as arrived.
func (f *failing) discard(m *router.Offer) {
	n := f.net
	a := router.Arrival{Delivered: n.Now(), Turn: n.Now(), User: m.User}
	a.From, a.To, a.Job, a.Message = m.From, m.To, m.Job, m.Message
	a.Created, a.Injected = m.Created, a.Turn
	delete(f.lostAt, m.Number)
	for ; m.Flits > 0; m.Flits -= a.Length {
		a.Length = min(m.Flits, int32(n.config.PacketFlits))
		if c := n.config.Congestion; c != nil {
			c.arrived(n.pairs, &a)
		}
		p := a
		n.rails.nodesOf(&p)
		n.complete(&p)
	}
}

// withoutLost removes the entries of packets that were sent again: they have entered before.
func (f *failing) withoutLost(list []router.Entry) []router.Entry {
	return slices.DeleteFunc(list, func(e router.Entry) bool {
		_, lost := f.lostAt[e.Number]
		return lost
	})
}

// counts reports whether a packet that arrives has not been lost.
func (f *failing) counts(p *router.Arrival) bool {
	first, lost := f.lostAt[p.Number]
	if f.resent = -1; lost && !p.Lost {
		f.resent = first.at
		f.total.Rerouted++
		f.total.RerouteCycles += p.Delivered - first.at
		delete(f.lostAt, p.Number)
	}
	return !p.Lost
}

// Drop removes the messages of a job from the source queues of nodes, and returns how many messages
// will not be delivered. Packets that have left the queues stay in the network. A message with such
// packets is delivered when the last of them arrives, and is shorter by the flits that were
// removed. The configuration must have Drops.
func (n *Network) Drop(job int32, nodes []topology.Node) (dropped int) {
	if !n.config.Drops {
		panic("netsim: Drop without Config.Drops")
	}
	gone := func(message, flits int32) {
		if message != none {
			m := &n.messages[message]
			m.Flits -= flits
			if m.missing -= (flits-1)/int32(n.config.PacketFlits) + 1; m.missing > 0 {
				return
			}
			n.partial -= int64(m.Flits)
			n.free = append(n.free, message)
		}
		n.pending--
		dropped++
	}
	ofJob := func(_ topology.Node, of int32) bool { return of == job }
	for _, node := range nodes {
		for at := node; int(at) < n.wiring.Nodes(); at += n.nodes { // each network interface
			for _, m := range n.routers.Withdraw(nil, at, ofJob) {
				gone(m.Message, m.Flits)
			}
			if n.pairs != nil {
				n.pairs.drop(at, job, gone)
			}
		}
	}
	if n.failing != nil {
		n.failing.drop(job)
	}
	return dropped
}
