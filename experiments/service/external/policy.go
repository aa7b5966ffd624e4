package external

import (
	"cmp"
	"fmt"
	"slices"

	"contend/allocation"
	"contend/router/topology"
	"contend/scheduler"
)

// Policy is a policy that is a program. It receives the events since its last line, and answers
// with jobs to kill and to start, and with the cycle of a timer. Jobs start in the order of the
// answer, up to the first that the allocator refuses. The results are events of the next line, in
// the same cycle, until an answer is empty.
type Policy struct {
	site            allocation.Site
	program         runProgram
	events          []policyEvent // of the next line
	waiting         map[scheduler.JobID]*scheduler.Entry
	running         map[scheduler.JobID]*scheduler.Entry
	refused         []scheduler.JobID // since the last job started or was killed, in this cycle
	timer           scheduler.Cycle   // 0 for none
	timersInARow    int               // timers since the last event of another kind
	maxTimersInARow int               // bound of timersInARow, maxTimers except in tests
	state           *scheduler.State  // of the current call of Schedule
}

// NewPolicy returns the policy of a command. The program starts with the first event.
func NewPolicy(command string, s allocation.Site) (*Policy, error) {
	c, err := newChild(command, s)
	return &Policy{site: s, program: c, events: []policyEvent{}, maxTimersInARow: maxTimers,
		waiting: map[scheduler.JobID]*scheduler.Entry{},
		running: map[scheduler.JobID]*scheduler.Entry{}}, err
}

// maxTimers bounds the timers in a row without another event: a program that sets a timer in every
// cycle would never end.
const maxTimers = 1_000_000

// policyEvent is an event of a job, whose number is the value of the key that names the event, or
// the cycle of a timer that went off.
type policyEvent struct {
	Submit  *scheduler.JobID `json:"submit,omitempty"`
	End     *scheduler.JobID `json:"end,omitempty"`
	Start   *scheduler.JobID `json:"start,omitempty"`
	Refused *scheduler.JobID `json:"refused,omitempty"`
	Timer   scheduler.Cycle  `json:"timer,omitempty"`

	Size     int              `json:"size,omitempty"`
	Shape    []int            `json:"shape,omitempty"`
	Estimate *scheduler.Cycle `json:"estimate,omitempty"`
	Killed   bool             `json:"killed,omitempty"`
	Nodes    []topology.Node  `json:"nodes,omitempty"`
	Reserved []topology.Node  `json:"reserved,omitempty"`
}

// policyLine is a line to a policy.
type policyLine struct {
	Now    scheduler.Cycle `json:"now"`
	Free   int             `json:"free"`
	Events []policyEvent   `json:"events"`
}

// Submitted implements scheduler.Watcher.
func (p *Policy) Submitted(s *scheduler.State, e *scheduler.Entry) {
	p.waiting[e.Job.ID] = e
	p.events = append(p.events, policyEvent{Submit: new(e.Job.ID), Size: e.Job.Size,
		Shape: e.Job.Shape, Estimate: new(s.Estimate(e))})
}

// Left implements scheduler.Watcher.
func (p *Policy) Left(_ *scheduler.State, e *scheduler.Entry, killed bool) {
	delete(p.running, e.Job.ID)
	p.events = append(p.events, policyEvent{End: new(e.Job.ID), Killed: killed})
}

// Schedule implements scheduler.Policy.
func (p *Policy) Schedule(s *scheduler.State) {
	p.state, p.refused = s, p.refused[:0]
	if p.timer > 0 && p.timer <= s.Now() {
		p.events, p.timer = append(p.events, policyEvent{Timer: p.timer}), 0
	}
	p.timersInARow++
	if slices.ContainsFunc(p.events, func(e policyEvent) bool { return e.Timer == 0 }) {
		p.timersInARow = 0
	}
	for more := true; more; {
		line := policyLine{s.Now(), s.FreeNodes(), p.events}
		p.program.ask(p.firstLine, line, func(answer []byte) error {
			p.events, more = p.events[:0], false
			d, err := readDecision(answer)
			if err == nil {
				more, err = p.apply(&d)
			}
			return err
		})
		more = more && p.site.Run.Err() == nil
	}
}

// Wake implements scheduler.Waker.
func (p *Policy) Wake(*scheduler.State) scheduler.Cycle {
	if p.timer == 0 || p.site.Run.Err() != nil {
		return scheduler.MaxCycle
	}
	return p.timer
}

// firstLine describes the machine, the clock and whether jobs can be killed.
func (p *Policy) firstLine() firstLine {
	return firstLine{describeMachine(&p.site), cmp.Or(p.state.Clock().CyclesPerSecond, 1),
		new(p.state.Kills())}
}

// apply sets the timer, kills and starts the jobs of an answer. It reports whether the program gets
// a further line in this cycle.
func (p *Policy) apply(d *decision) (more bool, err error) {
	s := p.state
	if d.timer != nil {
		if err := p.setTimer(*d.timer); err != nil {
			return false, err
		}
	}
	for _, id := range d.kill {
		e := p.running[id]
		switch {
		case e == nil:
			return false, fmt.Errorf("it kills job %d, which does not run: kill jobs that have started "+
				"and not ended", id)
		case !s.Kills():
			return false, fmt.Errorf("it kills job %d, and jobs that send messages cannot be killed: "+
				"kill jobs where job.run = fixed", id)
		}
		s.Kill(e)
		p.refused = p.refused[:0]
	}
	for _, id := range d.start {
		e := p.waiting[id]
		switch {
		case e == nil:
			return false, fmt.Errorf("it starts job %d, which does not wait: start jobs that were "+
				"submitted, each once", id)
		case slices.Contains(p.refused, id):
			return false, fmt.Errorf("it starts job %d, which was refused in this cycle, and nothing "+
				"has changed since: start another job, or wait for the next event", id)
		}
		if !s.Start(e) {
			p.refused = append(p.refused, id)
			p.events = append(p.events, policyEvent{Refused: &id})
			return true, nil
		}
		p.recordStart(e)
	}
	return len(d.start)+len(d.kill) > 0, nil
}

// setTimer sets the cycle of a further line, 0 for none.
func (p *Policy) setTimer(cycle scheduler.Cycle) error {
	switch p.timer = cycle; {
	case cycle == 0:
	case cycle <= p.state.Now() || cycle >= scheduler.MaxCycle:
		return fmt.Errorf("timer is %d, and it is cycle %d: give a later cycle, or 0 for no timer",
			cycle, p.state.Now())
	case p.timersInARow >= p.maxTimersInARow:
		return fmt.Errorf("it has set %d timers in a row, between which nothing happened: set timers "+
			"farther apart, or wait for the next event", p.timersInARow)
	}
	return nil
}

// recordStart adds the event of a job that has started.
func (p *Policy) recordStart(e *scheduler.Entry) {
	delete(p.waiting, e.Job.ID)
	p.running[e.Job.ID] = e
	p.refused = p.refused[:0]
	// The nodes are kept, as the next line is written when the job may have ended.
	nodes := slices.Clone(e.Nodes)
	p.events = append(p.events, policyEvent{Start: new(e.Job.ID), Nodes: nodes[:e.Job.Size],
		Reserved: nodes[e.Job.Size:]})
}
