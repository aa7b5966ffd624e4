package sim

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"contend/allocation"
	"contend/allocation/mapping"
	"contend/experiments/config"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// mappingExecutor is an executor that places the processes of a job on the nodes of the job by
// job.mapping. The scheduler and the metrics see the nodes in the order of the allocation.
type mappingExecutor struct {
	scheduler.Executor
	name     string // of the mapping
	machine  topology.Topology
	patterns []patterns.Config           // by Job.Pattern
	rows     *allocation.Rows            // distances of nodes, for mappings by traffic
	rank     []int32                     // of each node in the order of the mapping, if it has one
	traffic  map[jobKind]mapping.Traffic // of kinds of jobs that draw nothing
	err      error                       // of the first job that could not be mapped
}

// mappingStream is the stream of the draws of a mapping.
const mappingStream = 1

// newMappingExecutor returns an executor that maps the processes of a plan's jobs and hands the
// jobs to x. It returns x where processes stay in the order of the allocation.
func (s *Simulator) newMappingExecutor(
	plan *config.Plan, w *Work, x scheduler.Executor,
) (scheduler.Executor, error) {
	m := &mappingExecutor{Executor: x, name: plan.Job.Mapping, machine: plan.Machine,
		patterns: w.patterns, traffic: map[jobKind]mapping.Traffic{}}
	switch {
	case m.name == mapping.Allocated:
		return x, nil
	case mapping.ByTraffic(m.name):
		site := s.sharedSite(plan, nil)
		var err error
		if m.rows, err = site.Rows(); err != nil {
			return nil, config.FieldMapping.Bad("", "%s is %s: %v", config.FieldMapping, m.name, err)
		}
	case mapping.Along(m.name):
		order, err := s.Order(plan, m.name)
		if err != nil {
			return nil, config.FieldMapping.Bad("", "%s: %v", config.FieldMapping, err)
		}
		m.rank = make([]int32, len(order))
		for i, node := range order {
			m.rank[node] = int32(i)
		}
	}
	return m, nil
}

// check returns an error for a job that cannot be mapped.
func (m *mappingExecutor) check(j *scheduler.Job) error {
	if mapping.ByTraffic(m.name) && j.Size > patterns.MaxMatrix {
		return fmt.Errorf("%s is %s, and the job has %d processes: at most %d are mapped by traffic",
			config.FieldMapping, m.name, j.Size, patterns.MaxMatrix)
	}
	return nil
}

// Start implements scheduler.Executor.
func (m *mappingExecutor) Start(j *scheduler.Job, nodes []topology.Node) {
	nodes, err := m.place(j, nodes)
	m.err = cmp.Or(m.err, err)
	m.Executor.Start(j, nodes)
}

// place returns the nodes of a job in the order of its processes.
func (m *mappingExecutor) place(j *scheduler.Job, nodes []topology.Node) ([]topology.Node, error) {
	at, err := m.mapJob(j, nodes)
	if err != nil {
		return nodes, fmt.Errorf("job %d: %w", j.ID, err)
	}
	if at == nil {
		return nodes, nil
	}
	placed := make([]topology.Node, len(at))
	for i, k := range at {
		placed[i] = nodes[k]
	}
	return placed, nil
}

// Kill implements scheduler.Killer.
func (m *mappingExecutor) Kill(id scheduler.JobID) { m.Executor.(scheduler.Killer).Kill(id) }

// CanKill implements scheduler.Killer.
func (m *mappingExecutor) CanKill() bool {
	k, ok := m.Executor.(scheduler.Killer)
	return ok && k.CanKill()
}

// Advance implements scheduler.Executor.
func (m *mappingExecutor) Advance(
	until scheduler.Cycle, done []scheduler.JobID,
) (scheduler.Cycle, []scheduler.JobID, error) {
	if m.err != nil {
		return 0, done, m.err
	}
	return m.Executor.Advance(until, done)
}

// mapJob returns the index into nodes of each process, or nil if process i stays on node i.
func (m *mappingExecutor) mapJob(j *scheduler.Job, nodes []topology.Node) ([]int32, error) {
	if sendsNothing(j) {
		return nil, nil
	}
	switch {
	case m.name == mapping.Random:
		return mapping.Draw(nodes, rand.New(rand.NewPCG(j.Seed, mappingStream))), nil
	case mapping.Along(m.name):
		return mapping.Sort(nodes, m.rank), nil
	}
	traffic, err := m.trafficOf(j)
	if err != nil {
		return nil, err
	}
	places := mapping.NewPlaces(m.machine, m.rows, nodes)
	if m.name == mapping.Greedy {
		return places.Grow(traffic), nil
	}
	return places.Bisect(traffic), nil
}

// sendsNothing reports whether no process of a job sends to another one.
func sendsNothing(j *scheduler.Job) bool { return j.Size == 1 || j.Lead > 0 && j.Quota == 0 }

// trafficOf returns the bytes that the processes of a job send to each other in an iteration, the
// first one if iterations are drawn.
func (m *mappingExecutor) trafficOf(j *scheduler.Job) (mapping.Traffic, error) {
	p := m.patterns[j.Pattern]
	kind := kindOf(j, p)
	if t, known := m.traffic[kind]; known {
		return t, nil
	}
	matrix, err := patterns.NewMatrix(p, j.Size, j.Shape, rand.New(rand.NewPCG(j.Seed, 0)))
	if err != nil {
		return nil, err
	}
	t := mapping.NewTraffic(matrix.N, matrix.Bytes)
	if !p.Draws() {
		m.traffic[kind] = t
	}
	return t, nil
}
