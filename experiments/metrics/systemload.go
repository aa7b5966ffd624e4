package metrics

import (
	"math"

	"contend/scheduler"
)

// systemLoad is the ratio of the mean service time to the mean time between submissions (Lo et al.
// 1994, sec. 4.1), for jobs that do not disturb each other.
type systemLoad struct {
	aloneRatio  float64 // see Setup.AloneRatio
	undisturbed Mean    // in cycles
}

// ratio returns service_load, NaN if the service time is unknown or jobs are submitted at one time.
func (l *systemLoad) ratio(t *scheduler.Totals) float64 {
	span := float64(t.LastSubmit - t.FirstSubmit)
	if l.aloneRatio == 0 || span == 0 {
		return math.NaN()
	}
	between := span / float64(t.Jobs-1)
	return l.aloneRatio * l.undisturbed.Value() / between
}
