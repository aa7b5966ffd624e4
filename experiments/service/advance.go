package service

import (
	"encoding/json"
	"fmt"
	"slices"

	"contend/netsim"
	"contend/scheduler"
)

// advanced is the answer to advance.
type advanced struct {
	Now   int64   `json:"now"`
	Ended []ended `json:"ended"`
}

// ended is a job that has ended.
type ended struct {
	jobStatus
	End      int64 `json:"end"`
	Service  int64 `json:"service"`
	Packets  int64 `json:"packets"`
	Latency  int64 `json:"latency"`
	Blocking int64 `json:"packet_blocking_time"`
	Foreign  int64 `json:"foreign_blocking_time"`
}

// advance moves time on to a cycle, or to the first cycle in which jobs end if that is earlier.
func (v *Network) advance(r *networkRequest) (any, error) {
	until, err := v.until(r)
	if err != nil {
		return nil, err
	}
	slowdown, err := r.slowdown()
	if err != nil {
		return nil, err
	}
	a := advanced{Ended: []ended{}}
	leaving, err := v.state.advance(until)
	if err != nil {
		return nil, err
	}
	a.Now = v.state.net.Now()
	for _, l := range leaving {
		e := ended{End: a.Now, Service: a.Now - l.start,
			Packets: l.totals.Packets, Latency: l.totals.Latency,
			Blocking: l.totals.Blocked, Foreign: l.totals.Foreign}
		if e.jobStatus, err = v.statusOf(l.job, slowdown, true); err != nil {
			return nil, err
		}
		a.Ended = append(a.Ended, e)
		v.state.leave(l.job)
	}
	return a, nil
}

// until returns the cycle that a request asks for.
func (v *Network) until(r *networkRequest) (scheduler.Cycle, error) {
	s, text := v.state, string(r.keys["advance"])
	if text == `"next"` {
		ends := func(name string) bool { return s.jobs[name].Quota < endless }
		if len(s.jobs) == 0 || !slices.ContainsFunc(keysOf(s.jobs), ends) {
			return 0, fmt.Errorf("no running job ends by itself: give a cycle in place of next")
		}
		return scheduler.MaxCycle, nil
	}
	var n int64
	if json.Unmarshal(r.keys["advance"], &n) != nil || n < s.net.Now() || n > mostCount {
		return 0, fmt.Errorf(`advance is %s: give a cycle from %d, which is now, to %d, or "next" for `+
			"the next end of a job", shortened(r.keys["advance"]), s.net.Now(), int64(mostCount))
	}
	return scheduler.Cycle(n), nil
}

// leaver is a job that ends, with what its messages met with.
type leaver struct {
	*job
	totals netsim.Totals
}

// advance moves time on and returns the jobs that end, which are to leave.
func (s *state) advance(until scheduler.Cycle) (list []leaver, err error) {
	clear(s.totals)
	_, s.done, err = s.x.Advance(until, s.done[:0])
	for _, id := range s.done {
		list = append(list, leaver{s.jobs[s.names[id]], s.totals[id]})
	}
	return list, err
}

// keysOf returns the names of jobs in the order in which they started.
func keysOf(jobs map[string]*job) (names []string) {
	var list []*job
	for _, j := range jobs {
		list = append(list, j)
	}
	slices.SortFunc(list, func(a, b *job) int { return int(a.ID - b.ID) })
	for _, j := range list {
		names = append(names, j.name)
	}
	return names
}
