package scheduler

import (
	"cmp"
	"slices"
)

// enforce keeps track of the head's reservation, and kills what is in its way
// once its time has come: jobs that went ahead of the head, those that have
// passed their estimate first, and of either those started last first, until
// the allocator places the head. Where killing all of them would not do,
// because jobs that came before the head have passed their estimates, none is
// killed, and the head waits for more nodes. It reports whether it killed.
//
// A reservation only ever moves forward in time: a job that ends early may
// bring it closer, one that passes its estimate does not put it off. Killed
// jobs do not come back.
func (p *EASY) enforce(s *State, head *Entry) bool {
	p.shadow.find(s, head, p.counts(s))
	if p.head != head.arrival {
		p.head, p.reserved = head.arrival, MaxCycle
	}
	if s.now < p.reserved { // not for now: what takes no time still has to end
		p.reserved = min(p.reserved, max(p.shadow.at, s.now+1))
	}
	if s.now < p.reserved {
		return false
	}
	p.choose(s, head)
	w := &p.shadow
	w.known = false // its set is needed
	w.copyFree(s)
	for i, e := range p.victims {
		w.free.Release(e.Nodes)
		if w.placed(s, head) {
			for _, e := range p.victims[:i+1] {
				s.Kill(e)
			}
			return true
		}
	}
	return false
}

// choose lists the jobs that went ahead of the head in the order in which they
// are killed.
func (p *EASY) choose(s *State, head *Entry) {
	p.victims = p.victims[:0]
	for _, overran := range [...]bool{true, false} {
		first := len(p.victims)
		for i := range s.running {
			if r := &s.running[i]; r.arrival > head.arrival && (r.ends <= s.now) == overran {
				p.victims = append(p.victims, r.entry)
			}
		}
		slices.SortFunc(p.victims[first:], func(a, b *Entry) int {
			return cmp.Or(cmp.Compare(b.Start, a.Start), cmp.Compare(b.arrival, a.arrival))
		})
	}
}

// Wake returns the time of the head's reservation, if that is to be enforced:
// no job may end then.
func (p *EASY) Wake(s *State) Cycle {
	if head := s.Head(); p.KillAtReservation && head != nil && p.head == head.arrival &&
		p.reserved > s.now {
		return p.reserved
	}
	return MaxCycle
}
