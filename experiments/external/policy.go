package external

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"contend/allocation"
	"contend/experiments/spec/input"
	"contend/netsim/topology"
	"contend/scheduler"
)

// Policy is a policy that is a program. It gets the events since its last line, and answers with
// jobs to kill and to start, and with a time at which to ask it again. Jobs start in the order of
// the answer, up to the first that the allocator refuses. What came of it are the events of the
// next line, in the same cycle, until an answer asks for nothing.
type Policy struct {
	site    allocation.Site
	child   child
	line    []byte
	events  []byte // of the next line, a comma behind each
	waiting map[scheduler.JobID]*scheduler.Entry
	running map[scheduler.JobID]*scheduler.Entry
	refused []scheduler.JobID // since the last job started or was killed, in this cycle
	timer   scheduler.Cycle   // 0 for none
	state   *scheduler.State  // of the current call of Schedule
}

// NewPolicy returns the policy of a command. The program starts with the first event.
func NewPolicy(command string, s allocation.Site) (*Policy, error) {
	c, err := ParseCommand(command)
	if err != nil {
		return nil, err
	}
	p := &Policy{site: s, waiting: map[scheduler.JobID]*scheduler.Entry{},
		running: map[scheduler.JobID]*scheduler.Entry{}}
	p.child, err = newChild(c, s.Run, s.Machine.Nodes())
	return p, err
}

// Submitted implements scheduler.Watcher.
func (p *Policy) Submitted(s *scheduler.State, e *scheduler.Entry) {
	p.waiting[e.Job.ID] = e
	p.event("submit", int64(e.Job.ID))
	p.events = strconv.AppendInt(append(p.events, `,"size":`...), int64(e.Job.Size), 10)
	p.events = appendShape(p.events, e.Job.Shape)
	p.events = strconv.AppendInt(append(p.events, `,"estimate":`...), int64(s.Estimate(e)), 10)
	p.events = append(p.events, "},"...)
}

// Left implements scheduler.Watcher.
func (p *Policy) Left(_ *scheduler.State, e *scheduler.Entry, killed bool) {
	delete(p.running, e.Job.ID)
	p.event("end", int64(e.Job.ID))
	if killed {
		p.events = append(p.events, `,"killed":true`...)
	}
	p.events = append(p.events, "},"...)
}

// event begins an event.
func (p *Policy) event(kind string, number int64) {
	p.events = append(append(append(p.events, `{"`...), kind...), `":`...)
	p.events = strconv.AppendInt(p.events, number, 10)
}

// Schedule implements scheduler.Policy.
func (p *Policy) Schedule(s *scheduler.State) {
	p.state, p.refused = s, p.refused[:0]
	if p.timer > 0 && p.timer <= s.Now() {
		p.event("timer", int64(p.timer))
		p.events, p.timer = append(p.events, "},"...), 0
	}
	for more := true; more; {
		answer, ok := p.child.ask(p.describe, p.nextLine())
		if !ok {
			return
		}
		d, err := readDecision(answer)
		if err == nil {
			more, err = p.carryOut(&d)
		}
		if err = p.child.refuse(answer, err); err != nil {
			p.site.Run.Fail(err)
			return
		}
	}
}

// Wake implements scheduler.Waker.
func (p *Policy) Wake(*scheduler.State) scheduler.Cycle {
	if p.timer == 0 || p.site.Run.Err() != nil {
		return scheduler.MaxCycle
	}
	return p.timer
}

func (p *Policy) describe() []byte {
	return describe(&p.site, fmt.Sprintf(`,"cycles_per_second":%v,"kills":%t`,
		cmp.Or(p.state.Clock().CyclesPerSecond, 1), p.state.Kills()))
}

// nextLine returns the line with the events so far.
func (p *Policy) nextLine() []byte {
	line := strconv.AppendInt(append(p.line[:0], `{"now":`...), int64(p.state.Now()), 10)
	line = strconv.AppendInt(append(line, `,"free":`...), int64(p.state.FreeNodes()), 10)
	line = append(line, `,"events":[`...)
	first := len(line)
	line = closeList(append(line, p.events...), first)
	p.line, p.events = append(line, "}\n"...), p.events[:0]
	return p.line
}

// carryOut does what an answer asks for. It reports whether there is something new to tell.
func (p *Policy) carryOut(d *decision) (more bool, err error) {
	s := p.state
	if d.Timer != nil {
		if p.timer = *d.Timer; p.timer != 0 && (p.timer <= s.Now() || p.timer >= scheduler.MaxCycle) {
			return false, input.Bad("", "give a later cycle, or 0 for no timer",
				"timer is %d, and it is cycle %d", p.timer, s.Now())
		}
	}
	for _, id := range d.Kill {
		e := p.running[id]
		switch {
		case e == nil:
			return false, input.Bad("", "kill jobs that have started and not ended",
				"it kills job %d, which does not run", id)
		case !s.Kills():
			return false, input.Bad("", "kill jobs where job.run = fixed",
				"it kills job %d, and jobs that send messages cannot be killed", id)
		}
		s.Kill(e)
		p.refused = p.refused[:0]
	}
	for _, id := range d.Start {
		e := p.waiting[id]
		switch {
		case e == nil:
			return false, input.Bad("", "start jobs that were submitted, each once",
				"it starts job %d, which does not wait", id)
		case slices.Contains(p.refused, id):
			return false, input.Bad("", "start another job, or wait for the next event",
				"it starts job %d, which was refused in this cycle, and nothing has changed since", id)
		}
		if !s.Start(e) {
			p.refused = append(p.refused, id)
			p.event("refused", int64(id))
			p.events = append(p.events, "},"...)
			return true, nil
		}
		p.started(e)
	}
	return len(d.Start)+len(d.Kill) > 0, nil
}

// started notes that a job has started.
func (p *Policy) started(e *scheduler.Entry) {
	delete(p.waiting, e.Job.ID)
	p.running[e.Job.ID] = e
	p.refused = p.refused[:0]
	p.event("start", int64(e.Job.ID))
	p.events = appendNodes(append(p.events, `,"nodes":[`...), e.Nodes[:e.Job.Size])
	if reserved := e.Nodes[e.Job.Size:]; len(reserved) > 0 {
		p.events = appendNodes(append(p.events, `,"reserved":[`...), reserved)
	}
	p.events = append(p.events, "},"...)
}

// appendNodes appends a list of nodes behind its bracket.
func appendNodes(line []byte, nodes []topology.Node) []byte {
	first := len(line)
	for _, n := range nodes {
		line = append(strconv.AppendInt(line, int64(n), 10), ',')
	}
	return closeList(line, first)
}
