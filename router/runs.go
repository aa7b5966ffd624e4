package router

import "contend/netsim/topology"

// The usual choice of a header is that between virtual channels of one link that follow each
// other: a run of them. With dimension order no channel is in two of the runs that are offered. So
// headers wait for a run in a queue of its own, the release of a channel looks at no others, and
// nothing but the first channel and the number of them is kept of a choice. The rules are those of
// ask, allocate and best.

// vcRun is some channels of a link.
type vcRun struct {
	first, many Channel
}

// runs is what the allocation of runs knows; nil where headers have another choice or none.
type runs struct {
	run func(r topology.Router, to topology.Node) (first, many Channel) // of the routing
	// of has by channel what was offered last to the header at the head of its FIFO.
	of    []vcRun
	queue []requestQueue // by the first channel of a run
}

// newRuns returns the state of the allocation of runs, if it does for the network.
func (b *Routers) newRuns(x Routing) *runs {
	run := waysOf(x).Run
	if run == nil || b.timing.Arbiter != FirstCome || b.selector == nil || !b.selector.ordered {
		return nil
	}
	return &runs{run: run, of: make([]vcRun, len(b.vcs)), queue: newQueues(len(b.vcs))}
}

// askRun is ask where headers are offered runs: the header at the head of FIFO c waits for the run
// that it is offered, which is served now.
func (b *Routers) askRun(c Channel) {
	x, ch := b.runs, &b.vcs[c]
	var k vcRun
	k.first, k.many = x.run(topology.Router(ch.router), b.packets[ch.packet].To)
	x.of[c], ch.want = k, int32(k.first)
	q := &x.queue[k.first]
	b.wait(&q.first, c)
	b.serveLater(q, int32(k.first), b.now)
}

// serveRun serves the headers that wait for the run of a first channel in the order they came:
// each takes a free channel, while there are some.
func (b *Routers) serveRun(first int32) {
	x := b.runs
	q := &x.queue[first]
	if q.grant != b.now {
		return // it has been served
	}
	q.grant = never
	for q.first != none {
		i := q.first
		k := x.of[i]
		o := b.bestOfRun(k)
		if o == none {
			b.serveRunAgain(q, k)
			return
		}
		// The first stands for all of them: see chargeWait. Who came first has waited longest, and
		// for no packet that left the channel before.
		if b.vcs[o].freeAt > b.vcs[i].ready && first == o {
			for j := i; j != none; j = b.vcs[j].next {
				b.chargeWait(Channel(o), Channel(j))
			}
		}
		q.first = b.vcs[i].next
		b.grantVC(Channel(o), Channel(i))
	}
}

// serveRunAgain enters a run without a free channel in the calendar for the cycle in which the
// first channel that nobody holds becomes free.
func (b *Routers) serveRunAgain(q *requestQueue, k vcRun) {
	for o := k.first; o < k.first+k.many; o++ {
		if out := &b.vcs[o]; out.holder == none {
			b.serveLater(q, int32(k.first), out.freeAt)
		}
	}
}

// bestOfRun returns the free channel of a run with most credits, of those or of all the first at
// or after the pointer, which moves past it; or none where no channel is free.
func (b *Routers) bestOfRun(k vcRun) int32 {
	s := b.selector
	at := &s.pointers[k.first] // among those of the run: no other headers are offered its first
	from, best, most := Channel(*at), Channel(none), int32(-1)
	for range k.many {
		o := k.first + from
		from = Channel(wrapped(int32(from)+1, int32(k.many)))
		if !b.isFree(o) {
			continue
		}
		credits := b.timing.Buffer
		if s.how == SelectMostCredits {
			credits = b.credits(o)
		}
		if credits > most {
			if best, most = o, credits; credits == b.timing.Buffer {
				break
			}
		}
	}
	if best != none {
		*at = uint8(wrapped(int32(best+1-k.first), int32(k.many)))
	}
	return int32(best)
}
