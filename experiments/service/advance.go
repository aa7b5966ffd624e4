package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"contend/internal/input"
	"contend/scheduler"
)

// advanceAnswer is the answer to advance.
type advanceAnswer struct {
	Now   int64      `json:"now"`
	Ended []endedJob `json:"ended"`
}

// endedJob is the account of a job that has ended.
type endedJob struct {
	jobStatus
	End      int64 `json:"end"`
	Service  int64 `json:"service"`
	Packets  int64 `json:"packets"`
	Latency  int64 `json:"latency"`
	Blocking int64 `json:"packet_blocking_time"`
	Foreign  int64 `json:"foreign_blocking_time"`
}

// advance answers advance: time advances to a cycle, or to the first one in which jobs end.
func (v *Service) advance(r *request) (any, error) {
	until, err := v.targetCycle(r)
	if err != nil {
		return nil, err
	}
	slowdown, err := r.wantsSlowdown()
	if err != nil {
		return nil, err
	}
	s := v.state
	leaving, err := s.advance(until)
	if err != nil {
		return nil, err
	}
	a := advanceAnswer{s.cycle(), []endedJob{}}
	for _, j := range leaving {
		t := s.endedTotals[j.ID]
		e := endedJob{End: a.Now, Service: a.Now - j.startCycle, Packets: t.Packets, Latency: t.Latency,
			Blocking: t.Blocked, Foreign: t.Foreign}
		if e.jobStatus, err = v.statusOf(j, slowdown, true); err != nil {
			return nil, err
		}
		a.Ended = append(a.Ended, e)
		s.removeJob(j)
	}
	return a, nil
}

// targetCycle reads the cycle to which a request advances time.
func (v *Service) targetCycle(r *request) (scheduler.Cycle, error) {
	s, text := v.state, r.Object["advance"]
	if string(text) == `"next"` {
		ends := func(name string) bool { return s.jobs[name].Quota < endless }
		if !slices.ContainsFunc(namesOf(s.jobs), ends) {
			return 0, errors.New("no running job ends by itself: give a cycle in place of next")
		}
		return scheduler.MaxCycle, nil
	}
	var n int64
	if json.Unmarshal(text, &n) != nil || n < s.cycle() || n > maxCount {
		return 0, fmt.Errorf(`advance is %s: give a cycle from %d, which is now, to %d, or "next" for `+
			"the next end of a job", input.Shortened(text), s.cycle(), int64(maxCount))
	}
	return scheduler.Cycle(n), nil
}

// advance advances time and returns the jobs that end. They keep their nodes until removeJob.
func (s *state) advance(until scheduler.Cycle) (list []*job, err error) {
	clear(s.endedTotals)
	_, s.endedIDs, err = s.exec.Advance(until, s.endedIDs[:0])
	for _, id := range s.endedIDs {
		list = append(list, s.jobs[s.jobNames[id]])
	}
	return list, err
}

// namesOf returns the names of jobs in the order in which they started.
func namesOf(jobs map[string]*job) []string {
	return slices.SortedFunc(maps.Keys(jobs), func(a, b string) int {
		return cmp.Compare(jobs[a].ID, jobs[b].ID)
	})
}
