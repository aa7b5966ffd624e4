package service

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/sim/executor"
	"contend/patterns"
	"contend/scheduler"
)

// status is the answer to status.
type status struct {
	Now      int64       `json:"now"`
	Free     int         `json:"free"`
	Jobs     []jobStatus `json:"jobs"`
	Channels []channel   `json:"channels"`
}

// jobStatus is how far a job is.
type jobStatus struct {
	Job      json.RawMessage `json:"job"`
	Start    int64           `json:"start"`
	Received int64           `json:"received"`
	Messages *int64          `json:"messages,omitempty"` // all that it sends, if it ends by itself
	Alone    *int64          `json:"alone,omitempty"`
	Slowdown *float64        `json:"slowdown,omitempty"`
	Waits    []wait          `json:"waits"`
}

// wait is how long packets of a job waited for channels that packets of one job held.
type wait struct {
	For    json.RawMessage `json:"for"`
	Cycles int64           `json:"cycles"`
}

// channel is a channel on which packets waited for those of other jobs.
type channel struct {
	Link    int    `json:"link"`
	Kind    string `json:"kind"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Node    *int   `json:"node,omitempty"`
	Foreign int64  `json:"foreign"`
	Flits   int64  `json:"flits"`
}

// maxChannels is the number of channels that an answer has.
const maxChannels = 10

// status answers how far one job or all jobs are.
func (v *Service) status(r *request) (any, error) {
	s := v.state
	slowdown, err := r.slowdown()
	if err != nil {
		return nil, err
	}
	names := namesOf(s.jobs)
	if string(r.Object["status"]) != "true" {
		name, err := r.job()
		if err == nil {
			_, err = s.running(name)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; true asks for all", err)
		}
		names = []string{name}
	}
	a := status{Now: s.now(), Free: s.free.Count(), Jobs: []jobStatus{}, Channels: s.contended()}
	for _, name := range names {
		k, err := v.statusOf(s.jobs[name], slowdown, false)
		if err != nil {
			return nil, err
		}
		a.Jobs = append(a.Jobs, k)
	}
	return a, nil
}

// slowdown reports whether a request asks for slowdowns.
func (r *request) slowdown() (wanted bool, err error) {
	return wanted, r.Read("slowdown", "true or false", &wanted)
}

// statusOf returns how far a job is, at its end or before.
func (v *Service) statusOf(j *job, slowdown, atEnd bool) (jobStatus, error) {
	k := jobStatus{Job: json.RawMessage(j.name), Start: j.start, Received: j.received, Waits: []wait{}}
	if j.Quota > 0 && j.Quota < endless {
		k.Messages = &j.Quota
	}
	for _, w := range v.state.waits.Of(j.ID) {
		k.Waits = append(k.Waits, wait{json.RawMessage(v.state.names[w.By]), w.Cycles})
	}
	if !slowdown || j.received == 0 && !atEnd {
		return k, nil
	}
	cycles, err := v.aloneFor(j, atEnd)
	if err != nil {
		return k, err
	}
	took := j.last - j.start
	if atEnd {
		took = v.state.now() - j.start
	}
	ratio := float64(took) / float64(max(1, cycles))
	k.Alone, k.Slowdown = &cycles, &ratio
	return k, nil
}

// contended returns the channels with the longest waits for other jobs, longest first.
func (s *state) contended() []channel {
	list := []channel{}
	for _, c := range metrics.Channels(s.net.Wiring()) {
		u := s.net.Usage(c.Link)
		if u.Foreign == 0 {
			continue
		}
		k := channel{Link: int(c.Link), Kind: c.Kind, From: int(c.From), To: int(c.To),
			Foreign: u.Foreign, Flits: u.Flits}
		if c.Node >= 0 {
			node := int(c.Node)
			k.Node = &node
		}
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b channel) int {
		return cmp.Or(cmp.Compare(b.Foreign, a.Foreign), cmp.Compare(a.Link, b.Link))
	})
	return list[:min(len(list), maxChannels)]
}

// alone simulates a job on its nodes of an empty machine, as far as answers have needed it.
type alone struct {
	exec     *executor.Executor
	received int64
	ended    bool
}

// aloneFor returns the cycles that a job takes alone to receive as many messages as it has, or to
// end. The same program runs with the same draws on a network of its own.
func (v *Service) aloneFor(j *job, atEnd bool) (int64, error) {
	if j.alone == nil {
		net, err := v.sim.NewNetwork(v.plan, 0)
		if err != nil {
			return 0, err
		}
		a := &alone{exec: executor.New(net, []patterns.Config{j.traffic.config}, scheduler.Clock{})}
		a.exec.Software = sim.Software(v.plan)
		a.exec.Delivered = func(int32) { a.received++ }
		k := j.Job
		k.Pattern = 0
		a.exec.Start(&k, j.nodes[:j.size])
		j.alone = a
	}
	a := j.alone
	var done []scheduler.JobID
	for !a.ended && (atEnd || a.received < j.received) {
		var err error
		if _, done, err = a.exec.Step(scheduler.MaxCycle, done); err != nil {
			return 0, err
		}
		a.ended = len(done) > 0
	}
	return a.exec.Net.Now(), nil
}
