package experiments

import (
	"slices"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/must"
)

// twoAllocators compares random with first-fit, with replications from ten to forty.
const twoAllocators = `name = "s"
primary = ["wait_time"]
[workload]
jobs = 10
[runs]
replications = 4
max_replications = 40
[[axes]]
key = "allocator"
values = ["first-fit", "random"]
[[differences]]
against = "first-fit"
within = 0.1
`

// sequence runs the rule of the study's differences on drawn values, first-fit's and random's of
// a replication, and returns how many replications were asked for, look by look.
func sequence(t testing.TB, st *study.Study, draw func(replication int) (first, random float64)) (
	r *Results, asked []int) {
	t.Helper()
	f := NewMemory("")
	r = must.Have(f.Results(st, config.Builtin()))
	for n := 0; ; {
		most := 0
		for i := range r.Points {
			most = max(most, f.wantedRuns(&r.Points[i], st))
		}
		if most == n {
			r.reload()
			return r, asked
		}
		asked = append(asked, most)
		for ; n < most; n++ {
			a, b := draw(n)
			for i, v := range []float64{a, b} {
				f.Records[RunKey{r.Points[i].Hash, n}] = runOf("wait_time", v)
			}
		}
	}
}

// By hand, of logarithms of ratios to 10: those of 6 and 16 by turns have mean -0.02 and a
// deviation of 0.5, so that the interval holds 0 and is wider than ln 1.1 = 0.0953 until the most;
// those of 14 and 16 are clear at once, and those of 9.5 and 10.5 precise at once: the interval of
// the first look is 2.685 times 0.0527 / sqrt(10) = 0.0448 on either side.
func TestDifferencesDecideOnReplications(t *testing.T) {
	alternate := func(even, odd float64) func(int) (float64, float64) {
		return func(n int) (float64, float64) {
			if n%2 == 0 {
				return 10, 10 + even
			}
			return 10, 10 + odd
		}
	}
	for _, k := range []struct {
		even, odd float64
		want      []int
	}{
		{-4, 6, []int{10, 15, 20, 25, 30, 35, 40}},
		{4, 6, []int{10}},
		{-0.5, 0.5, []int{10}},
		// deviation 0.1164, half width 2.685·0.1164/sqrt(10) = 0.0989 at ten; at fifteen, with
		// logarithms of mean -0.0135 and deviation 0.1141, 3.0688·0.1141/sqrt(15) = 0.0904.
		{-1.1, 1.1, []int{10, 15}},
		{3, 3, []int{10}}, // no chance
	} {
		_, asked := sequence(t, mustParseSmall(t, twoAllocators), alternate(k.even, k.odd))
		if !slices.Equal(asked, k.want) {
			t.Errorf("differences of %g and %g ask for %v, want %v", k.even, k.odd, asked, k.want)
		}
	}
}

// What is wrong with a difference is said with its key.
func TestWrongDifferences(t *testing.T) {
	for keys, want := range map[string]string{
		`against = "mbs"`: "differences[0].against",
		`by = "job.pattern"` + "\nagainst = \"fft\"":            "differences[0].by",
		`by = "job.patern"` + "\nagainst = \"fft\"":             "unknown key",
		`metric = "wait_time"`:                                  "does not say what to compare with",
		`against = "random"` + "\nmetric = \"waiting\"":         "differences[0].metric",
		`against = "random"` + "\nwithin = -0.1":                "differences[0].within is -0.1",
		`against = "random"` + "\nwhere = { allocator = \"x\"}": `s.toml:13:11: allocator is "x"`,
	} {
		text := twoAllocators[:strings.Index(twoAllocators, "[[differences]]")] +
			"[[differences]]\n" + keys + "\n"
		_, err := study.Parse("s.toml", text, config.Builtin())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", keys, err, want)
		}
	}
}

// A reference at which nothing is drawn is run once and stands beside every replication.
func TestDifferencesFromAConstant(t *testing.T) {
	st := mustParseSmall(t, twoAllocators)
	f := NewMemory("")
	must.Have(f.Results(st, config.Builtin()))
	c := contrast{a: contrastPoint{"a", false}, b: contrastPoint{"b", true}, metric: "wait_time",
		precision: 0.1}
	f.Records[RunKey{"b", 0}] = runOf("wait_time", 10)
	for n := range 10 {
		f.Records[RunKey{"a", n}] = runOf("wait_time", float64(5+n%2))
	}
	if n, done := f.wantedByContrast(&c, st); n != 10 || !done {
		t.Errorf("ten differences of -5 and -4 want %d replications, done %v", n, done)
	}
}
