package scheduler

import "math"

// SubmittedLoad returns the load that jobs submit to a machine of P processors:
//
//	load = sum over all jobs of size·runtime / (P·(last - first submission))
//
// The jobs are in order of submission. SubmittedLoad reports false if they span no time or if a
// run time is not known.
func SubmittedLoad(jobs []Job, processors int) (float64, bool) {
	if len(jobs) == 0 || processors < 1 {
		return 0, false
	}
	span := jobs[len(jobs)-1].Submit - jobs[0].Submit
	work := 0.0
	for i := range jobs {
		if jobs[i].Untimed {
			return 0, false
		}
		work += float64(float64(jobs[i].Size) * jobs[i].RunTime)
	}
	if !(span > 0) {
		return 0, false
	}
	return work / (float64(processors) * span), true
}

// Load returns the load of a log on a machine of P processors (Pascual, Navaridas,
// Miguel-Alonso, JSSPP 2009, sec. 4, Eq. 2):
//
//	load = sum over j in J of size·runtime / (P·(Tend - Tstart))
//
// Tstart is the last arrival among the first 1% of the jobs, rounded up to at least one
// job. J excludes these jobs and the jobs that end after the last arrival. Tend is the
// last end of a job in J. A job ends a wait and a run time after its submission. The
// wait comes from the log and is 0 if unknown.
//
// The jobs are in order of submission. Load reports false if J is empty or spans no
// time. If jobs are few, or arrive close together, J may exclude the larger part of the work,
// which SubmittedLoad counts.
func Load(jobs []Job, processors int) (float64, bool) {
	if len(jobs) == 0 || processors < 1 {
		return 0, false
	}
	warm := (len(jobs) + 99) / 100
	start, last := jobs[warm-1].Submit, jobs[len(jobs)-1].Submit
	work, end := 0.0, math.Inf(-1)
	for i := range jobs[warm:] {
		j := &jobs[warm+i]
		if j.Untimed {
			return 0, false
		}
		ends := j.Submit + loggedWait(j) + j.RunTime
		if ends > last {
			continue
		}
		work += float64(j.Size) * j.RunTime // exact: whole numbers, far below 2^53
		end = max(end, ends)
	}
	if !(end > start) {
		return 0, false
	}
	return work / (float64(processors) * (end - start)), true
}

// loggedWait returns the wait time in the job's log, or 0 if unknown.
func loggedWait(j *Job) float64 {
	if j.SWF == nil {
		return 0
	}
	return max(0, j.SWF[swfWait])
}
