package cosim

import (
	"errors"
	"fmt"
	"math"

	"contend/experiments/spec"
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
// processes compute, before each phase equally long; those of a pattern with a
// code, which knows no phases, before each iteration, so that all begin it as
// far apart as they ended the last one and the times add up. Only compute do
// jobs that run for less than an iteration, and those of so many processes that
// the pattern is none for them.
func shareTimes(jobs []scheduler.Job, w *Work, plan *spec.Plan, a *alone, cyclesPerSecond float64) error {
	clock := scheduler.Clock{CyclesPerSecond: cyclesPerSecond}
	var total, communicated float64
	parallel, silent, misfits := 0, 0, 0
	for i := range jobs {
		j := &jobs[i]
		phases, err := phasesOf(w.patterns[j.Pattern], j)
		if phases == 0 && err == nil {
			j.Quota, j.Lead = 0, max(1, clock.Cycles(j.RunTime))
			parallel++
			misfits++
			total += float64(j.Size) * j.RunTime
			continue
		}
		if err != nil {
			return err
		}
		cycles, messages, err := a.iteration(j, w.patterns[j.Pattern])
		if err != nil {
			return err
		}
		if messages == 0 {
			continue // it runs for its run time as it is
		}
		times := splitTime(j, clock.Cycles(j.RunTime), plan.Job.Share, cycles, messages, int64(phases))
		parallel++
		if times == 0 {
			silent++
		}
		total += float64(j.Size) * j.RunTime
		communicated += float64(j.Size) * float64(times) * cycles / cyclesPerSecond
	}
	if total > 0 {
		w.shared = fmt.Sprintf("%s = %g: at %g cycles a second, jobs of several processors that have the machine to themselves communicate in %.3f of their processor time; %d of these %d jobs only compute",
			spec.FieldShare, plan.Job.Share, cyclesPerSecond, communicated/total, silent+misfits, parallel)
		if misfits > 0 {
			w.shared += fmt.Sprintf(", %d because %s does not run on so many processes", misfits, plan.Job.Mixed)
		}
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

// phasesOf returns between how many phases of an iteration a job's processes can
// compute: one where its pattern has a code, none where it is not one for so
// many processes.
func phasesOf(c patterns.Config, j *scheduler.Job) (int, error) {
	phases := 1
	var err error
	if patterns.OwnSizes(c.Name) {
		_, err = patterns.NewCode(c, j.Size)
	} else {
		var p patterns.Pattern
		if p, err = patterns.NewPattern(c, j.Size, j.Shape, nil); err == nil {
			phases = p.Phases()
		}
	}
	var size *patterns.SizeError
	switch {
	case errors.As(err, &size):
		return 0, nil
	case err != nil:
		return 0, spec.FieldPattern.Bad("", "job %d: %v", j.ID, err)
	}
	return max(1, phases), nil
}
