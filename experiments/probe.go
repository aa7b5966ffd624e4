package experiments

import (
	"context"
	"math"
	"slices"
	"time"

	"contend/experiments/cosim"
)

// probe is a run that is stopped early. Its time and its progress give the time of
// the whole run. A probe that ends by itself is a complete run.
type probe struct {
	task    task
	outcome outcome
	// seconds is the expected time of the whole run, without work that runs
	// share; 0 if the probe did not get far enough.
	seconds float64
	// spread is by how much the pace of the run changed: the standard error of the mean of the
	// paces of its two halves, relative to that mean. From 0 to 1.
	spread float64
	ended  bool // the run ended by itself, with a result
}

// probeAll makes probes with all workers, so that they slow each other down as the
// runs of the study will.
func (r *Runner) probeAll(ctx context.Context, tasks []task, each time.Duration) []probe {
	var probes []probe
	Pool(ctx, r.Workers, tasks, func(ctx context.Context, t task) probe {
		return r.probe(ctx, t, each)
	}, func(p probe) { probes = append(probes, p) })
	return probes
}

// patience is the factor by which a probe without any progress may exceed its
// time.
const patience = 5

// probe makes a run and stops it after the time each, unless about as much time
// again will complete it or its pace changes.
func (r *Runner) probe(ctx context.Context, t task, each time.Duration) probe {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	extra, g := *t.extra, cosim.NewGauge()
	extra.Gauge = g
	began := time.Now()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for ctx.Err() == nil {
			wait, ok := g.Patience(each)
			if !ok || wait <= 0 && time.Since(began) > patience*each {
				stop()
				return
			}
			select {
			case <-ctx.Done():
			case <-time.After(max(wait, each/4)):
			}
		}
	}()
	o := r.one(ctx, task{t.point, t.replication, &extra, t.plan})
	stop()
	<-watched
	g.Stop()
	p, pace := probe{task: t, outcome: o, ended: o.err == nil}, g.Pace()
	switch {
	case p.ended:
		p.seconds = pace.Seconds
	case pace.Fraction > 0:
		p.seconds = pace.Whole()
		p.spread = math.Abs(pace.Early-pace.Late) / (pace.Early + pace.Late)
	}
	return p
}

// sampleOf chooses at most n runs to probe of the first runs of points. It
// covers every label of every axis as early as possible and then keeps the points
// far apart. The points of known count as chosen before and are not returned.
func sampleOf(firsts []task, n int, known []task) []task {
	if len(firsts) == 0 {
		return nil
	}
	met := make([]map[string]int, len(firsts[0].point.Labels))
	for i := range met {
		met[i] = map[string]int{}
	}
	near := make([]int, len(firsts)) // most labels in common with a chosen point
	taken := map[string]bool{}
	take := func(t *task) {
		taken[t.point.Hash] = true
		for a, label := range t.point.Labels {
			met[a][label]++
		}
		for i := range firsts {
			near[i] = max(near[i], common(firsts[i].point.Labels, t.point.Labels))
		}
	}
	for i := range known {
		take(&known[i])
	}
	var sample []task
	for len(sample) < n {
		best, least := -1, [3]int{}
		for i := range firsts {
			t := &firsts[i]
			if taken[t.point.Hash] {
				continue
			}
			old, often := 0, 0
			for a, label := range t.point.Labels {
				often += met[a][label]
				old += min(1, met[a][label])
			}
			if rank := [3]int{old, near[i], often}; best < 0 ||
				slices.Compare(rank[:], least[:]) < 0 {
				best, least = i, rank
			}
		}
		if best < 0 {
			break
		}
		take(&firsts[best])
		sample = append(sample, firsts[best])
	}
	return sample
}

// firstOfEach returns the first run of each point.
func firstOfEach(tasks []task) []task {
	var firsts []task
	seen := map[string]bool{}
	for _, t := range tasks {
		if !seen[t.point.Hash] {
			seen[t.point.Hash] = true
			firsts = append(firsts, t)
		}
	}
	return firsts
}

// common counts the axes on which two points have the same label.
func common(a, b []string) int {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}
