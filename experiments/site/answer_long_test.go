//go:build long

package site

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/must"
)

// weeksOfLoad is a log of a machine of 16 nodes whose queue grows and shrinks: a third of the time
// jobs arrive faster than it does them.
func weeksOfLoad(seed uint64, jobs int) string {
	r, at, log := rand.New(rand.NewPCG(seed, 0)), 0.0, ""
	for i := range jobs {
		size := []int{1, 1, 2, 2, 3, 4, 6, 8}[r.IntN(8)]
		gap := 48.0
		if i/40%3 == 0 {
			gap = 19
		}
		at += gap * r.ExpFloat64()
		run := 5 + int(120*r.ExpFloat64())
		log += fmt.Sprintf("%d %.0f -1 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", i+1, at, run, size,
			size, 2*run, r.IntN(8))
	}
	return log
}

// The answer about a whole log is that of four whole simulations, within its interval, for all
// jobs in 7 of 8 comparisons at least. The dilation at its moments, without the queue, is off by
// more in most.
func TestLongAnswerIsThatOfTheWholeLog(t *testing.T) {
	const jobs = 300
	inside, nearer, compared := 0, 0, 0
	for seed := range uint64(2) {
		folder(t, map[string]string{"topology.conf": "SwitchName=a Nodes=n[1-8]\n" +
			"SwitchName=b Nodes=n[9-16]\nSwitchName=c Switches=a,b\n", "l.swf": weeksOfLoad(seed, jobs)})
		s := must.Have(Read(Config{Topology: "topology.conf", Log: "l.swf", Out: "x.toml", Taper: 4,
			Share: 0.2, Preset: "hdr", Cores: 1, MessageSizes: []string{"512 B", "16 KiB"}}))
		s.Moments = 24
		simulator := &sim.Simulator{TraceDirs: []string{"."}}
		run := func(change func(*study.Study)) *experiments.Results {
			st := must.Have(study.Parse("x.toml", s.Study(), config.Builtin()))
			change(st)
			runner := &experiments.Runner{Names: config.Builtin(), Run: simulator.Run, Workers: 2,
				Traces: []string{"."}, Folder: experiments.NewMemory("test")}
			return must.Have(runner.Study(t.Context(), st))
		}
		moments := run(func(*study.Study) {})
		whole := run(func(st *study.Study) {
			for key, value := range map[string]string{"workload.snapshots": "false",
				"runs.fast_forward": "0.1", "runs.replications": "4"} {
				must.Have(0, st.Set(key, value))
			}
		})
		text := must.Have(Answer(t.Context(), moments, simulator.Replay, 2))
		ratio := func(r *experiments.Results, metric, allocator, size string) float64 {
			at := func(allocator string) int {
				for i := range r.Points {
					if r.Study.LabelAt(&r.Points[i], "allocator") == allocator &&
						r.Study.LabelAt(&r.Points[i], "variant") == size {
						return i
					}
				}
				panic(allocator)
			}
			x, _ := r.PairedRatio(at(allocator), at("slurm-tree"), metric)
			return x.Mean
		}
		row := regexp.MustCompile(`\| (\S+) +\| 1 +\| (.*?) +\| all sizes +\| +([0-9.]+)‡ \| ` +
			`([0-9.]+) to ([0-9.]+)`)
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			number := func(i int) float64 { return must.Have(strconv.ParseFloat(m[i], 64)) }
			want := ratio(whole, "response_time", m[1], m[2])
			means := ratio(moments, "dilation", m[1], m[2])
			compared++
			if number(4) <= want && want <= number(5) {
				inside++
			}
			if abs(number(3)-want) < abs(means-want) {
				nearer++
			}
			t.Logf("seed %d, %s, %s: %s (%s to %s), whole log %.3f, dilation %.3f", seed, m[1], m[2], m[3],
				m[4], m[5], want, means)
		}
		if strings.Contains(text, "overloaded") {
			t.Error("the log overloads the machine")
		}
	}
	if compared != 8 || inside < 7 || nearer < 6 {
		t.Errorf("%d of %d answers have the ratio of the whole log, and %d are nearer than dilations",
			inside, compared, nearer)
	}
}

// abs returns the absolute value.
func abs(x float64) float64 { return max(x, -x) }
