package scheduler

import (
	"contend/allocation"
	"contend/netsim/topology"
)

// EASY starts jobs in the order in which they came, and while the first one
// does not fit lets others go ahead of it where that does not delay it by what
// users estimate: aggressive backfilling (Lifka, JSSPP 1995; Mu'alem and
// Feitelson, IEEE TPDS 12(6), 2001, sec. 2 and Fig. 1).
//
// The head's reservation, the shadow time, is the first estimated end of a
// running job by which enough nodes are free. Nodes free then that the head
// does not need are extra. In order of arrival, a job that fits now goes ahead
// if it ends, by its estimate, no later than the shadow time, or else asks for
// no more than the extra nodes, which it uses up.
//
// Where the literature differs: all jobs that end at the shadow time count for
// the extra nodes; a job that has passed its estimate is taken to end now; the
// policy is asked when jobs end or arrive, not when an estimate passes.
//
// Where it is not the number of free nodes alone that decides, as with
// contiguous allocators, a head refused despite enough free nodes waits too.
// The shadow time then is the first estimated end by which the allocator would
// place it on the machine as it would be, and a job that would run longer goes
// ahead only if the head can still be placed at that time, with the nodes the
// allocator found for that job gone.
type EASY struct {
	// KillAtReservation lets the head run when the time of its reservation is
	// reached, at the latest: running jobs that went ahead of it are killed as
	// needed (Pascual, Navaridas, Miguel-Alonso, JSSPP 2009, sec. 3).
	KillAtReservation bool
	// CountReservations takes the head's reservation from the numbers of free
	// nodes also where a contiguous allocator may refuse them: the shadow time
	// is when enough are free, and others may use those it leaves over, where
	// ever they are. The head may find no place then; it goes on waiting.
	CountReservations bool
	// NoExtraNodes has jobs go ahead only if they end, by their estimates, no
	// later than the shadow time: "we can execute them until the resources
	// required by the job at the head become available" (the same, sec. 1).
	NoExtraNodes bool

	shadow   shadow
	head     int64 // arrival of the job that has the reservation
	reserved Cycle // its time, the earliest of those computed
	victims  []*Entry
}

// shadow is what lies ahead of the head of the queue.
type shadow struct {
	at    Cycle
	extra int                 // nodes left over then; where counts decide
	free  *allocation.FreeSet // those free then; where they do not
	nodes []topology.Node     // where the head would be; nobody looks at it

	known    bool
	version  uint64 // another head is another version too: the last one took nodes
	computed Cycle
	until    Cycle // when the first estimate passes
}

// Schedule starts jobs from the head of the queue while they fit, and then
// others that do not delay it.
func (p *EASY) Schedule(s *State) {
	for s.Waiting() > 0 && s.Start(s.Head()) {
	}
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

// backfill lets jobs go ahead of the head.
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

// counts reports whether numbers of nodes decide on reservations.
func (p *EASY) counts(s *State) bool { return s.counting || p.CountReservations }

// find computes the head's reservation, unless it is known; by numbers of nodes
// or by asking the allocator.
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
		w.ask(s, head)
	}
	s.checks.reserved(s, head, w.at)
}

// count finds the shadow time and the extra nodes by the numbers of nodes.
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

// ask finds the shadow time by asking the allocator.
func (w *shadow) ask(s *State, head *Entry) {
	w.copyFree(s)
	for i := 0; i < len(s.running); {
		w.at = max(s.running[i].ends, s.now)
		for ; i < len(s.running) && max(s.running[i].ends, s.now) == w.at; i++ {
			w.free.Release(s.running[i].entry.Nodes)
		}
		if w.placed(s, head) {
			break
		}
	}
	w.extra = noSize // delayed decides, not a number
}

// copyFree makes the set the one that is free now.
func (w *shadow) copyFree(s *State) {
	if w.free == nil {
		w.free = allocation.NewFreeSet(s.free.Nodes())
	}
	w.free.Copy(s.free)
}

// placed reports whether the head could be placed on the set.
func (w *shadow) placed(s *State, head *Entry) bool {
	if s.counting || w.free.Count() < head.Job.Size {
		return w.free.Count() >= head.Job.Size
	}
	nodes, placed := s.allocator.Allocate(w.nodes[:0], w.free, head.Job.Request())
	w.nodes = nodes[:0]
	return placed
}

// delayed reports whether the head could not be placed at the shadow time if e
// ran until then on the nodes it was found; if it could, they are gone.
func (w *shadow) delayed(s *State, head, e *Entry) bool {
	w.free.Take(e.Nodes)
	if w.placed(s, head) {
		return false
	}
	w.free.Release(e.Nodes)
	return true
}
