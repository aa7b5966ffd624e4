package service

import (
	"fmt"

	"contend/allocation"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/router/topology"
)

// answer is what a line or an allocator is answered, without the id. The page of columns in
// docs/reference describes the fields.
type answer struct {
	Nodes    []topology.Node `json:"nodes,omitempty"`
	Reserved []topology.Node `json:"reserved,omitempty"`
	*distances
	*box
	*treeLevels
	Groups     int              `json:"groups_spanned,omitempty"`
	Explored   *int             `json:"explored,omitempty"`
	Proven     *bool            `json:"proven,omitempty"`
	Refused    string           `json:"refused,omitempty"`
	Free       *int             `json:"free,omitempty"`
	Released   *[]topology.Node `json:"released,omitempty"`
	Line       int              `json:"line,omitempty"`
	Error      string           `json:"error,omitempty"`
	Allocators sideBySide       `json:"allocators,omitempty"`
}

// distances, box and treeLevels are the measures of a placement on machines that have them.
type distances struct {
	Sum        int64   `json:"sum_pairwise_distance"`
	Mean       float64 `json:"mean_pairwise_distance"`
	Components int     `json:"components"`
	Linear     int     `json:"span_linear"`
	Ring       int     `json:"span_ring"`
}

type box struct {
	Sides     []int   `json:"sides,omitempty"` // up to three dimensions
	SideSum   int     `json:"side_sum"`
	Dispersal float64 `json:"dispersal"`
	Weighted  float64 `json:"weighted_dispersal"`
	CubeRatio float64 `json:"bounding_cube_ratio"`
}

type treeLevels struct {
	Level int `json:"tree_level"`
	Least int `json:"least_tree_level"`
	Away  int `json:"nodes_away"`
}

// named is the answer of one of several allocators, and sideBySide are theirs in their order.
type named struct {
	name string
	answer
}

type sideBySide []named

// MarshalJSON writes an object with a field for each allocator.
func (s sideBySide) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, a := range s {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, input.EncodeJSON(a.name)...), ':')
		text = append(text, input.EncodeJSON(a.answer)...)
	}
	return append(text, '}'), nil
}

// answer returns the answer of an allocator. It states an error, if there is one.
func (d *Decisions) answer(x *decider, r *allocateRequest) answer {
	switch r.kind {
	case askMachine:
		return answer{}
	case askRelease:
		released := append([]topology.Node{}, x.held[r.job].nodes...)
		x.free.Release(released)
		delete(x.held, r.job)
		return answer{Released: &released}
	case askAllocate:
		if h, ok := x.held[r.job]; ok { // another allocator refused the job before
			if h.size != r.size {
				return d.fault(fmt.Errorf("the job %s has %d nodes already: release them, or give another "+
					"name", r.job, h.size))
			}
			return d.placement(h)
		}
		return d.decide(x, r, x.free)
	}
	return d.decide(x, r, d.free)
}

// fault is the answer that states an error.
func (d *Decisions) fault(err error) answer { return answer{Line: d.line, Error: err.Error()} }

// decide returns a new decision.
func (d *Decisions) decide(x *decider, r *allocateRequest, free *allocation.FreeSet) answer {
	req := allocation.Request{Size: r.size, Shape: r.shape}
	if err := x.alloc.Check(req); err != nil {
		return d.fault(err)
	}
	nodes, placed := x.alloc.Allocate(nil, free, req)
	if !placed {
		count := free.Count()
		why := fmt.Sprintf("asks for %d processors; %d are free", req.Size, count)
		if req.Size <= count {
			why += ", but not where the allocator could use them"
		}
		return answer{Refused: why, Free: &count}
	}
	if err := free.CheckGrant(nodes, r.size); err != nil {
		return d.fault(fmt.Errorf("the allocator broke its contract: %w", err))
	}
	h := holding{nodes, r.size}
	if r.kind == askAllocate {
		x.free.Take(nodes)
		x.held[r.job] = h
	}
	a := d.placement(h)
	if e, ok := x.alloc.(allocation.Explorer); ok {
		explored, proven := e.Explored()
		a.Explored, a.Proven = &explored, &proven
	}
	return a
}

// placement has the nodes of a job and the measures that are defined on the machine.
func (d *Decisions) placement(h holding) answer {
	a, m := answer{Nodes: h.nodes[:h.size], Reserved: h.nodes[h.size:]}, &d.meter
	if !m.Measures() {
		return a
	}
	q := m.Measure(h.nodes, h.size)
	a.distances = &distances{q.Used.PairwiseSum, q.Used.PairwiseMean, q.Used.Components,
		q.Held.LinearSpan, q.Held.RingSpan}
	if m.Defined(metrics.WithBoxes) {
		a.box = &box{nil, q.Held.SideSum, q.Held.Dispersal, q.Held.WeightedDispersal, q.Held.CubeRatio}
		if m.Dims <= len(q.Held.Sides) {
			a.Sides = q.Held.Sides[:m.Dims]
		}
	}
	if m.Defined(metrics.TreesOnly) {
		a.treeLevels = &treeLevels{q.Tree.Level, q.Tree.JobLevel, q.Tree.Away}
	}
	if m.Defined(metrics.WithGroups) {
		a.Groups = q.Groups
	}
	return a
}
