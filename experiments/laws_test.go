package experiments

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/laws"
	"contend/internal/must"
)

// The law of split and joined studies: whatever runs beside a run, it is the same, in one study or
// in two, by one worker or by eight.
func TestLawOfSplitStudies(t *testing.T) {
	laws.AtMost(t, 10)
	rapid.Check(t, func(r *rapid.T) {
		text := drawStudyText(r)
		workers := rapid.IntRange(1, 8).Draw(r, "workers")
		whole := recordsOf(text, workers)
		parts := map[RunKey]string{}
		for _, allocator := range []string{"random", "mbs"} {
			for _, variant := range []string{"a", "b"} {
				maps.Copy(parts, recordsOf(text, 1, "allocator="+allocator, "variant="+variant))
			}
		}
		if d := cmp.Diff(parts, whole); d != "" || len(whole) < 4 {
			r.Fatalf("%s\nby %d workers, -each point in a study of its own +all in one:\n%s", text, workers,
				d)
		}
	})
}

// drawStudyText draws a study of two allocators and two variants.
func drawStudyText(r *rapid.T) string {
	pick := func(label string, list ...string) string { return rapid.SampledFrom(list).Draw(r, label) }
	return fmt.Sprintf(`
name = "drawn"
machine = { dims = [4, 4] }
workload = { jobs = %d, interarrival = { mean = %d } }
job = { pattern = "%s", quota = { messages = 40 } }
scheduler = { policy = "%s" }
runs = { replications = 2, seed = %d, alone = %s }
axes = [{ key = "allocator", values = ["random", "mbs"] }, { key = "variant", values = ["a", "b"] }]
variants = [{ name = "a", set = {} }, { name = "b", set = { %s } }]
`, rapid.IntRange(1, 12).Draw(r, "jobs"), rapid.IntRange(1, 400).Draw(r, "interarrival"),
		pick("pattern", "all-to-all", "ring", "n-body+one-to-all"), pick("policy", "fcfs", "easy"),
		rapid.IntRange(1, 99).Draw(r, "seed"), pick("alone", "true", "false"),
		pick("variant", `"network.buffer_flits" = 4`, `"network.source_queues" = "destination"`,
			`"machine.failures" = ["nodes = 3; at = 200; for = 100"]`, `"job.pattern" = "ring"`,
			`"network.virtual_channels" = 2`, `"workload.side.max" = 2`))
}

// recordsOf runs a study, of some values of its axes, and returns what its runs say.
func recordsOf(text string, workers int, values ...string) map[RunKey]string {
	names := config.Builtin()
	st := must.Have(study.Parse("drawn.toml", text, names))
	for _, v := range values {
		key, value, _ := strings.Cut(v, "=")
		must.Have(0, st.SetAxis(key, value))
	}
	simulator := &sim.Simulator{AtOnce: workers}
	runner := Runner{Names: names, Run: simulator.Run, Workers: workers, Folder: NewMemory("laws")}
	must.Have(runner.Study(context.Background(), st))
	records := map[RunKey]string{}
	for key, record := range runner.Folder.Records {
		records[key] = fmt.Sprint(record.Metrics)
	}
	return records
}
