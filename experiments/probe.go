package experiments

import (
	"context"
	"math/rand/v2"
	"time"

	"contend/experiments/sim"
	"contend/internal/processortime"
)

// probe is a run that is stopped early, from whose time and progress the time of the whole run is
// estimated. A probe that ends by itself is a complete run.
type probe struct {
	outcome
	// seconds is the expected processor time of the whole run, without work that runs share; 0 if the
	// probe made no progress.
	seconds float64
	lasted  time.Duration // wall time
}

// probeAll probes runs for the time each with all workers, so that they slow each other down as the
// runs of the study will. Time for which other programs have the processors does not count. It
// passes each probe to ended when that ends.
func (r *Runner) probeAll(ctx context.Context, tasks []task, each time.Duration,
	ended func(*probe)) []probe {
	var probes []probe
	var lasted time.Duration
	before := processortime.Used()
	Pool(ctx, r.Workers, tasks, func(ctx context.Context, t task) probe {
		return r.probe(ctx, t, each)
	}, func(p probe) {
		probes, lasted = append(probes, p), lasted+p.lasted
		ended(&p)
	})
	worked := float64(processortime.Used()-before) / float64(max(1, lasted))
	for i := range probes {
		probes[i].seconds *= min(1, worked)
	}
	return probes
}

// probe makes a run and stops it when it has simulated for the time each.
func (r *Runner) probe(ctx context.Context, t task, each time.Duration) probe {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	extra := *t.extra
	extra.Gauge = sim.NewGauge()
	go stopAfter(ctx, stop, extra.Gauge, each)
	began := time.Now()
	p := probe{outcome: r.runOne(ctx, task{t.point, t.replication, &extra}), lasted: time.Since(began)}
	if p.err == nil {
		extra.Gauge.Show(1, 1)
	}
	p.seconds = extra.Gauge.Whole().Seconds()
	return p
}

// patience is the factor by which a probe may exceed its time until it makes progress, for its
// setup and for work that runs share.
const patience = 5

// stopAfter calls stop when the run of a gauge has simulated for the time each.
func stopAfter(ctx context.Context, stop func(), g *sim.Gauge, each time.Duration) {
	tick := time.NewTicker(each / 4)
	defer tick.Stop()
	for n := 1; ctx.Err() == nil; n++ {
		_, simulated := g.Spent()
		if simulated >= each && g.Fraction() > 0 || n > 4*patience {
			stop()
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// sampleOf draws at most n of the first runs of points, always the same.
func sampleOf(firsts []task, n int) []task {
	var sample []task
	for _, i := range rand.New(rand.NewPCG(0, 0)).Perm(len(firsts)) {
		sample = append(sample, firsts[i])
	}
	return sample[:min(n, len(sample))]
}
