package tables

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
	"contend/internal/must"
)

// differed are results of first-fit, mbs and random, in that order, with finish times by
// replication, of a study that compares with first-fit.
func differed(t *testing.T, more string, finish [3][]float64) *experiments.Results {
	t.Helper()
	st := experimentstest.MustParse(t, `name = "s"
[workload]
jobs = 10
[runs]
replications = 10
[[axes]]
key = "allocator"
values = ["first-fit", "mbs", "random"]
[[differences]]
against = "first-fit"
`+more)
	return experimentstest.Stored(t, st, config.Builtin(), func(i int,
		_ *study.Point) []metrics.Result {
		return experimentstest.OfMetric("finish_time", finish[i]...)
	})
}

// tenTimes are finish times of ten replications: mbs takes 1 to 10 cycles more than first-fit,
// random 4 less and 6 more by turns.
func tenTimes() (finish [3][]float64) {
	for rep := range 10 {
		base := 100 + float64(rep*rep)
		finish[0] = append(finish[0], base)
		finish[1] = append(finish[1], base+float64(rep+1))
		finish[2] = append(finish[2], base-4+float64(rep%2)*10)
	}
	return finish
}

// By hand, of differences 1 to 10: mean 5.5, deviation the root of 82.5/9, t of 9 degrees of
// freedom 2.262157 at 95% (any table), so the half width is 2.16587. The logarithms of the ratios
// have mean 0.03928114 and deviation 0.01542131, so the interval is 0.01103174 on either side, t
// is 8.05495 and p by numerical integration 2.095591e-5. Of -4 and 6 by turns: mean 1, deviation
// the root of 250/9, half width 3.770; of the logarithms t is 0.446227 and p 0.665976. Holm doubles
// the smaller p.
func TestDifferencesByHand(t *testing.T) {
	all := differences(differed(t, "", tenTimes()))
	if len(all) != 1 || len(all[0].Pairs) != 2 {
		t.Fatalf("%d comparisons: %+v", len(all), all)
	}
	p, q := all[0].Pairs[0], all[0].Pairs[1]
	for _, k := range []struct {
		what      string
		got, want float64
	}{
		{"mean of mbs", p.Difference.Mean, 5.5},
		{"half width of mbs", p.Difference.Half, 2.262157 * math.Sqrt(82.5/90)},
		{"ratio of mbs", p.Ratio.Mean, 1.04006285}, {"its lower end", p.Ratio.Low, 1.02865220},
		{"its upper end", p.Ratio.High, 1.05160007},
		{"p of mbs", p.P, 2.0955910e-5}, {"adjusted p of mbs", p.Adjusted, 2 * 2.0955910e-5},
		{"mean of random", q.Difference.Mean, 1},
		{"half width of random", q.Difference.Half, 2.262157 * math.Sqrt(250.0/90)},
		{"p of random", q.P, 0.66597588}, {"adjusted p of random", q.Adjusted, q.P},
	} {
		if math.Abs(k.got-k.want) > 2e-6*math.Abs(k.want) {
			t.Errorf("%s is %v, by hand %v", k.what, k.got, k.want)
		}
	}
	if p.A != "mbs" || p.B != "first-fit" || q.A != "random" || q.B != "first-fit" {
		t.Errorf("compared are %s with %s and %s with %s", p.A, p.B, q.A, q.B)
	}
	if a, b := all[0].significant(&p), all[0].significant(&q); a != "yes" || b != "no" {
		t.Errorf("significant: %s and %s, want yes and no", a, b)
	}
}

// With a stop by differences the same ten replications are the first look: the t of 97.5%
// and 9 degrees of freedom, 2.685011, and twice the p.
func TestSequentialDifferencesByHand(t *testing.T) {
	c := differences(differed(t, "within = 0.5\n", tenTimes()))[0]
	p := c.Pairs[0]
	if want := 2.685011 * math.Sqrt(82.5/90); math.Abs(p.Difference.Half-want) > 1e-5 {
		t.Errorf("the half width is %v, by hand %v", p.Difference.Half, want)
	}
	if want := math.Exp(0.03928114 - 0.01309385); math.Abs(p.Ratio.Low-want) > 1e-7 {
		t.Errorf("the ratio is above %v, by hand %v", p.Ratio.Low, want)
	}
	if want := 2 * 2.0955910e-5; math.Abs(p.P-want) > 1e-11 || math.Abs(p.Adjusted-2*want) > 2e-11 {
		t.Errorf("p is %v, adjusted %v, by hand %v and %v", p.P, p.Adjusted, want, 2*want)
	}
}

// The files and the summary have the table; a study without [[differences]] has none.
func TestDifferencesAreWritten(t *testing.T) {
	r := differed(t, "", tenTimes())
	var csv, tex bytes.Buffer
	must.Have(0, WriteDifferences(r, &csv))
	must.Have(0, WriteDifferencesTeX(r, &tex))
	const row = ",finish_time,cycles,allocator,mbs,first-fit,10,134,128.5,5.5,2.165851,1.04006285," +
		"1.0286522,1.05160007,ratio,"
	if lines := strings.Split(csv.String(), "\n"); len(lines) != 4 ||
		!strings.HasPrefix(lines[0], "allocator,metric,unit,by,a,b,pairs,") ||
		!strings.HasPrefix(lines[1], row) || !strings.HasSuffix(lines[1], ",yes,") {
		t.Errorf("the rows are\n%s", csv.String())
	}
	for what, text := range map[string]string{"the LaTeX": tex.String(), "the summary": Markdown(r)} {
		if !strings.Contains(text, "Differences of finish time from First fit, by allocator") {
			t.Errorf("%s lacks the table:\n%s", what, text)
		}
	}
	plain := experimentstest.Compared(t, sixPoints)
	if got := terminal.differences(plain); got != nil {
		t.Errorf("a study that asks for none has %v", got)
	}
}
