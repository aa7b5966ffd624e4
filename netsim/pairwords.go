package netsim

import (
	"cmp"
	"math"
	"slices"

	"contend/router"
	"contend/router/topology"
)

// appendTo appends the state of queue pairs and of throttled destinations to s, as
// Network.Snapshot says: of the pairs whose links are among the given ones, which ascend.
func (q *queuePairs) appendTo(s *router.Snapshot, links []router.Link) {
	w, now := q.net.wiring, q.net.Now()
	has := func(c router.Channel) bool {
		_, found := slices.BinarySearch(links, w.LinkOf(c))
		return found
	}
	s.Words = append(s.Words, q.net.routers.MarksDrawn(links))
	for i := range q.interfaces {
		k := &q.interfaces[i]
		if k.owed != nil && has(w.Ejection(topology.Node(i))) {
			s.Words = q.appendOwed(s.Words, topology.Node(i), k.owed)
		}
		if len(k.pairs) == 0 || !has(w.Injection(topology.Node(i))) {
			continue
		}
		s.Words = append(s.Words, int64(i), int64(len(k.turns)))
		for _, p := range k.turns {
			s.Words = append(s.Words, int64(p.to))
		}
		for _, o := range k.offered {
			s.AppendNumber(o.number)
			s.Words = append(s.Words, int64(o.pair.to), int64(o.flits), int64(o.job))
		}
		for _, p := range k.pairs {
			if has(w.Ejection(p.to)) {
				p.appendTo(s, now)
			}
		}
	}
	q.appendEvents(s, has)
}

// appendTo appends the state of a queue pair, unless it has that of a new one.
func (p *queuePair) appendTo(s *router.Snapshot, now Cycle) {
	counts := int64(len(p.waiting))<<40 | int64(p.offered)<<20 | int64(p.notices)<<1
	if p.busy {
		counts |= 1
	}
	words, rests, notice := len(s.Words), max(0, p.notBefore-now), max(0, p.nextNotice-now)
	s.Words = append(s.Words, int64(p.to), counts, rests, notice)
	if p.limiter != nil {
		s.Words = p.limiter.append(s.Words, now)
	}
	if counts|rests|notice == 0 && len(s.Words) == words+4 {
		s.Words = s.Words[:words]
		return
	}
	for i := range p.waiting {
		o := &p.waiting[i]
		s.AppendNumber(o.Number)
		s.Words = append(s.Words, int64(o.Flits)<<32|int64(uint32(o.Job)),
			int64(s.Name(o.Message))<<32|int64(uint32(o.User)))
	}
}

// appendEvents appends the events of queue pairs, in the order in which they happen.
func (q *queuePairs) appendEvents(s *router.Snapshot, has func(router.Channel) bool) {
	var list []pairEvent
	for _, e := range q.events {
		if w := q.net.wiring; has(w.Injection(e.pair.from)) && has(w.Ejection(e.pair.to)) {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b pairEvent) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.order, b.order))
	})
	s.Words = append(s.Words, int64(len(list)))
	for _, e := range list {
		what := [2]int64{-1, 0}
		if e.notice != nil {
			what = [2]int64{int64(e.notice.senders), e.notice.rest}
		}
		s.Words = append(s.Words, e.cycle-q.net.Now(), int64(e.pair.from)<<32|int64(e.pair.to),
			what[0], what[1])
	}
}

// appendOwed appends the state of a destination of Throttle. A time without sending counts no
// further than the longest window.
func (q *queuePairs) appendOwed(words []int64, to topology.Node, d *throttledNode) []int64 {
	active := int64(0)
	if d.active {
		active = 1
	}
	words = append(words, int64(to), d.flits, d.counted, active, int64(len(d.senders)))
	for _, k := range d.senders {
		idle := min(q.net.Now()-k.last, q.window(to, true, len(q.interfaces)))
		words = append(words, int64(k.node), k.flits, idle, int64(k.announced))
	}
	return words
}

// floats appends the bits of numbers.
func floats(words []int64, list ...float64) []int64 {
	for _, x := range list {
		words = append(words, int64(math.Float64bits(x)))
	}
	return words
}

// append implements limiter.
func (r *dcqcnRate) append(words []int64, t Cycle) []int64 {
	k := *r
	if k.released(t) {
		return words
	}
	return append(floats(words, k.current, k.target, k.alpha, k.rest), t-k.timerFrom, t-k.alphaFrom,
		int64(k.timers), int64(k.counters), int64(k.flits))
}

// append implements limiter.
func (r *ibccaRate) append(words []int64, t Cycle) []int64 {
	k := *r
	if k.released(t) {
		return words
	}
	return append(words, int64(k.index), t-k.from)
}

// append implements limiter.
func (r *throttleRate) append(words []int64, t Cycle) []int64 {
	if r.released(t) {
		return words
	}
	return append(floats(words, r.flitTime), r.window, r.until-t)
}

// delay implements limiter.
func (r *dcqcnRate) delay(by Cycle) { r.timerFrom, r.alphaFrom = r.timerFrom+by, r.alphaFrom+by }

// delay implements limiter.
func (r *ibccaRate) delay(by Cycle) { r.from += by }

// delay implements limiter.
func (r *throttleRate) delay(by Cycle) { r.until += by }

// recovers implements limiter. The timer alone raises the rate, by fast recovery and additive
// increase; the last steps halve what the rate is below its target. Alpha forgets by 1/e in 1/g of
// its periods.
func (r *dcqcnRate) recovers(t Cycle) Cycle {
	k := *r
	if k.released(t) {
		return 0
	}
	steps := float64(max(0, k.of.Recovery-k.timers)) + math.Ceil((1-k.target)/k.of.Additive) +
		math.Ceil(-math.Log2(k.of.Additive))
	return max(Cycle(steps)*Cycle(k.of.TimerCycles), Cycle(float64(k.of.AlphaCycles)/k.of.Gain))
}

// recovers implements limiter.
func (r *ibccaRate) recovers(t Cycle) Cycle {
	k := *r
	return Cycle(k.at(t)-k.of.Least) * Cycle(k.of.TimerCycles)
}

// recovers implements limiter.
func (r *throttleRate) recovers(t Cycle) Cycle { return max(0, r.until-t) }

// Recovery returns a bound of the time in which the queue pairs of some links, which ascend, have
// the rate of their links again if their packets meet no more congestion: what congestion control
// knows of the past is not older. It is 0 if they have it now.
func (n *Network) Recovery(links []router.Link) (longest Cycle) {
	if n.config.Congestion == nil {
		return 0
	}
	for i := range n.pairs.interfaces {
		k := &n.pairs.interfaces[i]
		from := n.wiring.LinkOf(n.wiring.Injection(topology.Node(i)))
		if _, found := slices.BinarySearch(links, from); !found {
			continue
		}
		for _, p := range k.pairs {
			if p.limiter != nil {
				longest = max(longest, p.limiter.recovers(n.Now()))
			}
		}
	}
	return longest
}
