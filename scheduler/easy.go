package scheduler

import (
	"cmp"
	"slices"

	"contend/allocation"
)

// EASY is aggressive backfilling (Lifka, JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS
// 12(6), 2001, sec. 2 and Fig. 1). It starts jobs in order of arrival. While the head
// of the queue does not fit, other jobs may go ahead of it if they do not delay it,
// judged by the users' estimates.
//
// The head has a reservation at the shadow time: the first estimated end of a running
// job at which enough nodes are free. Nodes that are free then and that the head does
// not need are the extra nodes. The policy considers waiting jobs in order of arrival.
// A job that fits now goes ahead if its estimated end is no later than the shadow time.
// It also goes ahead if it asks for no more than the extra nodes, which it then uses
// up.
//
// The literature leaves three choices open. All jobs that end at the shadow time count for the
// extra nodes. A job that has passed its estimate is assumed to end now. The policy runs when jobs
// end or arrive, not when an estimate passes. Failed nodes count as taken until their repair if its
// time is known, and otherwise for ever: other jobs then go ahead of a head that needs these nodes.
//
// With contiguous allocators the number of free nodes alone does not decide. A head
// that is refused despite enough free nodes waits too. The shadow time is then the
// first estimated end at which the allocator would place the head on the nodes free by
// then. A job that would run past it goes ahead only if the allocator can still place
// the head at the shadow time without the nodes found for that job.
type EASY struct {
	// KillAtReservation starts the head no later than its reservation. Running jobs
	// that went ahead of it are killed as needed (Pascual, Navaridas, Miguel-Alonso,
	// JSSPP 2009, sec. 3).
	KillAtReservation bool
	// CountReservations computes the head's reservation from node counts even if a contiguous
	// allocator may refuse the nodes. The shadow time is then the time at which enough nodes are free.
	// Other jobs may use the nodes left over, wherever they are. A head that finds no place at the
	// shadow time continues to wait.
	CountReservations bool
	// NoExtraNodes lets a job go ahead only if its estimated end is no later than the
	// shadow time: "we can execute them until the resources required by the job at the
	// head become available" (the same, sec. 1).
	NoExtraNodes bool

	shadow   shadow
	head     int64 // arrival number of the job that holds the reservation
	reserved Cycle // time of the reservation: the earliest computed so far
	victims  []*Entry
}

// shadow is the reservation of the head of the queue.
type shadow struct {
	at    Cycle
	extra int                 // nodes left over at the shadow time, if counts decide
	free  *allocation.FreeSet // nodes free at the shadow time, if the allocator decides

	known bool
	// State.version of the computation; a new head implies a new version, because its
	// predecessor took nodes
	version  uint64
	computed Cycle
	until    Cycle // when the first estimate passes and the computation expires
}

// Schedule starts jobs from the head of the queue while they fit, and then backfills.
func (p *EASY) Schedule(s *State) {
	FCFS{}.Schedule(s)
	head := s.Head()
	if head == nil || len(s.running) == 0 {
		return
	}
	if p.KillAtReservation && p.enforce(s, head) {
		p.Schedule(s)
		return
	}
	p.backfill(s, head)
}

// backfill starts jobs that may go ahead of the head.
func (p *EASY) backfill(s *State, head *Entry) {
	place, found := s.queue.find(head.place+1, s.free.Count(), 0, MaxCycle)
	if !found {
		return
	}
	p.shadow.find(s, head, p.counts(s))
	limit, extra := p.shadow.at-s.now, p.shadow.extra
	if p.NoExtraNodes {
		extra = 0
	}
	for {
		place, found = s.queue.find(place, s.free.Count(), extra, limit)
		if !found {
			break
		}
		e := s.queue.entries[place]
		within := s.queue.estimates[place] <= limit
		place++
		if !s.place(e) || !within && !p.counts(s) && p.shadow.delayed(s, head, e) {
			continue
		}
		s.begin(e)
		if !within && p.counts(s) {
			extra -= len(e.Nodes)
		}
	}
}

// counts reports whether node counts decide on reservations.
func (p *EASY) counts(s *State) bool { return s.counting || p.CountReservations }

// find computes the head's reservation, unless it is known, from node counts or by
// trial placements.
func (w *shadow) find(s *State, head *Entry, counts bool) {
	if w.known && w.version == s.version && s.now < w.until && w.at > w.computed {
		return
	}
	w.known, w.version, w.computed, w.until = true, s.version, s.now, MaxCycle
	for i := range s.running {
		if s.running[i].ends > s.now {
			w.until = s.running[i].ends
			break
		}
	}
	if counts {
		w.count(s, head.Job.Size)
	} else {
		w.try(s, head)
	}
	s.checks.reserved(s, head, w.at)
}

// count finds the shadow time and the extra nodes from node counts.
func (w *shadow) count(s *State, size int) {
	free := s.free.Count()
	for i := 0; i < len(s.running); {
		w.at = max(s.running[i].ends, s.now)
		for ; i < len(s.running) && max(s.running[i].ends, s.now) == w.at; i++ {
			free += s.running[i].nodes
		}
		if free >= size {
			break
		}
	}
	w.extra = free - size
}

// try finds the shadow time by trial placements with the allocator.
func (w *shadow) try(s *State, head *Entry) {
	w.free = s.CopyFree(w.free)
	for i := 0; i < len(s.running); {
		w.at = max(s.running[i].ends, s.now)
		for ; i < len(s.running) && max(s.running[i].ends, s.now) == w.at; i++ {
			w.free.Release(s.running[i].entry.Nodes)
		}
		if s.Fits(head, w.free) {
			break
		}
	}
	w.extra = noSize // the method delayed decides, not this number
}

// delayed reports whether e, on the nodes found for it, would leave no place for the
// head at the shadow time. If there still is a place, the nodes of e leave w.free.
func (w *shadow) delayed(s *State, head, e *Entry) bool {
	w.free.Take(e.Nodes)
	if s.Fits(head, w.free) {
		return false
	}
	w.free.Release(e.Nodes)
	return true
}

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
