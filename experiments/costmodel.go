package experiments

import (
	"math"
	"math/rand/v2"
	"slices"
)

// costModel expects the time of runs of points that were not probed: the product of a factor for
// each value of each axis, as the replications of a two-way table without interaction. Where few
// points take most of the time, as those of the heaviest load, the mean of all probes is far off.
type costModel struct {
	mean   float64              // of the logarithms of the probes
	effect []map[string]float64 // of each axis, by label, on the logarithm
	smear  float64              // mean of the times over their expected ones (Duan, JASA 78, 1983)
	most   float64              // no expected time is above it
}

const (
	// shrink is the number of probes of mean cost that each value of an axis is taken to have in
	// addition, so that a value with one probe does not take all of its deviation.
	shrink = 0.5
	// sweeps is the number of times that the effects of all axes are fitted to what the others leave.
	sweeps = 20
	// maxOverProbes bounds an expected time, relative to the longest probe.
	maxOverProbes = 4
)

// newCostModel fits a model to probes with known times.
func newCostModel(probes []probe) *costModel {
	m := &costModel{}
	left := make([]float64, len(probes)) // of the logarithms
	for i, p := range probes {
		left[i] = math.Log(p.seconds)
		m.mean += left[i] / float64(len(probes))
		m.most = max(m.most, maxOverProbes*p.seconds)
	}
	for i := range left {
		left[i] -= m.mean
	}
	for range probes[0].task.point.Labels {
		m.effect = append(m.effect, map[string]float64{})
	}
	for range sweeps {
		for axis, effect := range m.effect {
			sum, count := map[string]float64{}, map[string]float64{}
			for i, p := range probes {
				label := p.task.point.Labels[axis]
				sum[label] += left[i] + effect[label]
				count[label]++
			}
			for i, p := range probes {
				label := p.task.point.Labels[axis]
				left[i] += effect[label] - sum[label]/(count[label]+shrink)
			}
			for label := range sum {
				effect[label] = sum[label] / (count[label] + shrink)
			}
		}
	}
	for i := range left {
		m.smear += math.Exp(left[i]) / float64(len(probes))
	}
	return m
}

// seconds returns the expected time of a run of a point with some labels.
func (m *costModel) seconds(labels []string) float64 {
	log := m.mean
	for axis, label := range labels {
		log += m.effect[axis][label]
	}
	return min(m.most, m.smear*math.Exp(log))
}

// sampleOf draws at most n of the first runs of points, always the same: each has the values of
// axes of which the sample has fewest.
func sampleOf(firsts []task, n int) (sample []task) {
	order := rand.New(rand.NewPCG(0, 0)).Perm(len(firsts))
	type value struct {
		axis  int
		label string
	}
	taken := map[value]int{}
	for len(sample) < n && len(order) > 0 {
		best, least := 0, math.Inf(1)
		for i, at := range order {
			often := 0.0
			for axis, label := range firsts[at].point.Labels {
				often += float64(taken[value{axis, label}])
			}
			if often < least {
				best, least = i, often
			}
		}
		x := firsts[order[best]]
		for axis, label := range x.point.Labels {
			taken[value{axis, label}]++
		}
		sample, order = append(sample, x), slices.Delete(order, best, best+1)
	}
	return sample
}
