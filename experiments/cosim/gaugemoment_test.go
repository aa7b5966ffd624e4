package cosim

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// moments is a context that reads the moments of a gauge, as watching reads its fraction.
type moments struct {
	context.Context
	gauge *Gauge
	seen  []Moment
}

func (w *moments) Err() error {
	if m, ok := w.gauge.Moment(); ok {
		w.seen = append(w.seen, m)
	}
	return nil
}

// momentsOf runs a spec under a clock that moves on by a step at each look.
func momentsOf(t *testing.T, s spec.Spec, step time.Duration) ([]Moment, map[string]float64) {
	t.Helper()
	s.Normalize()
	g := NewGauge()
	now := g.start
	g.clock = func() time.Time {
		now = now.Add(step)
		return now
	}
	w := &moments{Context: t.Context(), gauge: g}
	with, err := spectest.Run(w, new(Simulator).Run, s, 0, &Extra{Gauge: g})
	if err != nil {
		t.Fatal(err)
	}
	without, err := spectest.Run(t.Context(), new(Simulator).Run, s, 0, nil)
	if diff := cmp.Diff(with, without); diff != "" || err != nil {
		t.Errorf("the gauge changes the run: %v %s", err, diff)
	}
	w.Err() // the last moment is that of the end
	metrics := map[string]float64{}
	for _, m := range with.Metrics {
		metrics[m.Name] = m.Value
	}
	return w.seen, metrics
}

// datedLog is a log whose header says when it began, a job every 500 s.
func datedLog(t *testing.T) spec.Spec {
	t.Helper()
	jobs := make([][3]float64, 40)
	for i := range jobs {
		jobs[i] = [3]float64{float64(500 * i), float64(1000 + 100*(i%7)), float64(2 + i%9)}
	}
	s := logSpec(writeLog(t, jobs, "UnixStartTime: 843480031"), "ring")
	s.Workload.Start, s.Job.CyclesPerSecond = 3, 20
	return s
}

// A run of a log tells its date, which goes on from that of its first job, and its flit-hops, in
// the end those of its metrics.
func TestMomentsOfLog(t *testing.T) {
	s := datedLog(t)
	seen, metrics := momentsOf(t, s, tellEvery)
	began := time.Unix(843480031+3*500, 0).UTC()
	for i, m := range seen {
		if !m.OfLog || m.Jumps || m.Date != began.Add(time.Duration(m.Seconds)*time.Second) {
			t.Fatalf("%+v, want a date after %v", m, began)
		}
		if i > 0 && (m.Seconds < seen[i-1].Seconds || m.FlitHops < seen[i-1].FlitHops) {
			t.Fatalf("%+v after %+v", m, seen[i-1])
		}
	}
	last := seen[len(seen)-1]
	if middle := seen[len(seen)/2]; middle.FlitHops == 0 || middle.FlitHops == last.FlitHops {
		t.Errorf("%v flit-hops at half of the run, %v at its end", middle.FlitHops, last.FlitHops)
	}
	if last.FlitHops != metrics["flit_hops"] || last.Seconds < 36*500 {
		t.Errorf("%+v at the end, of %v flit-hops", last, metrics["flit_hops"])
	}
}

// The time that was jumped over is in the end that of the metrics, and never more than all.
func TestMomentsOfJumps(t *testing.T) {
	s := datedLog(t)
	s.FastForward, s.CheckJumps, s.Job.CyclesPerSecond = 0.1, 2, 1000
	seen, metrics := momentsOf(t, s, tellEvery)
	for _, m := range seen {
		if !m.Jumps || m.Jumped > m.JobCycles || m.JobCycles < 0 {
			t.Fatalf("%+v", m)
		}
	}
	last := seen[len(seen)-1]
	got, want := 100*last.Jumped/last.JobCycles, metrics["time_jumped"]
	if math.Abs(got-want) > 1e-9*want || want == 0 {
		t.Errorf("%v%% of the time was jumped over, want %v%%", got, want)
	}
	if last.FlitHops != metrics["simulated_flit_hops"] || last.FlitHops >= metrics["flit_hops"] {
		t.Errorf("%v flit-hops simulated, want %v", last.FlitHops, metrics["simulated_flit_hops"])
	}
}

// A run looks at its channels twice a second, and at its end.
func TestMomentsAreFew(t *testing.T) {
	seen, _ := momentsOf(t, datedLog(t), time.Microsecond)
	for _, m := range seen[:len(seen)-1] {
		if m != seen[0] {
			t.Fatalf("%+v after %+v", m, seen[0])
		}
	}
	if seen[len(seen)-1].FlitHops == 0 {
		t.Error("there is no moment at the end")
	}
}

// Without the date of the log, or where submissions do not keep its times, there is no date.
func TestMomentsWithoutDate(t *testing.T) {
	undated := datedLog(t)
	undated.Workload.Trace = writeLog(t, [][3]float64{{0, 900, 4}, {10, 900, 4}}, "Computer: one")
	undated.Workload.Start = 0
	faster, loaded := datedLog(t), datedLog(t)
	faster.Workload.LoadScale = 2
	loaded.Workload.TargetLoad = 0.5
	generated := spec.DefaultSpec()
	generated.Machine.Dims, generated.Workload.Jobs, generated.Workload.Side.Max = []int{8, 8}, 20, 4
	for name, s := range map[string]spec.Spec{"undated": undated, "faster": faster, "loaded": loaded,
		"generated": generated} {
		seen, _ := momentsOf(t, s, tellEvery)
		last := seen[len(seen)-1]
		if ofLog := name != "generated"; !last.Date.IsZero() || last.OfLog != ofLog ||
			(last.Seconds > 0) != ofLog || last.FlitHops == 0 {
			t.Errorf("%s: %+v", name, last)
		}
	}
}
