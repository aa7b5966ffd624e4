package scheduler

import "math"

// loadTolerance is the relative error of the load that ScaleToLoad accepts: late submit times have
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
