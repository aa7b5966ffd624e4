package routes

import "contend/router"

// option is a link that a head flit may take, with the VCs of it that the routing offers.
type option struct {
	first, n router.Channel // VCs offered: n from first on
	credits  int32          // credits of those that are free
	queued   int32          // flits that wait to be sent on them; none: not yet counted
}

// none marks the absence of a router, port, channel or number.
const none = -1

// selection is the list of links between which an adaptive routing chooses by its View.
//
// The link with the most credits comes first, counted over those of its VCs that no packet holds.
// Of links with as many the one comes first for which the fewest flits wait at this router, and of
// those the one that was added first.
type selection []option

// add adds a link, of which the routing offers the n VCs from first on.
func (s *selection) add(first, n router.Channel) {
	*s = append(*s, option{first: first, n: n, queued: none})
}

// rank sorts the links, best first. They are few, so it inserts.
func (s selection) rank(v router.View) {
	if len(s) < 2 {
		return
	}
	for i := range s {
		s[i].countCredits(v)
		for j := i; j > 0 && s[j].better(&s[j-1], v); j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

// alike returns how many links of a ranked selection none comes before.
func (s selection) alike(v router.View) int32 {
	n := 1
	for n < len(s) && !s[0].better(&s[n], v) {
		n++
	}
	return int32(n)
}

// countCredits sets o.credits to the credits of those offered VCs that no packet holds.
func (o *option) countCredits(v router.View) {
	o.credits = 0
	for c := o.first; c < o.first+o.n; c++ {
		if v.Free(c) {
			o.credits += v.Credits(c)
		}
	}
}

// better reports whether a link comes before another one that was added earlier.
func (o *option) better(other *option, v router.View) bool {
	if o.credits != other.credits {
		return o.credits > other.credits
	}
	return o.queuedFlits(v) < other.queuedFlits(v)
}

// queuedFlits returns the number of flits at this router that wait for the offered VCs, free or
// held. It counts at its first call only: counting is slow, and only ties need the number.
func (o *option) queuedFlits(v router.View) int32 {
	if o.queued == none {
		o.queued = 0
		for c := o.first; c < o.first+o.n; c++ {
			o.queued += v.Queued(c)
		}
	}
	return o.queued
}

// appendVCs appends the offered VCs of all links to dst, in the order of s.
func (s selection) appendVCs(dst []router.Channel) []router.Channel {
	for _, o := range s {
		dst = router.AppendRun(dst, o.first, o.n)
	}
	return dst
}
