package experiments

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// changed returns a value of the key's type that is not the one in s.
func changed(k Key, s *settings) reflect.Value {
	f := k.field(s)
	v := reflect.New(f.Type()).Elem()
	switch f.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(f.Int() + 1)
	case reflect.Float64:
		v.SetFloat(f.Float() + 1.5)
	case reflect.Bool:
		v.SetBool(!f.Bool())
	case reflect.String:
		v.SetString(f.String() + "x")
	case reflect.Slice:
		v = reflect.Append(f, reflect.Zero(f.Type().Elem()))
	}
	return v
}

// TestStreamSeed: the seeds of a run hang on runs.seed, the replication and the
// stream alone, so that whatever else is compared has common random numbers.
func TestStreamSeed(t *testing.T) {
	base := defaults()
	a, b := base.spec.StreamSeed(3, "workload")
	for _, k := range Keys() {
		if !k.Identity {
			continue
		}
		s := defaults()
		k.field(&s).Set(changed(k, &s))
		c, d := s.spec.StreamSeed(3, "workload")
		if same := a == c && b == d; same == (k.Path == "runs.seed") {
			t.Errorf("%s: the seed is the same: %v", k.Path, same)
		}
	}
	if c, d := base.spec.StreamSeed(4, "workload"); a == c && b == d {
		t.Error("replications share a seed")
	}
	if c, d := base.spec.StreamSeed(3, "routing"); a == c && b == d {
		t.Error("streams share a seed")
	}
}

// The hash keys stored results: when this test fails, results of earlier
// versions are no longer found.
func TestHashIsStable(t *testing.T) {
	s := DefaultSpec()
	if got := s.Canonical(); got != "" {
		t.Errorf("the canonical text of the defaults is %q", got)
	}
	s.Network.BufferFlits, s.Machine.Dims = 4, []int{8, 8}
	s.Machine.Levels, s.Job.Levels = 9, 9 // which act on trees and in multigrid only
	s.Workload.Source, s.Workload.Trace = "swf", "/a/folder/log.swf.gz"
	if diff := cmp.Diff("machine.dims = [8, 8]\nnetwork.buffer_flits = 4\nworkload.source = \"swf\"\nworkload.trace = \"log.swf.gz\"\n", s.Canonical()); diff != "" {
		t.Error(diff)
	}
	if got, want := s.Hash(), "427b599207da7794"; got != want {
		t.Errorf("the hash is %s, it was %s", got, want)
	}
}

func TestDefaultsAreInRange(t *testing.T) {
	s := defaults()
	for _, k := range Keys() {
		if k.Shorthand {
			continue
		}
		raw, err := parseTOML(k.formatIn(&s))
		if err != nil {
			t.Fatal(err)
		}
		if _, bad := k.convert(raw, testNames()); bad != nil {
			t.Errorf("%s: %v", k.Path, bad)
		}
		if k.Doc == "" {
			t.Errorf("%s has no documentation", k.Path)
		}
	}
	if err := s.spec.Check(); err != nil {
		t.Error(err)
	}
}

func TestPresetGivesWayToKeysBesideIt(t *testing.T) {
	st, err := ParseStudy("x.toml", "[network]\nbuffer_flits = 7\npreset = \"procsimity\"\n", testNames())
	if err != nil {
		t.Fatal(err)
	}
	got := st.Base.Network
	want := DefaultSpec().Network
	want.RoutingCycles, want.FlitCycles, want.BufferFlits, want.VirtualChannels = 4, 3, 7, 1
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLoadAndInterarrivalTakeEachOtherBack(t *testing.T) {
	s := defaults()
	s.spec.Workload.Service.Mean = 2
	for _, step := range []struct {
		key  string
		raw  any
		want float64
	}{{"workload.system_load", 10.0, 0.2}, {"workload.interarrival.mean", 0.5, 0.5}, {"workload.system_load", int64(4), 0.5}} {
		if err := s.assign(step.key, step.raw, nil); err != nil {
			t.Fatal(err)
		}
		if got := s.spec.Workload.InterarrivalMean(); got != step.want {
			t.Errorf("after %s = %v the mean is %v, want %v", step.key, step.raw, got, step.want)
		}
	}
	if s.spec.Workload.Interarrival.Mean != 0 {
		t.Error("a load leaves an interarrival mean behind")
	}
}

func TestSpecSurvivesTOML(t *testing.T) {
	names := testNames()
	rapid.Check(t, func(t *rapid.T) {
		s := defaults()
		for _, k := range Keys() {
			if k.Shorthand || !rapid.Bool().Draw(t, k.Path) {
				continue
			}
			if raw := drawValue(t, k, names); raw != nil {
				if err := s.assign(k.Path, raw, names); err != nil {
					t.Fatalf("%v", err)
				}
			}
		}
		for err := s.contradiction(); err != nil; err = s.contradiction() { // gives way
			for _, k := range Keys() {
				if section, _, _ := strings.Cut(err.Key, "."); !k.Shorthand && strings.HasPrefix(k.Path, section+".") {
					k.field(&s).Set(k.field(new(defaults())))
				}
			}
		}
		s.spec.settle()
		st := Study{Name: "drawn", Base: s.spec, Runs: s.runs, Primary: []string{"finish_time"}}
		text := st.TOML("x")
		again, err := ParseStudy("spec.toml", text, names)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(s.spec.Canonical(), again.Base.Canonical()); diff != "" {
			t.Fatal(diff)
		}
		if again.Runs != s.runs || again.TOML("x") != text {
			t.Fatalf("not the same again:\n%s", text)
		}
	})
}

func (s *settings) contradiction() *InputError {
	if err := s.checkRuns(); err != nil {
		return err
	}
	return s.spec.Check()
}

// drawValue draws a value for the key as the TOML library would give it.
func drawValue(t *rapid.T, k Key, names Names) any {
	switch {
	case k.Path == "scheduler.decision":
		return rapid.SampledFrom([]string{"", "mbs", "paging:1,snake", "first-fit:rotate"}).Draw(t, "decision")
	case k.Path == "job.calibrate_on":
		return rapid.SampledFrom([]string{"", "each", "job.send_cycles = 5; network.arbiter = round-robin"}).Draw(t, "reference")
	case k.Mix:
		return rapid.SampledFrom([]string{"ring", "fft:2+ring:0.5"}).Draw(t, "mix")
	case k.Choices != nil:
		return rapid.SampledFrom(k.Choices).Draw(t, "choice")
	case k.Names != "":
		return rapid.SampledFrom(names.List(k.Names)).Draw(t, "name")
	case k.Type == "string":
		return rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return !isInvisible(r) })).Draw(t, "text")
	case k.Type == "boolean":
		return rapid.Bool().Draw(t, "flag")
	case k.Type == "integer":
		least, _ := strconv.Atoi(k.Min)
		return int64(rapid.IntRange(max(1, least), 10).Draw(t, "n"))
	case k.Type == "number or auto" && rapid.Bool().Draw(t, "auto"):
		return "auto"
	case k.Type == "number", k.Type == "number or auto":
		least, _ := strconv.ParseFloat(k.Min, 64)
		return rapid.Float64Range(max(1e-9, least), max(0.999, 2*least)).Draw(t, "x")
	case k.Type == "list of integers":
		return []any{int64(12), int64(rapid.IntRange(11, 20).Draw(t, "n"))}
	}
	return []any{rapid.Bool().Draw(t, "a"), rapid.Bool().Draw(t, "b")}
}

func TestAllocatorShortForm(t *testing.T) {
	for text, change := range map[string]func(*AllocatorSpec){
		"mbs":                        func(a *AllocatorSpec) { a.Name = "mbs" },
		"paging":                     func(a *AllocatorSpec) { a.Name = "paging" },
		"paging:2":                   func(a *AllocatorSpec) { a.Name, a.Page = "paging", 2 },
		"paging:1,snake":             func(a *AllocatorSpec) { a.Name, a.Page, a.Order = "paging", 1, "snake" },
		"snake/paging:1":             func(a *AllocatorSpec) { a.Name, a.Page, a.Order = "paging", 1, "snake" },
		"first-fit:rotate":           func(a *AllocatorSpec) { a.Name, a.Rotate = "first-fit", true },
		"mc1x1:greedy":               func(a *AllocatorSpec) { a.Name, a.LastShell = "mc1x1", "greedy" },
		"mc1x1-tie":                  func(a *AllocatorSpec) { a.Name = "mc1x1-tie" },
		"mc1x1-tie:0,1,0,3,previous": func(a *AllocatorSpec) { a.Name, a.ScanRadius, a.Available, a.Wall, a.Border = "mc1x1-tie", 0, 1, 0, 3 },
		"optimal":                    func(a *AllocatorSpec) { a.Name = "optimal" },
		"optimal:10":                 func(a *AllocatorSpec) { a.Name, a.Limit = "optimal", 10 },
		"ptas:5":                     func(a *AllocatorSpec) { a.Name, a.M = "ptas", 5 },
	} {
		want := DefaultSpec().Allocator
		change(&want)
		got, err := parseAllocator(text, BuiltinNames())
		if err != nil || got != want {
			t.Errorf("%s is %+v, %v, want %+v", text, got, err, want)
		}
		again, err := parseAllocator(got.String(), BuiltinNames())
		if err != nil || again != got {
			t.Errorf("%s is written %s, which reads %+v", text, got, again)
		}
	}
}

// The keys of an allocator have the defaults its short form has.
func TestAllocatorKeysAgreeWithShortForms(t *testing.T) {
	for _, name := range BuiltinNames().List("allocators") {
		a := DefaultSpec().Allocator
		a.Name = name
		if parsed, err := parseAllocator(name, BuiltinNames()); err != nil || parsed != a {
			t.Errorf("%s is %+v, %v; by its keys %+v", name, parsed, err, a)
		}
		if err := a.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
