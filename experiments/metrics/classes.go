package metrics

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/scheduler"
)

// Classes of jobs have sizes from a power of two to the next: 1, 2 and 3, 4 to 7 processors,
// and so on. The last class has no upper end.
const (
	sizeClasses  = 18
	largestClass = 1 << (sizeClasses - 1) // the minimum size of the last class
)

// classMeasures are the metrics of a class. They have the names and units of the metrics of
// all jobs.
var classMeasures = []string{"jobs", "wait_time", "response_time", "service_time",
	"bounded_slowdown", "dilation", "groups_spanned", "mean_pairwise_distance"}

// classMetric returns the name of a metric of the class that begins at a size.
func classMetric(metric string, minSize int) string {
	return fmt.Sprintf("%s_size_%d", metric, minSize)
}

// ClassMetric is a metric of a class of jobs.
type ClassMetric struct {
	// Of is the metric of all jobs, which this one is of the jobs of the class.
	Of string
	// Min and Max are the sizes of the class in processors. Max is 0 without an end.
	Min, Max int
}

// ClassOf parses the name of a metric of a class of jobs. It reports false for any other metric.
func ClassOf(metric string) (ClassMetric, bool) {
	of, size, _ := strings.Cut(metric, "_size_")
	minSize, _ := strconv.Atoi(size)
	if !slices.Contains(classMeasures, of) || bits.OnesCount(uint(minSize)) != 1 ||
		minSize > largestClass || classMetric(of, minSize) != metric {
		return ClassMetric{}, false
	}
	c := ClassMetric{of, minSize, 2*minSize - 1}
	if minSize == largestClass {
		c.Max = 0
	}
	return c, true
}

// Jobs names the jobs of the class.
func (c ClassMetric) Jobs() string {
	switch c.Max {
	case 0:
		return fmt.Sprintf("jobs of %d nodes or more", c.Min)
	case 1:
		return "jobs of 1 node"
	}
	return fmt.Sprintf("jobs of %d to %d nodes", c.Min, c.Max)
}

// ForReaders returns the table of metrics for people: one row for all classes of sizes, one for
// each form of localityForms, and one for all metrics in the same real unit.
func ForReaders(infos []MetricInfo) (rows []MetricInfo) {
	real := map[string]bool{}
	for _, m := range unitInfos(infos) {
		real[m.Name] = true
	}
	for _, m := range infos {
		if row, ok := localityRow(m); ok {
			rows = append(rows, row...)
			continue
		}
		switch c, ok := ClassOf(m.Name); {
		case real[m.Name]:
		case !ok:
			rows = append(rows, m)
		case c.Min == 1 && c.Of == classMeasures[0]:
			rows = append(rows, MetricInfo{Name: "METRIC_size_N", Doc: fmt.Sprintf("with %s: METRIC of "+
				"the jobs with N to 2N-1 processors, N = 1, 2, 4 and so on to %d, which has no upper "+
				"end, of each METRIC of %s", config.FieldSizeClasses, largestClass,
				strings.Join(classMeasures[:], ", "))})
		}
	}
	return append(rows, realRows()...)
}

// classInfos returns the metrics of classes. Their units are those of the metrics of all jobs.
func classInfos(all []MetricInfo) (infos []MetricInfo) {
	for _, metric := range classMeasures {
		of := all[slices.IndexFunc(all, func(m MetricInfo) bool { return m.Name == metric })]
		for minSize := 1; minSize <= largestClass; minSize *= 2 {
			sizes := fmt.Sprintf("%d to %d", minSize, 2*minSize-1)
			if minSize == largestClass {
				sizes = strconv.Itoa(minSize) + " or more"
			}
			infos = append(infos, MetricInfo{classMetric(metric, minSize), of.Unit,
				fmt.Sprintf("%s of the jobs with %s processors; with %s", metric, sizes,
					config.FieldSizeClasses), of.Source, of.Min})
		}
	}
	return infos
}

// classes accumulates the jobs of each class. Times are in the unit of the clock.
type classes [sizeClasses]struct {
	wait, response, service, slowdown Mean
	dilation                          dilation
	groups, distance                  Mean
}

// add adds a job with its bounded slowdown, NaN if that is not known.
func (c *classes) add(r *scheduler.Record, clock scheduler.Clock, slowdown float64) {
	k := &c[classOf(r)]
	k.wait.Add(clock.Seconds(r.Wait()))
	k.response.Add(clock.Seconds(r.Response()))
	k.service.Add(clock.Seconds(r.Service()))
	k.slowdown.Add(slowdown)
	k.dilation.add(r, clock)
}

// addPlace adds the measured place of a job.
func (c *classes) addPlace(class int, m *PlacementMeter, q *PlacementQuality) {
	if q.Groups > 0 {
		c[class].groups.Add(float64(q.Groups))
	}
	if m.defined(anyMachine) {
		c[class].distance.Add(q.Used.PairwiseMean)
	}
}

// classOf returns the index of the class of a job.
func classOf(r *scheduler.Record) int {
	return min(bits.Len(uint(len(r.Nodes)))-1, sizeClasses-1)
}

// metrics adds the metrics of the classes that have jobs.
func (c *classes) metrics(plan *config.Plan, add func(string, float64)) {
	for class := range c {
		k, minSize := &c[class], 1<<class
		if k.wait.N == 0 {
			continue
		}
		add(classMetric("jobs", minSize), float64(k.wait.N))
		add(classMetric("wait_time", minSize), k.wait.Value())
		add(classMetric("response_time", minSize), k.response.Value())
		add(classMetric("service_time", minSize), k.service.Value())
		if x := k.slowdown.Value(); !math.IsNaN(x) {
			add(classMetric("bounded_slowdown", minSize), x)
		}
		if x := k.dilation.value(plan); !math.IsNaN(x) {
			add(classMetric("dilation", minSize), x)
		}
		if k.groups.N > 0 {
			add(classMetric("groups_spanned", minSize), k.groups.Value())
		}
		if k.distance.N > 0 {
			add(classMetric("mean_pairwise_distance", minSize), k.distance.Value())
		}
	}
}

// dilation accumulates the processor time of jobs, as they ran and by their run times in a log.
type dilation struct{ ran, logged float64 }

// add adds a job.
func (d *dilation) add(r *scheduler.Record, clock scheduler.Clock) {
	size := float64(r.Job.Size)
	d.ran += float64(size * clock.Seconds(r.Service()))
	d.logged += float64(size * r.Job.RunTime)
}

// value returns how many times as long jobs ran, NaN if run times do not say what they send.
func (d *dilation) value(plan *config.Plan) float64 {
	return when(plan.Job.Run == config.RunMessages && d.logged > 0 &&
		plan.Job.Quota.PerSecond == input.Automatic, d.ran/d.logged)
}

// largestJobs accumulates the jobs with the most processors and the others apart. Times are in
// the unit of the clock.
type largestJobs struct {
	size                  int
	wait, service, others Mean
}

// add adds a job. If it is larger than all before, those count as others from now on.
func (l *largestJobs) add(r *scheduler.Record, clock scheduler.Clock) {
	if len(r.Nodes) > l.size {
		l.others.Sum += l.wait.Sum
		l.others.N += l.wait.N
		l.size, l.wait, l.service = len(r.Nodes), Mean{}, Mean{}
	}
	wait := clock.Seconds(r.Wait())
	if len(r.Nodes) < l.size {
		l.others.Add(wait)
		return
	}
	l.wait.Add(wait)
	l.service.Add(clock.Seconds(r.Service()))
}

// ofSizes returns a mean, NaN if all jobs have one size.
func (l *largestJobs) ofSizes(m *Mean) float64 { return when(l.others.N > 0, m.Value()) }
