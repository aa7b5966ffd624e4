package site

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"contend/experiments/metrics"
)

// distanceMetric is the mean distance of the pairs of nodes of a job.
const distanceMetric = "mean_pairwise_distance"

// rate is by how much jobs of a class, which begins at a size, run longer than in the log.
type rate struct {
	min int
	// perChannel is the excess of the dilation over 1 for each channel between two of the nodes.
	perChannel float64
	// spread is the largest share of the excess by which jobs differ.
	spread float64
}

// factor returns the dilation of a job whose nodes have a mean distance. Luck is from -1 to 1.
func (r rate) factor(distance, luck float64) float64 {
	return 1 + r.perChannel*reach(r.min, distance)*(1+r.spread*luck)
}

// reach returns a distance. On a machine without distances all nodes are one channel apart.
func reach(size int, distance float64) float64 {
	switch {
	case !math.IsNaN(distance):
		return distance
	case size == 1:
		return 0
	}
	return 1
}

// rates are those of all classes, by ascending sizes.
type rates []rate

// of returns the rate of jobs of a size.
func (r rates) of(size int) rate {
	for _, c := range slices.Backward(r) {
		if size >= c.min {
			return c
		}
	}
	return rate{}
}

// has reports whether a set has a moment. Set 0 has all, and sets 2k+1 and 2k+2 are the halves of
// split k.
func (a *answering) has(set, moment int) bool {
	if set == 0 {
		return true
	}
	split, second := (set-1)/2, set%2 == 0
	order := rand.New(rand.NewPCG(uint64(split), uint64(a.moments))).Perm(a.moments)
	return order[moment] < a.moments/2 != second
}

// ofClass is what the jobs of a class show at the moments of a set. A moment has the number of its
// jobs, the mean excess of their dilation over 1, and the mean distance of their nodes.
type ofClass []struct{ jobs, excess, distance float64 }

// sums returns the sums of excesses and distances over jobs.
func (c ofClass) sums() (excess, distance float64) {
	for _, m := range c {
		excess, distance = excess+m.jobs*m.excess, distance+m.jobs*m.distance
	}
	return excess, distance
}

// classes returns what the classes show at a point, by their minimum sizes.
func (a *answering) classes(point, set int) map[int]ofClass {
	classes := map[int]ofClass{}
	for i := range a.Runs[point][:a.moments] {
		if !a.has(set, i) {
			continue
		}
		run := &a.Runs[point][i]
		for _, m := range run.Metrics {
			c, ok := metrics.ClassOf(m.Name)
			if !ok || c.Of != "dilation" {
				continue
			}
			jobs, _ := run.Value(fmt.Sprintf("jobs_size_%d", c.Min))
			distance, ok := run.Value(fmt.Sprintf("%s_size_%d", distanceMetric, c.Min))
			if !ok {
				distance = math.NaN()
			}
			classes[c.Min] = append(classes[c.Min], struct{ jobs, excess, distance float64 }{
				jobs, m.Value - 1, reach(c.Min, distance)})
		}
	}
	return classes
}

// pooled returns the rate of all processors of some classes, NaN if no job is in two places.
func pooled(list ...map[int]ofClass) float64 {
	excess, distance := 0.0, 0.0
	for _, classes := range list {
		for _, m := range metrics.MetricInfos() { // in one order
			c, ok := metrics.ClassOf(m.Name)
			if !ok || c.Of != "dilation" {
				continue
			}
			e, d := classes[c.Min].sums()
			excess, distance = excess+float64(c.Min)*e, distance+float64(c.Min)*d
		}
	}
	if distance == 0 {
		return math.NaN()
	}
	return excess / distance
}

// rates returns those of a point, over the moments of a set: of each class the ratio of the sums of
// excesses and distances, with the rate of all jobs for the first channels. If no job has nodes
// apart, as under one-switch, the rate is that of the other allocators.
func (a *answering) rates(point, set int) (list rates) {
	classes := a.classes(point, set)
	all := pooled(classes)
	if math.IsNaN(all) {
		var others []map[int]ofClass
		for i := range a.Points {
			if a.siblings(i, point) {
				others = append(others, a.classes(i, set))
			}
		}
		if all = pooled(others...); math.IsNaN(all) {
			all = 0
		}
	}
	for _, m := range metrics.MetricInfos() {
		c, ok := metrics.ClassOf(m.Name)
		if !ok || c.Of != "dilation" {
			continue
		}
		excess, distance := classes[c.Min].sums()
		r := rate{min: c.Min, perChannel: (excess + priorDistance*all) / (distance + priorDistance)}
		r.spread = classes[c.Min].spread(r.perChannel)
		list = append(list, r)
	}
	slices.SortFunc(list, func(x, y rate) int { return x.min - y.min })
	return list
}

// spread returns the largest share of the excess by which jobs differ, at most 1: the excess of a
// job is taken to be uniform. Means over n jobs differ by the root of n less than jobs.
func (c ofClass) spread(perChannel float64) float64 {
	squares, mean := 0.0, 0.0
	for _, m := range c {
		e := m.jobs * (m.excess - perChannel*m.distance)
		squares, mean = squares+e*e, mean+m.jobs*perChannel*m.distance*perChannel*m.distance
	}
	if mean == 0 {
		return 0
	}
	return min(1, math.Sqrt(3*squares/mean))
}

// siblings reports whether two points differ in the allocator at most.
func (a *answering) siblings(i, j int) bool {
	for _, key := range a.AxisKeys() {
		if key != allocatorKey &&
			a.Study.LabelAt(&a.Points[i], key) != a.Study.LabelAt(&a.Points[j], key) {
			return false
		}
	}
	return true
}
