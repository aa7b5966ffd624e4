package study

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contend/experiments/config"
	"contend/internal/input"
)

func TestSpecSurvivesTOML(t *testing.T) {
	names := config.Builtin()
	rapid.Check(t, func(t *rapid.T) {
		s := config.Defaults()
		for _, k := range config.Keys() {
			if k.Shorthand || !rapid.Bool().Draw(t, k.Path) {
				continue
			}
			if raw := drawValue(t, k, names); raw != nil {
				if err := s.Assign(k.Path, raw); err != nil {
					t.Fatalf("%v", err)
				}
			}
		}
		// Keys that do not act contradict nobody.
		s.Spec.Normalize()
		for err := contradiction(&s); err != nil; err = contradiction(&s) { // gives way
			for _, k := range config.Keys() {
				if section, _, _ := strings.Cut(err.Key, "."); !k.Shorthand &&
					strings.HasPrefix(k.Path, section+".") {
					k.Field(&s).Set(k.Field(new(config.Defaults())))
				}
			}
			s.Spec.Normalize()
		}
		st := Study{Name: "drawn", Base: s.Spec, Runs: s.Runs, Primary: []string{"finish_time"}}
		text := st.TOML("x")
		again, err := Parse("spec.toml", text, names)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		resolved := s.Spec
		if err := resolved.Resolve(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(resolved.Canonical(), again.Base.Canonical()); diff != "" {
			t.Fatal(diff)
		}
		if again.Runs != s.Runs || again.TOML("x") != text {
			t.Fatalf("not the same again:\n%s", text)
		}
	})
}

func contradiction(s *config.Settings) *input.Error {
	if err := s.CheckRuns(); err != nil {
		return err
	}
	return s.Spec.Check()
}

// drawValue draws a value for the key as the TOML library would give it.
func drawValue(t *rapid.T, k config.Key, names *config.Registry) any {
	switch {
	case k.Path == "scheduler.decision":
		return rapid.SampledFrom([]string{"", "mbs", "paging:1,snake", "first-fit:rotate"}).Draw(t,
			"decision")
	case k.Path == "network.cycle":
		return rapid.SampledFrom([]string{"", "5.12 ns", "10 s", "3 ps"}).Draw(t, "cycle")
	case k.Path == "job.calibrate_on":
		return rapid.SampledFrom([]string{"", "each", "job.send_cycles = 5; network.arbiter = " +
			"round-robin"}).Draw(t, "reference")
	case k.Path == "workload.placement":
		return rapid.SampledFrom([]string{"contiguous", "away:3", "dealt"}).Draw(t, "placement")
	case k.Mix || k.Path == "workload.background":
		return rapid.SampledFrom([]string{"ring", "fft:2+ring:0.5"}).Draw(t, "mix")
	case k.Choices != nil:
		return rapid.SampledFrom(k.Choices).Draw(t, "choice")
	case k.Path == "workload.traffic":
		return rapid.SampledFrom([]string{"uniform", "hotspot:nodes=0/3,share=0.2"}).Draw(t, "traffic")
	case k.Names != "":
		return rapid.SampledFrom(slices.DeleteFunc(slices.Clone(names.NamesIn(k.Names)),
			func(name string) bool { return name == "exec" })). // that needs a command
			Draw(t, "name")
	case k.Path == "workload.message_lengths":
		return rapid.SampledFrom([]string{"1:0.8+8:0.2", "4:1+2:3+9:0.5"}).Draw(t, "lengths")
	case k.Path == "workload.size":
		return rapid.SampledFrom([]string{"power-of-two:1,4", "2:0.3+4", "exponential:3"}).Draw(t, "size")
	case k.Type == "string":
		return rapid.StringOf(rapid.Rune().Filter(func(r rune) bool {
			return !input.IsInvisible(r)
		})).Draw(t, "text")
	case k.Type == "boolean":
		return rapid.Bool().Draw(t, "flag")
	case k.Type == "integer":
		least, _ := strconv.Atoi(k.Min)
		return int64(rapid.IntRange(max(1, least), 10).Draw(t, "n"))
	case k.Type == "number or auto" && rapid.Bool().Draw(t, "auto"):
		return "auto"
	case k.Type == "number", k.Type == "number or auto":
		least, _ := strconv.ParseFloat(k.Min, 64)
		most := max(0.999, 2*least)
		if bound, err := strconv.ParseFloat(k.Max, 64); err == nil {
			most = min(most, bound)
		}
		return rapid.Float64Range(max(1e-9, least), most).Draw(t, "x")
	case k.Path == "job.rules":
		return []any{rapid.SampledFrom([]string{"size 1-4: ring", "user 17: n-body",
			"queue 3-: fft"}).Draw(t, "rule"), "size 7: all-to-all"}
	case k.Path == "workload.list":
		return []any{rapid.SampledFrom([]string{"pattern = ring; processes = 4", "pattern = ring; nodes = 0-1,5; background = true",
			"pattern = fft; processes " +
				"= 8; at = 3.5; estimate = 2; iterations = 2; count = 3"}).Draw(t, "row")}
	case k.Path == "runs.series_pairs":
		return []any{rapid.SampledFrom([]string{"3>0", "2:3>0"}).Draw(t, "pair")}
	case k.Path == "machine.failures":
		return []any{rapid.SampledFrom([]string{"nodes = 3-7,12; at = 2.5; for = 9",
			"nodes = all; mtbf = 30 d; mttr = 4 h", "routers = all; share = 0.05"}).Draw(t, "row")}
	case k.Path == "machine.graph":
		return []any{"router 0 node 0 router 1", rapid.SampledFrom([]string{"router 1 node 1",
			"router 1 node 1 router 0 5"}).Draw(t, "router")}
	case k.Type == "list of integers":
		return []any{int64(12), int64(rapid.IntRange(11, 20).Draw(t, "n"))}
	}
	return []any{rapid.Bool().Draw(t, "a"), rapid.Bool().Draw(t, "b")}
}
