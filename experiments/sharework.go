package experiments

import (
	"fmt"
	"math"

	"contend/patterns"
	"contend/scheduler"
)

// shareTimes gives every job of a log messages and times to compute such that
// it takes its run time when it has the machine to itself, contiguously placed,
// and communicates a share of it: the simulation Pascual et al. (JSSPP 2009,
// sec. 7) had planned, "in which the actual interchanges of messages are
// considered".
//
// A job does whole iterations of its pattern, as many as come nearest to its
// share and take no longer than it runs. What is left of its run time its
// processes compute, before each phase equally long. A job that runs for less
// than an iteration only computes.
func (s *Simulator) shareTimes(jobs []scheduler.Job, w *work, spec *Spec, machine Machine, cyclesPerSecond float64) error {
	clock := scheduler.Clock{CyclesPerSecond: cyclesPerSecond}
	var total, communicated float64
	parallel, silent := 0, 0
	for i := range jobs {
		j := &jobs[i]
		cycles, messages, err := s.alone(j, w, spec, machine)
		if err != nil {
			return err
		}
		if messages == 0 {
			continue // it runs for its run time as it is
		}
		phases, err := phasesOf(w.patterns[j.Pattern], j)
		if err != nil {
			return err
		}
		times := splitTime(j, clock.Cycles(j.RunTime), spec.Job.Share, cycles, messages, int64(phases))
		parallel++
		if times == 0 {
			silent++
		}
		total += float64(j.Size) * j.RunTime
		communicated += float64(j.Size) * float64(times) * cycles / cyclesPerSecond
	}
	if total > 0 {
		w.shared = fmt.Sprintf("job.communication_share = %g: at %g cycles a second, jobs of several processors that have the machine to themselves communicate in %.3f of their processor time; %d of these %d jobs only compute",
			spec.Job.Share, cyclesPerSecond, communicated/total, silent, parallel)
	}
	return nil
}

// splitTime sets quota and computing times of a job that takes so many cycles,
// and returns how many iterations it does, each of which takes cycles and has
// messages and phases.
func splitTime(j *scheduler.Job, run scheduler.Cycle, share, cycles float64, messages, phases int64) int64 {
	times := int64(min(math.Round(share*float64(run)/cycles), math.Floor(float64(run)/cycles)))
	j.Quota, j.Lead, j.Compute = times*messages, max(1, run), 0
	if times == 0 {
		return 0
	}
	rest := run - scheduler.Cycle(math.Round(float64(times)*cycles))
	j.Compute = rest / scheduler.Cycle(times*phases)
	j.Lead = rest - j.Compute*scheduler.Cycle(times*phases-1)
	return times
}

// phasesOf returns how many phases an iteration of a job's pattern has.
func phasesOf(c patterns.Config, j *scheduler.Job) (int, error) {
	if patterns.OwnSizes(c.Name) {
		return 0, badInput("job.pattern", "take one of phases, such as all-to-all, n-body or near-neighbour", "the processes of %s are not in phases, between which they could compute", c.Name)
	}
	p, err := patterns.NewPattern(c, j.Size, j.Shape, nil)
	if err != nil {
		return 0, badInput("job.pattern", "", "job %d: %v", j.ID, err)
	}
	return p.Phases(), nil
}
