package service

import (
	"cmp"
	"errors"
	"fmt"

	"contend/allocation"
	"contend/experiments/service/external"
	"contend/internal/input"
	"contend/router/topology"
)

// grant is the nodes of a job: it uses the first size of them, and the others are reserved.
type grant struct {
	nodes []topology.Node
	size  int
}

// compareMachine answers machine: it refuses a number of nodes other than that of this machine.
func (v *Service) compareMachine(r *request) (any, error) {
	var m external.Machine
	if err := r.Read("machine", `an object, such as {"nodes":64}`, &m); err != nil {
		return nil, err
	}
	if n := v.plan.Machine.Nodes(); m.Nodes != n {
		return nil, fmt.Errorf("the machine has %d nodes, and this one %d: give --machine what fits, "+
			"such as mesh:8x8", m.Nodes, n)
	}
	return struct{}{}, nil
}

// chooseFree answers free: the nodes of a job if exactly those of the request were free.
func (v *Service) chooseFree(r *request) (any, error) {
	var list []topology.Node
	if err := r.Read("free", "a list of nodes, such as [0,1,5]", &list); err != nil {
		return nil, err
	}
	free := allocation.NewFreeSet(v.plan.Machine.Nodes())
	free.Take(free.AppendTo(nil))
	for i, n := range list {
		if n < 0 || int(n) >= free.Nodes() || free.Free(n) {
			return nil, fmt.Errorf("free has node %d: give nodes of 0 to %d, each once", n, free.Nodes()-1)
		}
		free.Release(list[i : i+1])
	}
	_, answer, err := v.placeJob(r, free)
	if err == nil {
		v.recordEvent(r)
	}
	return answer, err
}

// allocate answers allocate: a job gets nodes and keeps them.
func (v *Service) allocate(r *request) (any, error) {
	s := v.state
	name, err := r.jobName()
	if err != nil {
		return nil, err
	}
	if _, held := s.granted[name]; held || s.jobs[name] != nil {
		return nil, fmt.Errorf("the job %s has its nodes already: end it, or give another name", name)
	}
	g, answer, err := v.placeJob(r, s.free)
	if err != nil {
		return nil, err
	}
	v.recordEvent(r)
	if g.nodes != nil {
		s.free.Take(g.nodes)
		s.granted[name] = g
	}
	return answer, nil
}

// placeJob lets the allocator choose nodes, none if the job has to wait, and returns the answer.
func (v *Service) placeJob(r *request, free *allocation.FreeSet,
) (g grant, a external.Placement, err error) {
	alloc := v.state.allocator
	if alloc == nil {
		return g, a, errors.New("this machine has no allocator: start contend network with --allocator " +
			"NAME")
	}
	var req allocation.Request
	err = cmp.Or(r.Read("size", "a number of nodes", &req.Size),
		r.Read("shape", "a list of sides, such as [2,2]", &req.Shape))
	if err != nil {
		return g, a, err
	}
	if err = alloc.Check(req); err != nil {
		return g, a, fmt.Errorf("the job %w", err)
	}
	nodes, placed := alloc.Allocate(nil, free, req)
	if !placed {
		a.Refused = fmt.Sprintf("asks for %s; %d are free", input.Plural(req.Size, "node"), free.Count())
		if req.Size <= free.Count() {
			a.Refused += ", but not where the allocator could use them"
		}
		return g, a, nil
	}
	if err := free.CheckGrant(nodes, req.Size); err != nil {
		return g, a, fmt.Errorf("the allocator broke its contract: %w", err)
	}
	return grant{nodes, req.Size}, external.Placement{Nodes: nodes[:req.Size],
		Reserved: nodes[req.Size:], Measures: v.meter.Named(nodes, req.Size)}, nil
}
