//go:build long

package site

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/stats"
	"contend/experiments/study"
	"contend/internal/must"
)

// drawnLog is a cluster of leaves of 8 nodes and a log of it.
type drawnLog struct {
	leaves, taper int
	gap           float64 // times the mean time between submissions
	messages      []string
	pattern       string // "" for that of contend site
}

// drawnLogOf draws the cluster of a seed: 16 or 32 nodes, loads of 0.5 to 0.9, and one of several
// lengths and patterns of messages. Those of seeds below 10 are alike.
func drawnLogOf(seed uint64) drawnLog {
	if seed < 10 {
		return drawnLog{2, 4, 1, []string{"512 B", "16 KiB"}, ""}
	}
	r := rand.New(rand.NewPCG(seed, 1))
	return drawnLog{2 + 2*int(seed%2), 2 + 2*r.IntN(2), 0.85 + 0.45*r.Float64(),
		[][]string{{"512 B", "16 KiB"}, {"2 KiB", "64 KiB"}, {"128 B", "4 KiB"}}[r.IntN(3)],
		[]string{"", "", "all-to-all", "near-neighbour+all-reduce-ring"}[r.IntN(4)]}
}

// topology is the file of the cluster.
func (d *drawnLog) topology() (text string) {
	for i := range d.leaves {
		text += fmt.Sprintf("SwitchName=l%d Nodes=n[%d-%d]\n", i, 8*i+1, 8*i+8)
	}
	return text + fmt.Sprintf("SwitchName=top Switches=l[0-%d]\n", d.leaves-1)
}

// log is a log whose queue grows and shrinks: a third of the time jobs arrive faster than the
// cluster does them.
func (d *drawnLog) log(seed uint64, jobs int) (log string) {
	r, at := rand.New(rand.NewPCG(seed, 0)), 0.0
	for i := range jobs {
		size := []int{1, 1, 2, 2, 3, 4, 6, 8}[r.IntN(8)] * d.leaves / 2
		gap := 48.0
		if i/40%3 == 0 {
			gap = 19
		}
		at += d.gap * gap * r.ExpFloat64()
		run := 5 + int(120*r.ExpFloat64())
		log += fmt.Sprintf("%d %.0f -1 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", i+1, at, run, size,
			size, 2*run, r.IntN(8))
	}
	return log
}

// logs are the drawn logs of TestLongAnswerIsThatOfTheWholeLog: those to which the error of the
// method is fitted, or those on which it is then checked, 48 ratios each.
var logs = flag.String("logs", "", "fit or new `LOGS`, by default two of each")

// seedsOf are the seeds of the drawn logs.
func seedsOf(logs string) []uint64 {
	switch logs {
	case "fit":
		return []uint64{0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105}
	case "new":
		return []uint64{200, 202, 206, 213, 214, 216, 217, 218, 220, 224, 227, 229}
	}
	return []uint64{0, 1, 200, 202}
}

// The answer about a whole log is that of four whole simulations, within its interval, for all jobs
// in nine of ten comparisons at least: the test fails where 95% would be unlikely.
func TestLongAnswerIsThatOfTheWholeLog(t *testing.T) {
	inside, compared, squares := 0, 0, 0.0
	classesInside, classes := 0, 0
	for _, seed := range seedsOf(*logs) {
		d := drawnLogOf(seed)
		folder(t, map[string]string{"topology.conf": d.topology(), "l.swf": d.log(seed, 300)})
		s := must.Have(Read(Config{Topology: "topology.conf", Log: "l.swf", Out: "x.toml",
			Tapers: []string{fmt.Sprint(d.taper)}, Share: 0.2, Preset: "hdr", Cores: 1,
			MessageSizes: d.messages}))
		s.Moments = maxMoments
		simulator := &sim.Simulator{TraceDirs: []string{"."}}
		run := func(keys map[string]string) *experiments.Results {
			st := must.Have(study.Parse("x.toml", s.Study(), config.Builtin()))
			if d.pattern != "" {
				must.Have(0, st.Set("job.pattern", d.pattern))
			}
			for key, value := range keys {
				must.Have(0, st.Set(key, value))
			}
			runner := &experiments.Runner{Names: config.Builtin(), Run: simulator.Run, Workers: 2,
				Traces: []string{"."}, Folder: experiments.NewMemory("test")}
			return must.Have(runner.Study(t.Context(), st))
		}
		a := must.Have(newAnswering(run(nil), simulator.Replay))
		must.Have(0, a.replayAll(t.Context(), 2))
		whole := run(map[string]string{"workload.snapshots": "false", "runs.fast_forward": "0.1",
			"runs.replications": "4"})
		for i := range a.Points {
			j, _ := a.Study.Sibling(a.Points, i, allocatorKey, "slurm-tree")
			if i == j {
				continue
			}
			half, _ := a.half(i, j, "response_time")
			answer, moments := a.logarithm(i, j, "response_time")
			ratio, _ := whole.PairedRatio(i, j, "response_time")
			off := answer - math.Log(ratio.Mean)
			compared, squares = compared+1, squares+off*off
			if math.Abs(off) <= half {
				inside++
			}
			for size := 1; size <= 16; size *= 2 {
				class := fmt.Sprintf("_size_%d", size)
				if min(a.seen(i, class), a.seen(j, class)) < fewJobs {
					continue
				}
				of, _ := a.logarithm(i, j, "response_time"+class)
				ratio, _ := whole.PairedRatio(i, j, "response_time"+class)
				classes++
				half, _ := a.half(i, j, "response_time"+class)
				if math.Abs(of-math.Log(ratio.Mean)) <= half {
					classesInside++
				}
			}
			t.Logf("seed %d, %d nodes, load %.2f, %v: %.3f (%.3f to %.3f, of moments alone ±%.3f), "+
				"whole log %.3f", seed, 8*d.leaves, s.load.wholeLoad(), a.Points[i].Labels,
				math.Exp(answer), math.Exp(answer-half), math.Exp(answer+half),
				stats.Half(moments, maxSplits, 0.95), ratio.Mean)
		}
	}
	t.Logf("%d of %d ratios are in their intervals, %d of %d of classes of sizes; the root of the mean square of errors is %.1f%%",
		inside, compared, classesInside, classes, 100*math.Sqrt(squares/float64(compared)))
	if compared != 4*len(seedsOf(*logs)) || 10*inside < 9*compared ||
		10*classesInside < 9*classes {
		t.Errorf("%d of %d answers have the ratio of the whole log, %d of %d of classes", inside, compared,
			classesInside, classes)
	}
}
