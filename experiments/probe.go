package experiments

import (
	"context"
	"slices"
	"time"

	"contend/experiments/cosim"
)

// A probe is a run that is stopped early: how long it took, and how far it got,
// tell how long the whole of it takes. One that ends by itself is a run like
// any other.

// probe is one, and what it showed.
type probe struct {
	task    task
	outcome outcome
	// seconds is how long the whole run takes, without what runs share; 0
	// where the probe did not get far enough to tell.
	seconds float64
	ended   bool // the run ended by itself, with a result
}

// probeAll probes runs, as many at a time as there are workers, so that they
// get in each other's way as the runs of the study will.
func (r *Runner) probeAll(ctx context.Context, tasks []task, each time.Duration) []probe {
	var probes []probe
	Pool(ctx, r.Workers, tasks, func(ctx context.Context, t task) probe {
		return r.probe(ctx, t, each)
	}, func(p probe) { probes = append(probes, p) })
	return probes
}

// patience is how many times its time a probe gets that shows nothing yet.
const patience = 5

// probe makes a run and stops it, unless about as much time again will end it.
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
	o := r.one(ctx, task{t.point, t.replication, &extra})
	p := probe{task: t, outcome: o, ended: o.err == nil}
	p.seconds = g.Whole(p.ended)
	stop()
	<-watched
	return p
}

// sampleOf picks runs to probe: at most n, the first one of a point each, such
// that every value of every axis is met as early as possible, and the points
// are far apart otherwise. Those of points in known come first, and are not
// returned.
func sampleOf(tasks []task, n int, known []task) []task {
	firsts := firstOfEach(tasks)
	if len(firsts) == 0 {
		return nil
	}
	met := make([]map[string]int, len(firsts[0].point.Labels))
	for i := range met {
		met[i] = map[string]int{}
	}
	near := make([]int, len(firsts)) // most values in common with any one taken
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

// firstOfEach returns the first run of every point.
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

// common counts the axes on which two points have the same value.
func common(a, b []string) int {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}
