package scheduler

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/stat"
)

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
// Tstart is the last arrival among the first 1% of the jobs, rounded up to at least one job. J
// excludes these first jobs and the jobs that end after the last arrival. Tend is the last end of a
// job in J. The end of a job is its submission plus its wait plus its run time. The wait comes from
// the log and is 0 if unknown.
//
// The jobs are in order of submission. Load reports false if J is empty or spans no time. If there
// are few jobs, or they arrive close together, J may exclude most of the work, which SubmittedLoad
// counts.
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

// loadTolerance is the relative error of the load that ScaleToLoad accepts: large submit times have
// few digits behind the point.
const loadTolerance = 0.01

// ScaleToLoad multiplies the times between submissions by one factor and returns the
// factor. With it SubmittedLoad returns the target on a machine of the given size. The
// first submission keeps its time. It is an error if the jobs have no load to scale, or if
// submit times cannot represent the scaled ones.
func ScaleToLoad(jobs []Job, processors int, target float64) (factor float64, err error) {
	load, ok := SubmittedLoad(jobs, processors)
	if !ok || !(load > 0) {
		return 0, badField("ScaleToLoad.target", "is %v: these %d jobs have no load, because they "+
			"have no run times or are all submitted at once", target, len(jobs))
	}
	factor = load / target
	first := jobs[0].Submit
	for i := range jobs {
		jobs[i].Submit = first + float64((jobs[i].Submit-first)*factor)
	}
	if got, _ := SubmittedLoad(jobs, processors); !(math.Abs(got/target-1) <= loadTolerance) {
		return 0, badField("ScaleToLoad.target", "is %v: no scaling of arrivals reaches it within "+
			"1%% from %.4g, the load of these %d jobs as logged: use more jobs or workload.load_scale",
			target, load, len(jobs))
	}
	return factor, nil
}

// TraceStats describes a workload, as `contend trace stats` prints it.
type TraceStats struct {
	// Jobs is the number of jobs.
	Jobs int
	// Processors is the size of the machine, or 0 if unknown.
	Processors int
	// First and Last are the first and last submit time, in seconds.
	First, Last float64
	// SubmittedLoad and Load are the results of the functions of these names, at least 0.
	SubmittedLoad, Load float64
	// LoadKnown is false if Load is not defined.
	LoadKnown bool
	// Work is the sum of size times run time, in processor-seconds.
	Work float64
	// Sizes counts jobs by size, in ascending order of sizes.
	Sizes []SizeCount
	// PowersOfTwo is the share of jobs whose size is a power of two, from 0 to 1.
	PowersOfTwo float64
	// MeanSize is the mean number of processors of a job.
	MeanSize float64
	// RunTime and Estimate are quantiles in seconds. Estimate covers the jobs that have
	// an estimate.
	RunTime, Estimate Quantiles
	// NoEstimate is the number of jobs without an estimate.
	NoEstimate int
	// InterarrivalMean is the mean time between arrivals in seconds. InterarrivalCV is
	// its standard deviation divided by the mean, or 0 if the mean is 0.
	InterarrivalMean, InterarrivalCV float64
}

// SizeCount is the number of jobs of one size.
type SizeCount struct {
	// Size is a number of processors, and Jobs the number of jobs of that size.
	Size, Jobs int
}

// Quantiles are the mean and order statistics of a sample. A quantile is the smallest
// value that at least the given share of the sample does not exceed.
type Quantiles struct {
	// The quantiles belong to the shares 0, 0.25, 0.5, 0.75, 0.9, 0.99 and 1. All values
	// are in the unit of the sample.
	Min, Q25, Median, Q75, Q90, Q99, Max, Mean float64
}

// NewTraceStats describes jobs, in order of submission, on a machine of the given size.
// The size is 0 if unknown.
func NewTraceStats(jobs []Job, processors int) TraceStats {
	t := TraceStats{Jobs: len(jobs), Processors: processors}
	if len(jobs) == 0 {
		return t
	}
	t.First, t.Last = jobs[0].Submit, jobs[len(jobs)-1].Submit
	t.SubmittedLoad, _ = SubmittedLoad(jobs, processors)
	t.Load, t.LoadKnown = Load(jobs, processors)
	runs, estimates := make([]float64, len(jobs)), make([]float64, 0, len(jobs))
	sizes, gaps := make([]int, len(jobs)), make([]float64, len(jobs)-1)
	powers, total := 0, 0
	for i := range jobs {
		j := &jobs[i]
		runs[i], sizes[i] = j.RunTime, j.Size
		if !j.NoEstimate {
			estimates = append(estimates, j.Estimate)
		}
		t.Work += float64(float64(j.Size) * j.RunTime)
		total += j.Size
		if bits.OnesCount(uint(j.Size)) == 1 {
			powers++
		}
		if i > 0 {
			gaps[i-1] = j.Submit - jobs[i-1].Submit
		}
	}
	t.PowersOfTwo = float64(powers) / float64(len(jobs))
	t.MeanSize = float64(total) / float64(len(jobs))
	t.Sizes = countSizes(sizes)
	t.RunTime, t.Estimate = quantiles(runs), quantiles(estimates)
	t.NoEstimate = len(jobs) - len(estimates)
	if len(gaps) > 0 {
		mean, deviation := stat.PopMeanStdDev(gaps, nil)
		if t.InterarrivalMean = mean; mean > 0 {
			t.InterarrivalCV = deviation / mean
		}
	}
	return t
}

// countSizes counts sizes, which it sorts.
func countSizes(sizes []int) []SizeCount {
	slices.Sort(sizes)
	var counts []SizeCount
	for _, s := range sizes {
		if n := len(counts); n == 0 || counts[n-1].Size != s {
			counts = append(counts, SizeCount{Size: s})
		}
		counts[len(counts)-1].Jobs++
	}
	return counts
}

// quantiles returns the quantiles of a sample, which it sorts.
func quantiles(x []float64) Quantiles {
	if len(x) == 0 {
		return Quantiles{}
	}
	slices.Sort(x)
	at := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, x, nil) }
	return Quantiles{Min: x[0], Q25: at(0.25), Median: at(0.5), Q75: at(0.75),
		Q90: at(0.9), Q99: at(0.99),
		Max: x[len(x)-1], Mean: stat.Mean(x, nil)}
}
