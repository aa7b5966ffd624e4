package spec

import (
	"slices"

	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/patterns"
)

// CheckRuns tests [runs]. Like Check it names the key to change.
func (s *Settings) CheckRuns() *input.Error {
	if s.Runs.MaxReplications != 0 && s.Runs.MaxReplications < s.Runs.Replications {
		return input.Bad("runs.max_replications", "it must not be below runs.replications",
			"runs.max_replications is %d with runs.replications %d",
			s.Runs.MaxReplications, s.Runs.Replications)
	}
	return nil
}

// Check returns an input.Error for a spec whose keys contradict each other.
func (s *Spec) Check() *input.Error {
	for _, err := range []*input.Error{s.CheckMachine(), s.Network.Check(),
		s.Workload.check(&s.Machine), s.Job.check(), s.checkShare(), s.checkRules(), s.checkBenchmarks(),
		s.Scheduler.check(&s.Job),
		s.CheckAllocator(), s.checkTogether(), s.checkTraffic(), s.checkChannels(), s.checkCycle()} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (n *NetworkSpec) Check() *input.Error {
	if n.Switching != "wormhole" && n.BufferFlits < n.PacketFlits {
		return input.Bad("network.buffer_flits", "a buffer must hold a whole packet",
			"network.buffer_flits is %d with %s switching and packets of %d flits",
			n.BufferFlits, n.Switching, n.PacketFlits)
	}
	return nil
}

func (w *WorkloadSpec) check(m *machine.Spec) *input.Error {
	dims := m.Sides()
	switch {
	case w.Source == "synthetic" && w.Side.Max != 0 && w.Side.Min > w.Side.Max:
		return input.Bad("workload.side.min", "it must not be above workload.side.max",
			"workload.side.min is %d with workload.side.max %d", w.Side.Min, w.Side.Max)
	case w.Source == "synthetic" && m.Topology != "tree" && w.Side.Max == 0 && len(dims) > 1 &&
		w.Side.Min > dims[0]:
		return input.Bad("workload.side.min", "it must not be above the machine's side",
			"workload.side.min is %d on a machine of side %d", w.Side.Min, dims[0])
	}
	return nil
}

func (j *JobSpec) check() *input.Error {
	if j.Run != "messages" {
		return nil
	}
	q := j.Quota
	if q.Iterations == 0 && q.Benchmarks == 0 && q.Messages == 0 && q.PerSecond == 0 {
		return input.Bad("job.quota.iterations", "give one of job.quota.iterations, .benchmarks, "+
			".messages and .per_second above 0", "a job's quota is 0 messages")
	}
	return nil
}

// checkShare refuses computing times beside a share of communication, which
// says how long processes compute.
func (s *Spec) checkShare() *input.Error {
	if j := &s.Job; j.Share != 1 && j.Iteration != 0 {
		return input.Bad("job.communication_share", "leave one of them out",
			"job.communication_share is %v with job.iteration %v, "+
				"and both say how long processes compute", j.Share, j.Iteration)
	}
	if j := &s.Job; j.Share != 1 && j.ComputeCycles != 0 {
		return input.Bad("job.compute_cycles", "leave it out", "job.compute_cycles is %d with "+
			"job.communication_share %v, which says how long processes compute", j.ComputeCycles, j.Share)
	}
	return nil
}

// checkBenchmarks refuses full runs of patterns that are no benchmarks.
func (s *Spec) checkBenchmarks() *input.Error {
	if s.Job.Quota.Benchmarks == 0 {
		return nil
	}
	for _, m := range s.sent() {
		if _, ok := patterns.Iterations(m.Name, "A"); !ok {
			return input.Bad("job.quota.benchmarks", "use job.quota.iterations, or NAS benchmarks only",
				"job.quota.benchmarks is %v, and %s is no NAS benchmark", s.Job.Quota.Benchmarks, m.Label())
		}
	}
	return nil
}

// contiguousAllocators keep the processors of a job together and let the job wait if
// they cannot.
var contiguousAllocators = []string{"contiguous", "quasi-contiguous", "first-fit", "best-fit",
	"frame-sliding", "buddy2d"}

// Speedup is the share of their run times by which jobs of several processors
// are faster: "we cannot assume any acceleration with non-contiguous
// allocation" (pascual2009 sec. 6).
func (s *Spec) Speedup() float64 {
	if !slices.Contains(contiguousAllocators, s.Allocator.Name) {
		return 0
	}
	return s.Job.AssumedSpeedup / 100
}

// check refuses to kill jobs that have messages in the network.
func (p *SchedulerSpec) check(j *JobSpec) *input.Error {
	if p.OnOverrun == "kill" && j.Run == "messages" {
		return input.Bad("scheduler.on_overrun", "use job.run = fixed, or extend",
			"scheduler.on_overrun is kill with job.run = messages, but messages in the network "+
				"cannot be withdrawn")
	}
	return nil
}

// Kills tells whether jobs can be killed.
func (p *SchedulerSpec) Kills() bool { return p.KillAtReservation || p.OnOverrun == "kill" }
