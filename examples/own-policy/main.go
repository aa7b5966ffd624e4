// Command own-policy is contend with one more queueing policy, easy-depth: EASY
// backfilling that looks at the first jobs of the queue only.
package main

import (
	"contend"
	"contend/allocation"
	"contend/scheduler"
)

func main() {
	r := contend.Builtin()
	r.Policies = append(r.Policies, contend.Policy{
		Name: "easy-depth", Doc: "aggressive backfilling among the first waiting jobs",
		Parameters: []contend.Parameter{{
			Name: "depth", Type: contend.Integer, Default: "10", Min: "0", Unit: "jobs",
			Doc: "waiting jobs behind the first to look at; 0: all",
		}},
		New: func(v contend.Values, _ contend.PolicyRun) (scheduler.Policy, error) {
			return &easyDepth{depth: v.Int("depth")}, nil
		},
	})
	contend.Main(r)
}

// easyDepth is EASY backfilling among the first jobs behind the head of the queue.
type easyDepth struct {
	depth  int
	shadow scheduler.Cycle     // when the head can start, by estimates
	free   *allocation.FreeSet // what is free then
}

// Schedule implements scheduler.Policy: it is called when jobs arrive or end.
func (p *easyDepth) Schedule(s *scheduler.State) {
	for s.Waiting() > 0 && s.Start(s.Head()) {
	}
	head := s.Head()
	if head == nil {
		return
	}
	p.reserve(s, head)
	seen := 0
	for e := range s.Queue() {
		if e == head {
			continue
		}
		if seen++; p.depth > 0 && seen > p.depth {
			return
		}
		if s.Place(e) && (s.Now()+s.Estimate(e) <= p.shadow || p.leaves(s, head, e)) {
			s.Commit(e)
		}
	}
}

// reserve finds the first estimated end of a running job at which the head fits.
func (p *easyDepth) reserve(s *scheduler.State, head *scheduler.Entry) {
	p.shadow, p.free = s.Now(), s.CopyFree(p.free)
	for e := range s.Running() {
		at := max(e.Estimated, s.Now())
		if at > p.shadow && s.Fits(head, p.free) {
			return
		}
		p.free.Release(e.Nodes)
		p.shadow = at
	}
}

// leaves reports whether the head fits at its reservation if e still runs then
// on the nodes that Place found.
func (p *easyDepth) leaves(s *scheduler.State, head, e *scheduler.Entry) bool {
	p.free.Take(e.Nodes)
	if s.Fits(head, p.free) {
		return true
	}
	p.free.Release(e.Nodes)
	return false
}
