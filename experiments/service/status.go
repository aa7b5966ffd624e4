package service

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/sim/executor"
	"contend/internal/input"
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
	Messages *int64          `json:"messages,omitempty"` // that it sends in all, if it ends by that
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

// mostChannels is the number of channels that an answer has.
const mostChannels = 10

// status tells how far one job or all jobs are.
func (v *Network) status(r *networkRequest) (any, error) {
	s := v.state
	slowdown, err := r.slowdown()
	if err != nil {
		return nil, err
	}
	names := keysOf(s.jobs)
	if string(r.keys["status"]) != "true" {
		name, err := input.JobName("status", r.keys["status"])
		if err == nil {
			_, err = s.running(name)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; true asks for all", err)
		}
		names = []string{name}
	}
	a := status{Now: s.net.Now(), Free: s.free.Count(), Jobs: []jobStatus{}, Channels: s.worst()}
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
func (r *networkRequest) slowdown() (wanted bool, err error) {
	return wanted, r.read("slowdown", "true or false", &wanted)
}

// statusOf tells how far a job is.
func (v *Network) statusOf(j *job, slowdown, over bool) (jobStatus, error) {
	k := jobStatus{Job: json.RawMessage(j.name), Start: j.start, Received: j.received, Waits: []wait{}}
	if j.Quota > 0 && j.Quota < endless {
		k.Messages = &j.Quota
	}
	for _, w := range v.state.waits.Of(j.ID) {
		k.Waits = append(k.Waits, wait{json.RawMessage(v.state.names[w.By]), w.Cycles})
	}
	if !slowdown || j.received == 0 && !over {
		return k, nil
	}
	cycles, err := v.aloneFor(j, over)
	if err != nil {
		return k, err
	}
	took := j.last - j.start
	if over {
		took = v.state.net.Now() - j.start
	}
	ratio := float64(took) / float64(max(1, cycles))
	k.Alone, k.Slowdown = &cycles, &ratio
	return k, nil
}

// worst returns the channels with the longest waits for other jobs, longest first.
func (s *state) worst() []channel {
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
	return list[:min(len(list), mostChannels)]
}

// alone is a job on its nodes without others, as far as it has been needed.
type alone struct {
	x        *executor.Executor
	received int64
	over     bool
}

// aloneFor returns how many cycles a job takes on its nodes alone to receive as many messages as it
// has, or to end. The same program runs with the same draws on a network of its own.
func (v *Network) aloneFor(j *job, over bool) (int64, error) {
	if j.alone == nil {
		net, err := v.sim.NewNetwork(v.plan, 0)
		if err != nil {
			return 0, err
		}
		a := &alone{x: executor.New(net, []patterns.Config{j.traffic.config}, scheduler.Clock{})}
		a.x.Software = sim.Software(v.plan)
		a.x.Delivered = func(int32) { a.received++ }
		k := j.Job
		k.Pattern = 0
		a.x.Start(&k, j.nodes)
		j.alone = a
	}
	a := j.alone
	var done []scheduler.JobID
	for !a.over && (over || a.received < j.received) {
		var err error
		if _, done, err = a.x.Step(scheduler.MaxCycle, done); err != nil {
			return 0, err
		}
		a.over = len(done) > 0
	}
	return a.x.Net.Now(), nil
}
