package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/experimentstest"
	"contend/experiments/report/tables"
)

func TestCompare(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395,
		405}, {1, 2}})
	var b strings.Builder
	for _, v := range Compare(r) {
		b.WriteString(v.String())
	}
	want := `pass  finish_time: measured over published within 10% ` +
		`(4 of 5 published cells within, at least 4 wanted)
      fft mbs: measured 114 ± 25, published 100.00, ratio 1.140
FAIL  finish_time relative to mbs: measured over published within 10% ` +
		`(2 of 3 published cells within, at least 3 wanted)
      fft random: measured 3.51 ± 0.22, published 4.0000, ratio 0.877
FAIL  utilization: measured less published within 4, where job.pattern = ring ` +
		`(2 of 3 published cells within, at least 3 wanted)
      ring mbs: measured 45, published 50.000, difference -5
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	r = experimentstest.Compared(t, [][]float64{{400}, {300}, {310}, {1}, {2}, {3}})
	if r.Complete() {
		t.Error("one of two replications is complete")
	}
}

func TestTablesOfAStudy(t *testing.T) {
	r := experimentstest.Compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116}, {395,
		405}, nil})
	for _, c := range []struct {
		name, got, want string
	}{
		{"markdown", tables.Markdown(r), `**compare**

The study has not ended: 2 of its 12 runs are missing.
Means with 95% confidence intervals over the replications.
Intervals are cut off at the smallest possible value.

| pattern | allocator | Finish time (cycles) | published | ratio |
| ------- | --------- | -------------------: | --------: | ----: |
| Ring    | MBS       |           100 ± 130† |    100.00 |  1.00 |
| Ring    | Random    |             205 ± 64 |    200.00 |  1.02 |
| Ring    | Paging(1) |            310 ± 250 |    300.00 |  1.03 |
| FFT     | MBS       |             114 ± 25 |    100.00 |  1.14 |
| FFT     | Random    |             400 ± 64 |    400.00 |  1.00 |
| FFT     | Paging(1) |                      |           |       |

† The interval (±) is wider than the value before it, so the value is not known.
`},
		{"tex", strings.Join(strings.Split(tables.TeX(r), "\n")[:9], "\n"),
			`% \usepackage{booktabs} in the preamble
% 
{\footnotesize\setlength{\tabcolsep}{4pt}%
{\sbox0{%
\begin{tabular}{@{}llrrr@{}}
\toprule
pattern & allocator & Finish time (cycles) & published & ratio \\
\midrule
Ring & MBS & $100 \pm 130^{\dagger}$ & 100.00 & 1.00 \\`},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}
