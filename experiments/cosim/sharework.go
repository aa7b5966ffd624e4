package cosim

import (
	"errors"
	"fmt"
	"math"

	"contend/experiments/spec"
	"contend/patterns"
	"contend/scheduler"
)

// shareTimes gives every job of a log messages and computing times. A job that has the machine to
// itself and is placed contiguously then takes its run time, and communicates for a share of it.
// Pascual et al. (JSSPP 2009, sec. 7) had planned this simulation, "in which the actual
// interchanges of messages are considered".
//
// A job does whole iterations of its pattern. Their number comes nearest to the share, within the
// run time. The processes compute for the rest of the run time, for equal times before each
// phase. A pattern with a code has no phases, so its processes compute before each iteration.
// They then begin an iteration as far apart as they ended the last one, and the times add up.
// Jobs that run for less than an iteration only compute. So do jobs whose number of processes the
// pattern does not support.
func shareTimes(
	jobs []scheduler.Job, w *Work, plan *spec.Plan, a *alone, cyclesPerSecond float64,
) error {
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
		w.shared = fmt.Sprintf("%s = %g: at %g cycles a second, jobs of several processors "+
			"that have the machine to themselves communicate in %.3f of their processor time; "+
			"%d of these %d jobs only compute",
			spec.FieldShare, plan.Job.Share, cyclesPerSecond, communicated/total, silent+misfits, parallel)
		if misfits > 0 {
			w.shared += fmt.Sprintf(", %d because %s does not run on so many processes",
				misfits, plan.Job.Mixed)
		}
	}
	return nil
}

// splitTime sets the quota and the computing times of a job with a run time in cycles, and returns
// its number of iterations. An iteration takes cycles and has messages and phases.
func splitTime(
	j *scheduler.Job, run scheduler.Cycle, share, cycles float64, messages, phases int64,
) int64 {
	times := int64(min(math.Round(share*float64(run)/cycles), math.Floor(float64(run)/cycles)))
	times = min(times, mostMessages/messages)
	j.Quota, j.Lead, j.Compute = times*messages, max(1, run), 0
	if times == 0 {
		return 0
	}
	rest := run - scheduler.Cycle(math.Round(float64(times)*cycles))
	j.Compute = rest / scheduler.Cycle(times*phases)
	j.Lead = rest - j.Compute*scheduler.Cycle(times*phases-1)
	return times
}

// phasesOf returns the number of phases of an iteration between which the processes of a job can
// compute. It is 1 for a pattern with a code, and 0 for a pattern that does not support the size
// of the job.
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
