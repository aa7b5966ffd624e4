package experiments

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// uneven is a run of many equal jobs. The first of them take longer than the others.
type uneven struct {
	jobs, dear  int           // all jobs, and how many of them are dear
	dearly, job time.Duration // time of a dear job, and of another
}

func (u uneven) run(
	ctx context.Context, _ *spec.Plan, _ int, x *cosim.Extra,
) (cosim.Result, error) {
	x.Gauge.Begin()
	for i := range u.jobs {
		if ctx.Err() != nil {
			return cosim.Result{}, ctx.Err()
		}
		if i < u.dear {
			time.Sleep(u.dearly)
		} else {
			time.Sleep(u.job)
		}
		x.Gauge.Show(int64(i+1), int64(u.jobs))
	}
	return cosim.Result{Metrics: []cosim.Metric{{Name: "wait_time", Value: 1}}}, nil
}

func (u uneven) whole() time.Duration {
	return time.Duration(u.dear)*u.dearly + time.Duration(u.jobs-u.dear)*u.job
}

const unevenStudy = `
name = "uneven"
primary = ["wait_time"]
[runs]
replications = 1
[[axes]]
key = "allocator"
values = ["random", "mbs"]
`

// The time of a run whose beginning is dear lies in the interval of the forecast, and the probes
// stay short. The clock of the test is a false one, so the load of the computer does not matter.
func TestDryRunForetellsRunsWithADearBeginning(t *testing.T) {
	for name, u := range map[string]uneven{
		"even":       {100_000, 0, 0, time.Millisecond},
		"20 times":   {100_000, 40, 20 * time.Millisecond, time.Millisecond},
		"40 times":   {100_000, 30, 40 * time.Millisecond, time.Millisecond},
		"half a log": {100_000, 50_000, 2 * time.Millisecond, time.Millisecond},
		"rising":     {100_000, 600, time.Millisecond, 3 * time.Millisecond},
		"short":      {1000, 20, 20 * time.Millisecond, time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { forecastHolds(t, u) })
		})
	}
}

func forecastHolds(t *testing.T, u uneven) {
	st := mustParse(t, unevenStudy)
	r := Runner{Names: spectest.Names(), Run: u.run, Workers: 2, Folder: NewMemory("test"),
		Log: slog.New(slog.DiscardHandler)}
	began := time.Now()
	f, err := r.Dry(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if whole := u.whole().Seconds(); f.Low > whole || f.High < whole ||
		f.High > 6.25*f.Low {
		t.Errorf("%v (%v to %v) s, it takes %v", f.Seconds, f.Low, f.High, whole)
	}
	if took := time.Since(began); took > dryTime {
		t.Errorf("the probes take %v", took)
	}
}
