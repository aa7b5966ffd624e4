package scheduler

import (
	"cmp"
	"slices"
)

// enforce updates the head's reservation. Once the reservation is due, it kills jobs
// that went ahead of the head until the allocator can place the head. Jobs that have
// passed their estimate are killed first, and among equals the job that started last.
// If killing all of them is not enough, because jobs that came before the head have
// passed their estimates, none is killed and the head waits. enforce reports whether it
// killed a job.
//
// A reservation only ever moves to an earlier time. A job that ends early may move it;
// a job that passes its estimate does not delay it. Killed jobs do not return to the
// queue.
func (p *EASY) enforce(s *State, head *Entry) bool {
	p.shadow.find(s, head, p.counts(s))
	if p.head != head.arrival {
		p.head, p.reserved = head.arrival, MaxCycle
	}
	if s.now < p.reserved { // not now: jobs with no run time still have to end
		p.reserved = min(p.reserved, max(p.shadow.at, s.now+1))
	}
	if s.now < p.reserved {
		return false
	}
	p.chooseVictims(s, head)
	w := &p.shadow
	w.known, w.free = false, s.CopyFree(w.free) // the set of the shadow time is used here
	for i, e := range p.victims {
		w.free.Release(e.Nodes)
		if s.Fits(head, w.free) {
			for _, e := range p.victims[:i+1] {
				s.Kill(e)
			}
			return true
		}
	}
	return false
}

// chooseVictims lists the jobs that went ahead of the head, in the order in which they are
// killed.
func (p *EASY) chooseVictims(s *State, head *Entry) {
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

// Wake returns the time of the head's reservation if the policy enforces it, because no
// job may end at that time.
func (p *EASY) Wake(s *State) Cycle {
	if head := s.Head(); p.KillAtReservation && head != nil && p.head == head.arrival &&
		p.reserved > s.now {
		return p.reserved
	}
	return MaxCycle
}
