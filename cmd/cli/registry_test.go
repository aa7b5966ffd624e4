package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/must"
	"contend/scheduler"
)

// A registry in which something is wrong ends the program before its command.
func TestRunRefusesABadRegistry(t *testing.T) {
	r := metrics.Builtin()
	r.Metrics = append(r.Metrics, config.Metric{Name: "makespan", Doc: "again",
		New: func(config.MetricRun) config.Meter { return nil }})
	var out, errs bytes.Buffer
	status := Run([]string{"list", "metrics"}, &out, &errs, r)
	if want := "contend: registry: metrics: \"makespan\" occurs twice\n"; status != exitFailed ||
		errs.String() != want || out.Len() > 0 {
		t.Errorf("status %d, %q, %q", status, errs.String(), out.String())
	}
}

// hot is a meter that returns a fixed value.
type hot float64

func (hot) Record(*scheduler.Record)         {}
func (h hot) Value(config.MetricEnd) float64 { return float64(h) }

// runTiny runs a study of one point with a metric of its own.
func runTiny(t *testing.T, m config.Metric, args ...string) (status int, out, errs string) {
	t.Helper()
	dir := t.TempDir()
	study := filepath.Join(dir, "tiny.toml")
	text := "name = \"tiny\"\nprimary = [\"" + m.Name + "\"]\n[machine]\ndims = [4, 4]\n" +
		"[workload]\njobs = 4\n[runs]\nreplications = 3\n" +
		"[[axes]]\nkey = \"allocator\"\nvalues = [\"mbs\"]\n"
	must.Do(os.WriteFile(study, []byte(text), 0o666))
	r := metrics.Builtin()
	r.Metrics = append(r.Metrics, m)
	var stdout, stderr bytes.Buffer
	args = append([]string{"run", study, "-o", filepath.Join(dir, "out"), "--no-progress"}, args...)
	status = Run(args, &stdout, &stderr, r)
	return status, stdout.String(), stderr.String()
}

// Where all runs fail there is no table, and the program says so.
func TestRunOfNothingHasNoTable(t *testing.T) {
	bad := config.Metric{Name: "heat", Doc: "below its least value", Min: new(0.0),
		New: func(config.MetricRun) config.Meter { return hot(-1) }}
	for _, args := range [][]string{nil, {"--json"}} {
		status, out, errs := runTiny(t, bad, args...)
		if status != exitFailed || out != "" ||
			!strings.Contains(errs, "contend: no run of tiny has finished: there is no table\n") ||
			!strings.Contains(errs, "the metric heat is -1; its Min is 0") {
			t.Errorf("%v: status %d, %q, %s", args, status, out, errs)
		}
	}
}

// sign is negative in some runs and positive in others.
func sign(calls *atomic.Int64) func(config.MetricRun) config.Meter {
	return func(config.MetricRun) config.Meter { return hot(calls.Add(1)%2*20 - 10) }
}

var intervalBelowZero = regexp.MustCompile(`"metric": "heat"[^}]*"ci_low": -[1-9]`)

// The interval of a metric without a minimum extends below zero.
func TestMetricWithoutLeastValue(t *testing.T) {
	var calls atomic.Int64
	m := config.Metric{Name: "heat", Doc: "of either sign", New: sign(&calls)}
	status, out, errs := runTiny(t, m, "--json", "--workers", "1")
	if status != exitDone || !intervalBelowZero.MatchString(out) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}
