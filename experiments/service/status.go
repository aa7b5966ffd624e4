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

// statusAnswer is the answer to status.
type statusAnswer struct {
	Now      int64          `json:"now"`
	Free     int            `json:"free"`
	Jobs     []jobStatus    `json:"jobs"`
	Channels []channelWaits `json:"channels"`
}

// jobStatus is the progress of a job.
type jobStatus struct {
	Job      json.RawMessage `json:"job"`
	Start    int64           `json:"start"`
	Received int64           `json:"received"`
	Messages *int64          `json:"messages,omitempty"` // in all, if it ends by itself
	Alone    *int64          `json:"alone,omitempty"`
	Slowdown *float64        `json:"slowdown,omitempty"`
	Waits    []jobWait       `json:"waits"`
}

// jobWait is the time that packets of a job waited for channels held by packets of one job.
type jobWait struct {
	For    json.RawMessage `json:"for"`
	Cycles int64           `json:"cycles"`
}

// channelWaits is a channel on which packets waited for packets of other jobs.
type channelWaits struct {
	Link    int    `json:"link"`
	Kind    string `json:"kind"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Node    *int   `json:"node,omitempty"`
	Foreign int64  `json:"foreign"`
	Flits   int64  `json:"flits"`
}

// maxChannels bounds the channels in an answer.
const maxChannels = 10

// status answers status: the progress of one job or of all jobs.
func (v *Service) status(r *request) (any, error) {
	s := v.state
	slowdown, err := r.wantsSlowdown()
	if err != nil {
		return nil, err
	}
	names := namesOf(s.jobs)
	if string(r.Object["status"]) != "true" {
		name, err := r.jobName()
		if err == nil {
			_, err = s.runningJob(name)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; true asks for all", err)
		}
		names = []string{name}
	}
	a := statusAnswer{Now: s.cycle(), Free: s.free.Count(), Jobs: []jobStatus{},
		Channels: s.contendedChannels()}
	for _, name := range names {
		k, err := v.statusOf(s.jobs[name], slowdown, false)
		if err != nil {
			return nil, err
		}
		a.Jobs = append(a.Jobs, k)
	}
	return a, nil
}

// wantsSlowdown reads the key slowdown of a request.
func (r *request) wantsSlowdown() (wanted bool, err error) {
	return wanted, r.Read("slowdown", "true or false", &wanted)
}

// statusOf returns the progress of a job, at its end or before.
func (v *Service) statusOf(j *job, slowdown, atEnd bool) (jobStatus, error) {
	k := jobStatus{Job: json.RawMessage(j.name), Start: j.startCycle, Received: j.received,
		Waits: []jobWait{}}
	if j.Quota > 0 && j.Quota < endless {
		k.Messages = &j.Quota
	}
	for _, w := range v.state.waits.Of(j.ID) {
		k.Waits = append(k.Waits, jobWait{json.RawMessage(v.state.jobNames[w.By]), w.Cycles})
	}
	if !slowdown || j.received == 0 && !atEnd {
		return k, nil
	}
	cycles, err := v.soloCycles(j, atEnd)
	if err != nil {
		return k, err
	}
	took := j.lastArrival - j.startCycle
	if atEnd {
		took = v.state.cycle() - j.startCycle
	}
	ratio := float64(took) / float64(max(1, cycles))
	k.Alone, k.Slowdown = &cycles, &ratio
	return k, nil
}

// contendedChannels returns the channels with the longest waits for other jobs, longest first.
func (s *state) contendedChannels() []channelWaits {
	list := []channelWaits{}
	for _, c := range metrics.Channels(s.net.Wiring()) {
		u := s.net.Usage(c.Link)
		if u.Foreign == 0 {
			continue
		}
		k := channelWaits{Link: int(c.Link), Kind: c.Kind, From: int(c.From), To: int(c.To),
			Foreign: u.Foreign, Flits: u.Flits}
		if c.Node >= 0 {
			node := int(c.Node)
			k.Node = &node
		}
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b channelWaits) int {
		return cmp.Or(cmp.Compare(b.Foreign, a.Foreign), cmp.Compare(a.Link, b.Link))
	})
	return list[:min(len(list), maxChannels)]
}

// soloRun simulates a job alone on its nodes, as far as answers have needed it.
type soloRun struct {
	exec     *executor.Executor
	received int64
	ended    bool
}

// soloCycles returns the cycles that a job takes alone to receive as many messages as it has so far
// or, at its end, to end. The same program runs with the same draws on a second network.
func (v *Service) soloCycles(j *job, atEnd bool) (int64, error) {
	if j.solo == nil {
		net, err := v.sim.NewNetwork(v.plan, 0)
		if err != nil {
			return 0, err
		}
		a := &soloRun{exec: executor.New(net, []patterns.Config{j.traffic.config}, scheduler.Clock{})}
		a.exec.Software = sim.Software(v.plan)
		a.exec.Delivered = func(int32) { a.received++ }
		k := j.Job
		k.Pattern = 0
		a.exec.Start(&k, j.nodes[:j.size])
		j.solo = a
	}
	a := j.solo
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
