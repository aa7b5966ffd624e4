package cosim

import (
	"fmt"
	"math"

	"contend/experiments/spec"
	"contend/internal/decimal"
	"contend/patterns"
	"contend/scheduler"
)

// mostIterationCycles is the longest time of an iteration. Package patterns refuses longer
// computations.
const mostIterationCycles = 1 << 48

// iterationTimes gives every job of a log messages and computing times, such that an iteration of a
// job that has the machine to itself takes the time of job.iteration, and the job its run time.
//
// The processes compute for what the messages leave of the time. As in shareTimes they compute for
// equal times before each phase, or between iterations if the pattern has a code. The time is a
// whole number of cycles, so an iteration with many phases can be off by half a cycle for each. The
// number of iterations follows from the time that an iteration really takes, so this does not add
// up. Jobs that run for less than an iteration only compute, and so do jobs whose number of
// processes the pattern does not support.
func iterationTimes(
	jobs []scheduler.Job, w *Work, plan *spec.Plan, a *alone, cyclesPerSecond float64,
) error {
	goal := plan.Job.Iteration * cyclesPerSecond
	if err := checkIteration(plan.Job.Iteration, goal, cyclesPerSecond); err != nil {
		return err
	}
	clock := scheduler.Clock{CyclesPerSecond: cyclesPerSecond}
	kinds := map[jobKind]*paced{}
	var sum iterationSums
	for i := range jobs {
		j := &jobs[i]
		p := w.patterns[j.Pattern]
		kind := kindOf(j, p)
		k := kinds[kind]
		if k == nil {
			var err error
			if k, err = a.pace(j, p, goal); err != nil {
				return err
			}
			kinds[kind] = k
		}
		if k.messages == 0 && !k.misfit {
			continue // it runs for its run time as it is
		}
		times, ok := k.fill(j, clock.Cycles(j.RunTime))
		if !ok {
			return spec.FieldIteration.Bad("", "job %d would send more than 2^62 messages", j.ID)
		}
		sum.add(j, k, times, cyclesPerSecond)
	}
	w.shared = sum.note(plan, cyclesPerSecond)
	return nil
}

// checkIteration refuses times that are no number of cycles.
func checkIteration(seconds, cycles, cyclesPerSecond float64) error {
	rate := cyclesText(scheduler.Clock{CyclesPerSecond: cyclesPerSecond})
	switch {
	case cycles < 1:
		return spec.FieldIteration.Bad(fmt.Sprintf("give %s, such as 1e9", spec.FieldCyclesPerSecond),
			"%s is %g, less than a cycle at %s", spec.FieldIteration, seconds, rate)
	case cycles > mostIterationCycles:
		return spec.FieldIteration.Bad("take at most 2^48 cycles", "%s is %g, %.3g cycles at %s",
			spec.FieldIteration, seconds, cycles, rate)
	}
	return nil
}

// jobKind identifies jobs whose iterations are the same.
type jobKind struct {
	pattern, size int
	shape         string // "" if the pattern takes none
}

func kindOf(j *scheduler.Job, p patterns.Config) jobKind {
	k := jobKind{pattern: j.Pattern, size: j.Size}
	if spec.TakesShapes(p) {
		k.shape = fmt.Sprint(j.Shape)
	}
	return k
}

// paced is a kind of job whose processes compute between messages.
type paced struct {
	misfit   bool  // the pattern does not support the size
	messages int64 // of an iteration
	// silent is the time in cycles of an iteration in which nobody computes.
	silent  float64
	compute scheduler.Cycle // before each phase, or between iterations
	// first and further are the times in cycles of the first and of all other iterations. The
	// first begins with messages, the others with a computation.
	first, further float64
	long           bool // messages alone take longer than the iteration should
}

// pace finds the computing time with which an iteration of a job alone takes goal cycles.
func (a *alone) pace(j *scheduler.Job, p patterns.Config, goal float64) (*paced, error) {
	phases, err := phasesOf(p, j)
	if err != nil || phases == 0 {
		return &paced{misfit: true}, err
	}
	k := &paced{}
	if k.messages, err = patterns.MessagesPerIteration(p, j.Size, j.Shape); err != nil {
		return nil, spec.FieldPattern.Bad("", "job %d: %v", j.ID, err)
	}
	if k.messages == 0 {
		return k, nil
	}
	if k.first, k.further, err = a.period(j, p, 0); err != nil {
		return nil, err
	}
	k.silent = k.further
	k.long = k.silent > goal
	k.compute = scheduler.Cycle(math.Round(max(0, goal-k.silent) / float64(phases)))
	if k.compute > 0 {
		k.first, k.further, err = a.period(j, p, k.compute)
	}
	return k, err
}

// fill gives a job as many iterations as its run time has room for, and returns their number. The
// rest of the time the processes compute before the first. It reports false if the messages are too
// many to count.
func (k *paced) fill(j *scheduler.Job, run scheduler.Cycle) (times int64, ok bool) {
	j.Quota, j.Lead, j.Compute = 0, max(1, run), 0
	if k.misfit {
		return 0, true
	}
	if times = int64(float64(run) / k.further); times == 0 {
		return 0, true
	}
	if times > mostMessages/k.messages {
		return 0, false
	}
	busy := scheduler.Cycle(math.Round(k.first + float64(times-1)*k.further))
	j.Quota, j.Compute, j.Lead = times*k.messages, k.compute, max(0, run-busy)
	return times, true
}

// iterationSums are what the note on iterations says.
type iterationSums struct {
	jobs, silent, misfits, long int
	work, communicated          float64 // processors times seconds
	least, most                 int64   // iterations of the jobs that communicate
}

func (s *iterationSums) add(j *scheduler.Job, k *paced, times int64, cyclesPerSecond float64) {
	s.jobs++
	s.work += float64(j.Size) * j.RunTime
	switch {
	case k.misfit:
		s.misfits++
	case times == 0:
		s.silent++
	default:
		if k.long {
			s.long++
		}
		s.communicated += float64(j.Size) * float64(times) * k.silent / cyclesPerSecond
		if s.most == 0 || times < s.least {
			s.least = times
		}
		s.most = max(s.most, times)
	}
}

// note returns the sentence for the user, or "" if no job communicates or computes.
func (s *iterationSums) note(plan *spec.Plan, cyclesPerSecond float64) string {
	if s.work == 0 {
		return ""
	}
	text := fmt.Sprintf("%s = %g: at %s, jobs of several processors that have the machine to "+
		"themselves communicate in %s of their processor time, in %d to %d iterations; %d of these "+
		"%d jobs only compute", spec.FieldIteration, plan.Job.Iteration,
		cyclesText(scheduler.Clock{CyclesPerSecond: cyclesPerSecond}),
		decimal.Significant(s.communicated/s.work, 3), s.least, s.most, s.silent+s.misfits, s.jobs)
	if s.misfits > 0 {
		text += fmt.Sprintf(", %d because %s does not run on so many processes", s.misfits,
			plan.Job.Mixed)
	}
	if s.long > 0 {
		text += fmt.Sprintf("; the messages of an iteration take longer than %g s in %d of them, so "+
			"their iterations are as long as the messages", plan.Job.Iteration, s.long)
	}
	return text
}
