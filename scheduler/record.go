package scheduler

import (
	"math/bits"

	"contend/netsim/topology"
)

// Record is what became of one job. It is valid during the call that hands it
// over; copy what is to be kept.
type Record struct {
	Job *Job
	// Submit, Start and End are in cycles.
	Submit, Start, End Cycle
	// Nodes are those the job used, rank i on Nodes[i].
	Nodes []topology.Node
	// Granted are all nodes it was given: Nodes, and then those that were only
	// reserved with them (internal fragmentation).
	Granted []topology.Node
	// Killed tells that the job was ended before it had finished.
	Killed bool
}

// Wait returns the time from submission to start.
func (r *Record) Wait() Cycle { return r.Start - r.Submit }

// Service returns the time from start to end.
func (r *Record) Service() Cycle { return r.End - r.Start }

// Response returns the time from submission to end.
func (r *Record) Response() Cycle { return r.End - r.Submit }

// BoundedSlowdown returns the response time over the time the job takes when
// nobody disturbs it, the latter not below a threshold, and at least 1
// (Feitelson et al., JSSPP 1997, sec. 3).
func (r *Record) BoundedSlowdown(undisturbed, threshold Cycle) float64 {
	return max(1, float64(r.Response())/float64(max(undisturbed, threshold, 1)))
}

// Totals add up a simulation, exactly.
type Totals struct {
	// Jobs is the number of jobs that ended; Killed of them were killed.
	Jobs, Killed int
	// Nodes is the number of nodes of the machine that could be used.
	Nodes int
	// FirstSubmit and LastSubmit are of the first and last job, Finish is
	// the end of the last one to end.
	FirstSubmit, LastSubmit, Finish Cycle
	// Used and Reserved add up nodes times cycles.
	Used, Reserved NodeCycles
	// LongestQueue is the greatest number of jobs left waiting after the
	// policy had started what it could.
	LongestQueue int
}

// Utilization returns the share of the machine in use from time zero to the
// finish.
func (t *Totals) Utilization() float64 {
	if t.Finish == 0 {
		return 0
	}
	return t.Used.Float64() / (float64(t.Nodes) * float64(t.Finish))
}

// InternalFragmentation returns the share of reserved node-cycles not used.
func (t *Totals) InternalFragmentation() float64 {
	if t.Reserved == (NodeCycles{}) {
		return 0
	}
	return 1 - t.Used.Float64()/t.Reserved.Float64()
}

func (t *Totals) add(r *Record) {
	t.Jobs++
	if r.Killed {
		t.Killed++
	}
	t.Finish = max(t.Finish, r.End)
	t.Used.add(len(r.Nodes), r.Service())
	t.Reserved.add(len(r.Granted), r.Service())
}

// NodeCycles is a sum of nodes times cycles, in 128 bits: years of a large
// machine in nanoseconds do not fit 64.
type NodeCycles struct {
	hi, lo uint64
}

func (c *NodeCycles) add(nodes int, cycles Cycle) {
	hi, lo := bits.Mul64(uint64(nodes), uint64(cycles))
	var carry uint64
	c.lo, carry = bits.Add64(c.lo, lo, 0)
	c.hi, _ = bits.Add64(c.hi, hi, carry)
}

// Float64 returns the sum, rounded once where it is below 2^64.
func (c NodeCycles) Float64() float64 {
	if c.hi == 0 {
		return float64(c.lo)
	}
	return float64(c.hi)*(1<<64) + float64(c.lo)
}
