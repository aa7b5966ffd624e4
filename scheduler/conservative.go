package scheduler

// Conservative gives every job a reservation when it arrives, at the earliest
// time at which enough nodes are free for as long as it estimates without
// delaying any reservation made before: conservative backfilling (Mu'alem and
// Feitelson, IEEE TPDS 12(6), 2001, sec. 2).
//
// When a job ends the plan is compressed: in order of arrival, each waiting
// job gives up its reservation and takes the earliest there is, which is never
// a later one. (Not only when it ends before its estimate: a job that moves
// makes room for those before it.) So no job starts later than it was promised
// on arrival, unless some job passes its estimate: such a one is planned to
// end in the next cycle, over and over, and all reservations are made anew.
//
// The first of all planned starts is always the planned end of a running job,
// so that nobody has to wake the policy for it.
//
// The plan counts nodes, so it is of use where their number decides. Where it
// does not, a job whose time has come and that the allocator refuses waits with
// its nodes kept free, and the plan is made anew: nothing is promised, and much
// of the machine idles. Compressing costs time proportional to the square of
// the length of the queue.
type Conservative struct {
	plan   profile
	seen   int64 // arrival of the last job planned
	ended  int   // how many jobs had when the plan was made
	late   int   // State.late then
	broken bool  // some job did not start as planned
}

// Schedule plans what is new and starts the jobs whose time has come.
func (p *Conservative) Schedule(s *State) {
	switch {
	case p.plan.at == nil || p.broken || p.late != s.late ||
		len(s.running) > 0 && s.running[0].ends <= s.now:
		p.reset(s)
		p.seen = 0
	case p.ended != s.totals.Jobs:
		p.reset(s)
		p.keep(s)
		p.compress(s)
	default:
		p.plan.advance(s.now)
	}
	p.ended, p.late = s.totals.Jobs, s.late
	p.planNew(s)
	p.broken = !p.start(s)
}

// reset makes the plan that of the running jobs alone.
func (p *Conservative) reset(s *State) {
	p.plan.begin(s.now, s.free.Count())
	for i := range s.running {
		r := &s.running[i]
		p.plan.change(max(r.ends, s.now+1), r.nodes)
	}
}

// keep enters the reservations there are.
func (p *Conservative) keep(s *State) {
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		if e := s.queue.entries[place]; e.arrival <= p.seen {
			p.plan.reserve(e.planned, p.time(s, place), -e.Job.Size)
		}
	}
}

// compress moves each reservation as far ahead as it goes.
func (p *Conservative) compress(s *State) {
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		e, time := s.queue.entries[place], p.time(s, place)
		if e.arrival > p.seen {
			return
		}
		if e.planned == s.now {
			continue
		}
		p.plan.reserve(e.planned, time, e.Job.Size)
		e.planned = p.plan.earliest(e.Job.Size, time)
		p.plan.reserve(e.planned, time, -e.Job.Size)
	}
}

// planNew gives the jobs that have none a reservation.
func (p *Conservative) planNew(s *State) {
	for place, ok := s.queue.unseen(p.seen); ok; place, ok = s.queue.after(place + 1) {
		e, time := s.queue.entries[place], p.time(s, place)
		e.planned = p.plan.earliest(e.Job.Size, time)
		p.plan.reserve(e.planned, time, -e.Job.Size)
		s.checks.reserved(s, e, e.planned)
	}
	p.seen = s.arrivals
}

// start starts the jobs whose time has come, in order of arrival, and reports
// false where one of them does not fit.
func (p *Conservative) start(s *State) bool {
	kept := true
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		if e := s.queue.entries[place]; e.planned <= s.now && !s.Start(e) {
			kept = false
		}
	}
	return kept
}

// time returns how long a job is planned to run: at least a cycle, in which
// one that takes no time holds its nodes.
func (p *Conservative) time(s *State, place int) Cycle { return max(1, s.queue.estimates[place]) }
