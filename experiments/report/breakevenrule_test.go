package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments/config"
	"contend/experiments/experimentstest"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// Under random the wait falls from 4 at load 1 to 1 at load 10, beside 2 under mbs: its logarithm
// crosses at half of the distance, 5.5. With 1.75, the mean of 1 and 2.5, it crosses at
// 1 + 9 ln 2 / (ln 2 - ln 0.875) = 8.546; with 2.5 alone, as under paging:1, never.
func TestBoundsOfABreakEven(t *testing.T) {
	const rule = "\n[[tolerances]]\nname = \"pays\"\nrule = \"bounds\"\nmetric = \"it pays\"\n" +
		"among = \"allocator\"\n"
	for _, c := range []struct {
		name, rule string
		second     float64
		want       string
	}{
		{"within", "of = \"random\"\nmin = 5\nmax = 6", 1,
			"pass  pays: it pays of random: from 5 to 6 (1 of 1 groups within, at least 1 wanted)\n" +
				"      random: 5.500 (5.500 to 5.500)\n"},
		{"the whole interval", "of = \"random\"\nmin = 5\nmax = 9\ninterval = true", 2.5,
			"FAIL  pays: it pays of random: from 5 to 9, with its interval (0 of 1 groups within, at " +
				"least 1 wanted)\n      random: 8.546 (5.500 to never), outside\n"},
		{"all lines", "min = 5\nat_least = 2", 1,
			"pass  pays: it pays: at least 5 (2 of 2 groups within, at least 2 wanted)\n" +
				"      random: 5.500 (5.500 to 5.500)\n      paging:1: never (never to never)\n"},
	} {
		st := experimentstest.MustParse(t, compareEvenStudy+rule+c.rule)
		r := experimentstest.Stored(t, st, config.Builtin(), func(_ int,
			p *study.Point) []metrics.Result {
			switch {
			case p.Labels[0] == "mbs":
				return experimentstest.OfMetric("wait_time", 2, 2)
			case p.Labels[0] == "random" && p.Labels[1] == "10":
				return experimentstest.OfMetric("wait_time", 1, c.second)
			}
			return experimentstest.OfMetric("wait_time", 4, 4)
		})
		if diff := cmp.Diff(c.want, Compare(r, config.Builtin())[0].String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

const compareEvenStudy = `
name = "even"
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random", "paging:1"]
[[axes]]
key = "workload.interarrival.mean"
values = [1.0, 10.0]
[[break_even]]
name = "it pays"
metric = "wait_time"
along = "workload.interarrival.mean"
against = "mbs"
`
