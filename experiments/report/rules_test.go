package report

import (
	"contend/experiments/config"
	"contend/experiments/config/configtest"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/must"
	"strings"
	"testing"
)

// Published are 100, 200 and 300 of ring, 100 and 400 of fft.
func TestCellsThatWereNotRunAreNotWithin(t *testing.T) {
	rule := study.Tolerance{Rule: "ratio", Within: 0.1}
	v := judged(t, rule, []float64{100}, nil, nil, nil, nil, nil)
	const want = "1 of 5 published cells within, at least 5 wanted; 1 of 5 published cells were run"
	if v.Pass || v.Summary != want {
		t.Errorf("one cell of five passes %v: %s", v.Pass, v.Summary)
	}
	if v := judged(t, rule, []float64{100}, []float64{200}, []float64{300}, []float64{100},
		[]float64{400}, nil); !v.Pass {
		t.Errorf("all as published: %s", v)
	}
}

// What others are divided by is 1 by itself, in the paper and here.
func TestReferenceCellsDoNotCount(t *testing.T) {
	rule := study.Tolerance{Rule: "ratio", Relative: "mbs", Within: 0.1, AtLeast: 2}
	v := judged(t, rule, []float64{100}, []float64{900}, []float64{900}, []float64{100},
		[]float64{900}, nil)
	if v.Pass || !strings.HasPrefix(v.Summary, "0 of 3 published cells within") {
		t.Errorf("nothing but the references is right, passes %v: %s", v.Pass, v.Summary)
	}
}

// Flags that leave out points do not make a rule about fewer cells.
func TestCellsLeftOutByFlagsAreNotWithin(t *testing.T) {
	st := experimentstest.MustParse(t, configtest.CompareStudy)
	must.Have(0, st.SetAxis("allocator", "mbs"))
	r := experimentstest.Stored(t, st, config.Builtin(), func(int, *study.Point) []metrics.Result {
		return []metrics.Result{{Metrics: []metrics.Metric{{Name: "finish_time", Value: 100},
			{Name: "utilization", Value: 50}}}}
	})
	st.Tolerances[0].AtLeast = 0
	for i, want := range []string{"2 of 5 published cells were run",
		"0 of 3 published cells were run", "1 of 3 published cells were run"} {
		if v := Compare(r)[i]; v.Pass || !strings.Contains(v.Summary, want) {
			t.Errorf("passes %v: %s (%s), want %s", v.Pass, v.Rule, v.Summary, want)
		}
	}
}

func TestTolerancesHaveThePrecisionOfThePaper(t *testing.T) {
	for _, c := range []struct {
		name, printed, stated string
		rule                  study.Tolerance
		measured              []float64
		pass                  bool
	}{
		{"within half of the last digit", "575.399", "", study.Tolerance{Rule: "difference"},
			[]float64{575.3994}, true},
		{"beyond half of the last digit", "575.399", "", study.Tolerance{Rule: "difference"},
			[]float64{575.3996}, false},
		{"a count", "17611", "", study.Tolerance{Rule: "difference"}, []float64{17610},
			false},
		{"a printed 0", "0.00", "", study.Tolerance{Rule: "ratio", Within: 0.05},
			[]float64{0.004}, true},
		{"not a printed 0", "0.00", "", study.Tolerance{Rule: "ratio", Within: 0.05},
			[]float64{0.006}, false},
		{"its error", "100", "7", study.Tolerance{Rule: "ratio"}, []float64{107}, true},
		{"more than its error", "100", "7", study.Tolerance{Rule: "ratio"}, []float64{108},
			false},
		{"5%", "100.0", "", study.Tolerance{Rule: "ratio", Within: 0.05}, []float64{106},
			false},
		{"5% and the interval", "100.0", "", study.Tolerance{Rule: "ratio", Within: 0.05,
			Interval: true}, []float64{105, 107}, true},
		{"no interval without being asked", "100.0", "",
			study.Tolerance{Rule: "ratio", Within: 0.05}, []float64{105, 107}, false},
	} {
		text := configtest.CompareStudy[:strings.Index(configtest.CompareStudy, "[published]")] +
			"[published]\ncsv = \"allocator,job.pattern,finish_time,finish_time_error\\nmbs,ring," +
			c.printed + "," + c.stated + "\\n\"\n"
		st := experimentstest.MustParse(t, text)
		c.rule.Metric = "finish_time"
		st.Tolerances = []study.Tolerance{c.rule}
		r := experimentstest.Stored(t, st, config.Builtin(), func(i int,
			_ *study.Point) []metrics.Result {
			if i > 0 {
				return nil
			}
			return experimentstest.OfMetric("finish_time", c.measured...)
		})
		if v := Compare(r)[0]; v.Pass != c.pass {
			t.Errorf("%s: passes %v, want %v: %s", c.name, v.Pass, c.pass, v)
		}
	}
}

// The rule about jumps fails where audits have seen errors beyond the tolerance in more than 5% of
// the time.
func TestVerdictOfAudits(t *testing.T) {
	for beyond, pass := range map[float64]bool{0: true, 2: true, 5: true, 5.1: false, 40: false} {
		r := experimentstest.Jumped(beyond)
		if v := Compare(r); len(v) != 1 || v[0].Pass != pass ||
			!strings.Contains(v[0].Summary, "as 40 audits have seen it, the largest error 7.5%") {
			t.Errorf("%v beyond: %v", beyond, v)
		}
		text := strings.Join(tables.TableNotes(r), " ")
		if strings.Contains(text, "not kept") == pass ||
			!strings.Contains(text, "99.5% of the service time") ||
			!strings.Contains(text, "40 audits: service times are off by 0.75% in the mean, and times "+
				"of jobs in jumps by 7.5% at most") || !strings.Contains(text, "In 3 of them") {
			t.Errorf("%v beyond: %s", beyond, text)
		}
	}
	r := experimentstest.Jumped(0)
	r.Points[0].Spec.FastForward = 0
	if v := Compare(r); v != nil {
		t.Errorf("without jumps: %v", v)
	}
}
