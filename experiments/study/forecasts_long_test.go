//go:build long

package study_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/studies"
	"contend/experiments/study"
	"contend/internal/must"
	"contend/internal/processortime"
	"contend/internal/written"
)

// testing.Verbose is no flag for more work: gotestsum sets it.
var sixty = flag.Bool("sixty", false, "measure the forecasts of sixty studies")

// 90% of studies, built-in ones in small and drawn ones, take the processor time that is forecast
// within the printed range. Studies of less than a tenth of a second, whose clock is too coarse, and
// those that fast-forward do not count. With -sixty the test measures sixty, in minutes of processor
// time, and with -v prints what the range would be; else it measures twelve short ones beside other
// tests, of which eight have to be within.
func TestLongForecasts(t *testing.T) {
	names, log, measured, least := metrics.Builtin(), study.WhenLog(t), 12, 66
	if *sixty {
		measured, least = 60, 85
	}
	all := map[string]*study.Study{}
	for _, name := range studies.Names() {
		st := must.Have(study.LoadForFlags(name, names))
		if st.UseQuick() == nil && st.Check() == nil && !st.Ends() {
			all[name] = st
		}
	}
	rng := rand.New(rand.NewPCG(59, 6))
	for n := 0; len(all) < 120; n++ {
		if st, ok := study.DrawStudy(t, rng, log); ok {
			all[fmt.Sprintf("drawn %d: %s, %s", n, st.Base.Machine.Topology, st.Base.Workload.Source)] = st
		}
	}
	order := slices.Sorted(maps.Keys(all))
	rng.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	var ratios []float64
	for _, name := range order {
		if ratio := forecastRatio(t, name, all[name], names); ratio > 0 {
			if ratios = append(ratios, ratio); len(ratios) == measured {
				break
			}
		}
	}
	slices.Sort(ratios)
	n := len(ratios)
	t.Logf("%d studies: 90%% take %.2g to %.2g times the forecast: %.2g", n, ratios[n/20],
		ratios[n-1-n/20], ratios)
	within := 0
	for _, r := range ratios {
		if r >= experiments.ForecastLow && r <= experiments.ForecastHigh {
			within++
		}
	}
	if n < measured*2/3 || within < n*least/100 {
		t.Errorf("%d of %d are within %v to %v", within, n, experiments.ForecastLow,
			experiments.ForecastHigh)
	}
}

// forecastRatio returns the processor time of a study over its forecast, 0 if it does not count.
func forecastRatio(
	t *testing.T, name string, st *study.Study, names *config.Registry,
) float64 {
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	traces := []string{"../../traces", "../../../shared/traces"}
	runner := func() *experiments.Runner { // as commands make it, once all points are checked
		s := &sim.Simulator{TraceDirs: traces}
		for _, p := range must.Have(st.Points()) {
			if plan, err := p.Spec.Plan(); err == nil {
				_ = s.Check(ctx, plan)
			}
		}
		return &experiments.Runner{Names: names, Run: s.Run, Workers: 1, Traces: traces,
			Log:    slog.New(slog.DiscardHandler),
			Folder: must.Have(experiments.OpenFolder(written.In(t.TempDir()), st, "test", names))}
	}
	f, err := runner().ForecastStudy(ctx, st)
	if err != nil || f.Seconds == 0 {
		t.Logf("%s: no forecast: %v", name, err)
		return 0
	}
	if !*sixty && f.Seconds > 5 {
		return 0
	}
	r := runner()
	before := processortime.Used()
	_, err = r.Study(ctx, st)
	took := (processortime.Used() - before).Seconds()
	jumps := st.Base.FastForward > 0
	t.Logf("%s: %d points, %d runs, forecast %.2f s of %.3f seen, took %.2f s, ratio %.2f, "+
		"jumps %v, error %v", name, f.Points, f.New, f.Seconds, f.Seen, took, took/f.Seconds, jumps, err)
	if took < 0.1 || jumps || f.Seen < experiments.MinSeen || err != nil {
		return 0
	}
	return took / f.Seconds
}
