package metrics

import "contend/scheduler"

// systemLoad is the ratio of the mean service time to the mean time between submissions (Lo et al.
// 1994, sec. 4.1), for jobs that do not disturb each other.
type systemLoad struct {
	aloneRatio  float64 // see Setup.AloneRatio
	undisturbed Mean    // in cycles
}

// metric adds service_load, unless the service time is unknown or jobs are submitted at one time.
func (l *systemLoad) metric(add func(string, float64), t *scheduler.Totals) {
	span := float64(t.LastSubmit - t.FirstSubmit)
	if l.aloneRatio == 0 || span == 0 {
		return
	}
	between := span / float64(t.Jobs-1)
	add("service_load", l.aloneRatio*l.undisturbed.Value()/between)
}
