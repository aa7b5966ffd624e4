package scheduler

// Conservative is conservative backfilling (Mu'alem and Feitelson, IEEE TPDS 12(6),
// 2001, sec. 2). Each job gets a reservation on arrival: the earliest time at which
// enough nodes are free for its estimated run time without delaying an earlier
// reservation.
//
// The plan is compressed when a job ends. Each waiting job, in order of arrival, gives
// up its reservation and takes the earliest one available, which is never later.
// Compression also happens when a job ends exactly at its estimate, because a job that
// moves makes room for jobs ahead of it. So no job starts later than its first
// reservation, unless some job passes its estimate. The plan assumes that such a job
// ends in the next cycle, and all reservations are made again until it ends.
//
// The first planned start always coincides with the planned end of a running job. So
// the policy needs no wake-up of its own.
//
// The plan counts nodes, so it suits allocators for which the number of free nodes
// decides. With other allocators a job whose reservation is due may be refused. It then
// waits with its nodes kept free, and the plan is made again. No reservation is binding
// in that case, and much of the machine idles. The cost of compression is proportional
// to the square of the queue length.
//
// Nodes that have failed are taken until their repair if it is known, and otherwise for ever. All
// reservations are made anew when nodes fail or are repaired.
type Conservative struct {
	plan   profile
	seen   int64 // arrival of the last job planned
	ended  int   // number of jobs that had ended when the plan was made
	late   int   // State.late at that time
	broke  int   // failing.changes at that time
	broken bool  // some job did not start at its reservation
}

// Schedule plans new jobs and starts the jobs whose reservation is due.
func (p *Conservative) Schedule(s *State) {
	switch {
	case p.plan.at == nil || p.broken || p.late != s.late || p.broke != s.failing.changes ||
		len(s.running) > 0 && s.running[0].ends <= s.now:
		p.planRunning(s)
		p.seen = 0
	case p.ended != s.totals.Jobs:
		p.planRunning(s)
		p.enterReservations(s)
		p.compress(s)
	default:
		p.plan.advance(s.now)
	}
	p.ended, p.late, p.broke = s.totals.Jobs, s.late, s.failing.changes
	p.planNew(s)
	p.broken = !p.startDue(s)
}

// planRunning begins the plan anew with the running jobs alone.
func (p *Conservative) planRunning(s *State) {
	p.plan.begin(s.now, s.free.Count())
	for i := range s.running {
		r := &s.running[i]
		p.plan.change(max(r.ends, s.now+1), r.nodes)
	}
}

// enterReservations enters the existing reservations into the plan.
func (p *Conservative) enterReservations(s *State) {
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		if e := s.queue.entries[place]; e.arrival <= p.seen {
			p.plan.reserve(e.planned, p.runTime(s, place), -e.Job.Size)
		}
	}
}

// compress moves each reservation to the earliest time available.
func (p *Conservative) compress(s *State) {
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		e, time := s.queue.entries[place], p.runTime(s, place)
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

// planNew makes a reservation for each job that has none.
func (p *Conservative) planNew(s *State) {
	for place, ok := s.queue.unseen(p.seen); ok; place, ok = s.queue.after(place + 1) {
		e, time := s.queue.entries[place], p.runTime(s, place)
		e.planned = p.plan.earliest(e.Job.Size, time)
		p.plan.reserve(e.planned, time, -e.Job.Size)
		s.checks.reserved(s, e, e.planned)
	}
	p.seen = s.arrivals
}

// startDue starts the jobs whose reservation is due, in order of arrival. It reports false
// if one of them does not fit.
func (p *Conservative) startDue(s *State) bool {
	kept := true
	for place, ok := s.queue.after(0); ok; place, ok = s.queue.after(place + 1) {
		if e := s.queue.entries[place]; e.planned <= s.now && !s.Start(e) {
			kept = false
		}
	}
	return kept
}

// runTime returns the planned run time of a job. It is at least one cycle, because a job
// with no run time still holds its nodes for a cycle.
func (p *Conservative) runTime(s *State, place int) Cycle {
	return max(1, s.queue.estimates[place])
}
