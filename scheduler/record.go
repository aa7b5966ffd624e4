package scheduler

import (
	"math/bits"

	"contend/router/topology"
)

// Record describes a job that has ended. It is valid only during the call that passes
// it; callers copy what they keep.
type Record struct {
	// Job is the job as submitted.
	Job *Job
	// Number is the place of the job in order of submission, from 1.
	Number int64
	// Submit, Start and End are points in time, in cycles, with Submit <= Start <= End. Of a job that
	// failures have killed they are the first submission, the last start and the last end.
	Submit, Start, End Cycle
	// Queued is when the job began to wait for this run: Submit, unless a failure has killed it.
	Queued Cycle
	// Nodes are the nodes that the job used, rank i on Nodes[i].
	Nodes []topology.Node
	// Allocated are all nodes allocated to the job: Nodes, followed by the nodes only
	// reserved with them (internal fragmentation).
	Allocated []topology.Node
	// Restarts is how often failures have killed the job before and it began anew.
	Restarts int
	// Killed reports that the job was ended before it had finished.
	Killed bool
	// Lost reports that a failure has killed the job once more than Sim.MaxRestarts.
	Lost bool
}

// Wait returns the time from submission to start.
func (r *Record) Wait() Cycle { return r.Start - r.Submit }

// Service returns the time from start to end.
func (r *Record) Service() Cycle { return r.End - r.Start }

// Response returns the time from submission to end.
func (r *Record) Response() Cycle { return r.End - r.Submit }

// BoundedSlowdown returns the response time divided by the undisturbed run time, with
// the divisor at least threshold and the result at least 1 (Feitelson et al., JSSPP
// 1997, sec. 3).
func (r *Record) BoundedSlowdown(undisturbed, threshold Cycle) float64 {
	return max(1, float64(r.Response())/float64(max(undisturbed, threshold, 1)))
}

// Totals are the exact sums over a simulation.
type Totals struct {
	// Jobs is the number of jobs that ended. Killed is the number of those that were killed. Requeued
	// is how often failures ended runs of jobs, which then queued again. LostJobs is the number of
	// jobs that did not, which are none of Jobs.
	Jobs, Killed, Requeued, LostJobs int
	// Nodes is the number of usable nodes of the machine.
	Nodes int
	// FirstSubmit and LastSubmit are the submit times of the first and last job, and
	// Finish is the latest end of a job, lost ones included, all in cycles.
	FirstSubmit, LastSubmit, Finish Cycle
	// Used and Reserved are sums of nodes times cycles: over the nodes in use, and over
	// all allocated nodes.
	Used, Reserved NodeCycles
	// Lost is the same sum over the nodes in use of runs that failures ended, which Used and Reserved
	// leave out. Down is that over the nodes that had failed, up to Finish.
	Lost, Down NodeCycles
	// LongestQueue is the maximum number of jobs that waited after the policy had run.
	LongestQueue int
}

// Utilization returns the share of the machine in use from time zero to the finish,
// from 0 to 1. Nodes that have failed are part of the machine.
func (t *Totals) Utilization() float64 {
	if t.Finish == 0 {
		return 0
	}
	return t.Used.Float64() / (float64(t.Nodes) * float64(t.Finish))
}

// Availability returns the share of the machine that had not failed from time zero to the finish,
// from 0 to 1.
func (t *Totals) Availability() float64 {
	if t.Finish == 0 {
		return 1
	}
	return 1 - t.Down.Float64()/(float64(t.Nodes)*float64(t.Finish))
}

// InternalFragmentation returns the share of allocated node-cycles that were not used,
// from 0 to 1.
func (t *Totals) InternalFragmentation() float64 {
	if t.Reserved == (NodeCycles{}) {
		return 0
	}
	return 1 - t.Used.Float64()/t.Reserved.Float64()
}

// add adds a job that has ended.
func (t *Totals) add(r *Record) {
	t.Finish = max(t.Finish, r.End)
	if r.Lost {
		t.LostJobs++
		return
	}
	t.Jobs++
	if r.Killed {
		t.Killed++
	}
	t.Used.add(len(r.Nodes), r.Service())
	t.Reserved.add(len(r.Allocated), r.Service())
}

// NodeCycles is a sum of nodes times cycles in 128 bits. Years of a large machine in
// nanoseconds do not fit 64 bits.
type NodeCycles struct {
	hi, lo uint64
}

// add adds a product.
func (c *NodeCycles) add(nodes int, cycles Cycle) {
	hi, lo := bits.Mul64(uint64(nodes), uint64(cycles))
	var carry uint64
	c.lo, carry = bits.Add64(c.lo, lo, 0)
	c.hi, _ = bits.Add64(c.hi, hi, carry)
}

// Float64 returns the sum, with a single rounding if it is below 2^64.
func (c NodeCycles) Float64() float64 {
	if c.hi == 0 {
		return float64(c.lo)
	}
	return float64(c.hi)*(1<<64) + float64(c.lo)
}
