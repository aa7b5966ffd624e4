package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/export"
	"contend/experiments/spec/spectest"
	"contend/experiments/study"
)

// compared returns results with finish times as given, by point, and a
// utilization of 45 plus the point's number.
func compared(t *testing.T, finish [][]float64) *experiments.Results {
	t.Helper()
	st := mustParse(t, spectest.CompareStudy)
	return stored(t, st, spectest.Names(), func(i int, _ *study.Point) []cosim.Result {
		runs := ofMetric("finish_time", finish[i]...)
		for k := range runs {
			runs[k].Metrics = append(runs[k].Metrics,
				cosim.Metric{Name: "utilization", Value: 45 + float64(i)},
				cosim.Metric{Name: "latency", Value: math.NaN()})
		}
		return runs
	})
}

func TestCompare(t *testing.T) {
	r := compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395, 405}, {1, 2}})
	var b strings.Builder
	for _, v := range Compare(r, spectest.Names()) {
		b.WriteString(v.String())
	}
	want := `pass  finish_time: measured over published within 10% ` +
		`(4 of 5 published cells within, at least 4 wanted)
      fft mbs: measured 114.00 ± 25, published 100.00, ratio 1.140
FAIL  finish_time relative to mbs: measured over published within 10% ` +
		`(2 of 3 published cells within, at least 3 wanted)
      fft random: measured 3.5088 ± 0.22, published 4.0000, ratio 0.877
FAIL  utilization: measured less published within 4, where job.pattern = ring ` +
		`(2 of 3 published cells within, at least 3 wanted)
      ring mbs: measured 45, published 50.000, difference -5
pass  finish_time: Kendall's tau of the order at least 0.7 (2 of 2 groups, least tau 1.00)
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	r = compared(t, [][]float64{{400}, {300}, {310}, {1}, {2}, {3}})
	verdicts := Compare(r, spectest.Names())
	if diff := cmp.Diff("FAIL  finish_time: Kendall's tau of the order at least 0.7 (1 of 2 "+
		"groups, least tau -0.33)\n      ring: tau -0.33\n", verdicts[3].String()); diff != "" {
		t.Error(diff)
	}
	if r.Complete() {
		t.Error("one of two replications is complete")
	}
}

func TestNothingMeasuredPassesNoRule(t *testing.T) {
	for _, v := range Compare(compared(t, make([][]float64, 6)), spectest.Names()) {
		if v.Pass {
			t.Errorf("passed: %s", v)
		}
	}
}

func TestTablesAndRows(t *testing.T) {
	r := compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395, 405}, nil})
	for _, c := range []struct {
		name string
		got  func() string
		want string
	}{
		{"markdown", func() string { return Markdown(r) }, `**compare**

The study has not ended: 2 of its 12 runs are missing.
Means with 95% confidence intervals over the replications.
If a mean less its half width is below the least possible value, the interval ends there.

| pattern | allocator | finish_time (cycles) | published | ratio |
| ------- | --------- | -------------------: | --------: | ----: |
| ring    | mbs       |         100.00 ± 127 |    100.00 |  1.00 |
| ring    | random    |          205.00 ± 64 |    200.00 |  1.02 |
| ring    | paging:1  |         310.00 ± 254 |    300.00 |  1.03 |
| fft     | mbs       |          114.00 ± 25 |    100.00 |  1.14 |
| fft     | random    |          400.00 ± 64 |    400.00 |  1.00 |
| fft     | paging:1  |                      |           |       |
`},
		{"tex", func() string {
			return strings.Join(strings.Split(TeX(r), "\n")[1:6], "\n")
		}, `\begin{tabular}{llrrr}
\toprule
pattern & allocator & finish\_time [cycles] & published & ratio \\
\midrule
ring & mbs & $100.00 \pm 127$ & 100.00 & 1.00 \\`},
		{"summary", func() string {
			var b bytes.Buffer
			if err := WriteSummary(r, &b); err != nil {
				t.Fatal(err)
			}
			return strings.Join(strings.Split(b.String(), "\n")[:3], "\n")
		}, `job.pattern,allocator,metric,unit,mean,ci_half_width,replications,` +
			`published,ratio,ci_low,ci_high
ring,mbs,finish_time,cycles,100,127.062,2,100,1,0,227.062
ring,mbs,utilization,%,45,,2,50,0.9,,`},
		{"runs", func() string {
			var b bytes.Buffer
			if err := export.WriteRuns(r, &b); err != nil {
				t.Fatal(err)
			}
			return strings.Join(strings.Split(b.String(), "\n")[:4], "\n")
		}, `job.pattern,allocator,replication,hash,metric,unit,value
ring,mbs,0,` + r.Points[0].Hash + `,finish_time,cycles,90
ring,mbs,0,` + r.Points[0].Hash + `,utilization,%,45
ring,mbs,1,` + r.Points[0].Hash + `,finish_time,cycles,110`},
	} {
		if diff := cmp.Diff(c.want, c.got()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestValidationHoldsEveryPublishedFigure(t *testing.T) {
	r := compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395, 405}, {1, 2}})
	text := Validation([]*experiments.Results{r}, spectest.Names(), nil, "")
	for _, want := range []string{
		"## compare", "### finish_time (cycles)", "### finish_time relative to mbs",
		"### utilization (%)",
		"| fft     | random    |    400.00 |  400.00 ± 64 |    2 | 1.000 | 0.841 to 1.159 |",
		"| ring    | mbs       |    100.00 | 100.00 ± 127 |    2 | 1.000 | 0.000 to 2.271 |",
		"- finish_time relative to mbs: measured over published within 10%: failed, 2 of 3 " +
			"published cells within, at least 3 wanted.",
		"Geometric mean error 3.8% over 5 cells, largest 14%.", "Geometric mean error 8.7% over " +
			"3 cells, largest 11%.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// Where a paper draws figures and prints none, the section has the study's own
// relative column, without what all is relative to.
func TestValidationShowsWhatAPaperDraws(t *testing.T) {
	r := compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395, 405}, {1, 2}})
	clear(r.PublishedValues)
	r.Study.Tolerances, r.Study.Table.Relative = nil, "mbs"
	text := Validation([]*experiments.Results{r}, spectest.Names(), nil, "")
	for _, want := range []string{"### finish_time relative to mbs",
		"| fft     | random    |    3.5088 ± 0.22 |    2 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "| mbs ") {
		t.Errorf("mbs is relative to itself in\n%s", text)
	}
}

func TestResultsLeaveOutWhatIsNotDefined(t *testing.T) {
	r := cosim.Result{Metrics: []cosim.Metric{{Name: "latency", Value: math.NaN()},
		{Name: "jobs", Value: 3}, {Name: "finish_time", Value: 0.1}}}
	text, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"finish_time":0.1,"jobs":3}`, string(text)); diff != "" {
		t.Error(diff)
	}
	defer func() {
		if recover() == nil {
			t.Error("an unknown metric is stored without a word")
		}
	}()
	(&cosim.Result{Metrics: []cosim.Metric{{Name: "speed", Value: 1}}}).Check(nil)
}
