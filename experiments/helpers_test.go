package experiments

import (
	"runtime"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"
)

// mustParseSmall returns the study of a text with the names of tests.
func mustParseSmall(t *testing.T, text string) *study.Study {
	t.Helper()
	return must.Have(study.Parse("test.toml", text, config.Builtin()))
}

// setKeys sets keys of a study, KEY=VALUE, as the command line does.
func setKeys(st *study.Study, sets ...string) error {
	for _, set := range sets {
		key, value, _ := strings.Cut(set, "=")
		if err := st.Set(key, value); err != nil {
			return err
		}
	}
	return nil
}

// quickPoints returns the points of a built-in study in small, with some axes replaced and a change
// made.
func quickPoints(name string, axes map[string]string, change func(*study.Study)) []study.Point {
	names := config.Builtin()
	st := must.Have(study.Load(name, names))
	must.Have(0, st.UseQuick())
	for key, values := range axes {
		must.Have(0, st.SetAxis(key, values))
	}
	change(st)
	return must.Have(st.Points())
}

// runOf is the record of a run of one metric.
func runOf(metric string, value float64) Record {
	return Record{Metrics: metrics.Result{Metrics: []metrics.Metric{{Name: metric, Value: value}}}}
}

// heap returns the bytes of all that is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
