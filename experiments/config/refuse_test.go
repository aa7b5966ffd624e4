package config

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/scheduler"
)

// Every field that package scheduler can refuse has a key.
func TestRefusedFieldsHaveKeys(t *testing.T) {
	files := must.Have(filepath.Glob("../../scheduler/*.go"))
	fields := regexp.MustCompile(`"((?:[A-Z]\w*Config|Replicate|Shake|ScaleToLoad)\.[\w.]*)"`)
	seen := map[string]bool{}
	for _, path := range files {
		text := must.Have(os.ReadFile(path))
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range fields.FindAllStringSubmatch(string(text), -1) {
			seen[m[1]] = true
		}
	}
	if len(seen) < 15 {
		t.Fatalf("only these fields were found: %v", seen)
	}
	for field := range seen {
		full := []string{field}
		switch {
		case field == "SyntheticConfig.Side.":
			full = []string{field + "Min", field + "Max", field + "Value",
				field + "Outside", field + "Round", field + "Distribution"}
		case field == "TransformConfig.":
			full = []string{field + "First", field + "Divide", field + "Max", field + "Load",
				field + "Work"}
		case strings.HasSuffix(field, ".Interarrival"), strings.HasSuffix(field, ".Service"),
			strings.HasSuffix(field, ".Quota"):
			full = []string{field + ".Kind", field + ".Mean"}
		}
		for _, name := range full {
			key := configKey(name)
			if _, ok := FindKey(key); !ok && key != "job.quota" {
				t.Errorf("%s has the key %q", name, key)
			}
		}
	}
}

func TestRefuseNamesTheKey(t *testing.T) {
	bad := Refuse(&scheduler.FieldError{Field: "SyntheticConfig.Side.Min", Problem: "is 9"})
	if bad.Key != "workload.side.min" || bad.Error() != "workload.side.min is 9" {
		t.Errorf("got %+v", bad)
	}
	if bad := Refuse(errors.New("something else")); bad.Key != "" || bad.Error() != "something else" {
		t.Errorf("got %+v", bad)
	}
}

// Sizes that a machine does not have are refused by the name of their key, also where another key
// has them.
func TestSizesBeyondTheMachine(t *testing.T) {
	for _, c := range []struct {
		processors int
		size, want string
	}{
		{17, "", "workload.processors is 17, and the machine has 16: give 1 to 16, or 0 for jobs that " +
			"draw their sides"},
		{16, "", ""},
		{0, "fixed:17", "workload.size has the size 17, and the machine has 16 nodes: give " +
			"sizes from 1 to 16"},
		{0, "4:0.5+20:2", "workload.size has the size 20, and the machine has 16 nodes: give " +
			"sizes from 1 to 16"},
		{0, "uniform:2,17", "workload.size has sizes from 2 to 17, and the machine has 16 nodes: give " +
			"sizes from 1 to 16, the smallest first"},
		{0, "log-uniform:9,4", "workload.size has sizes from 9 to 4, and the machine has 16 nodes: give " +
			"sizes from 1 to 16, the smallest first"},
		{0, "power-of-two:5,7", "workload.size has no power of two from 5 to 7: give sizes from 1 to " +
			"16, the smallest first"},
		{0, "exponential:16.5", "workload.size has the mean 16.5, and the machine has 16 nodes: give a " +
			"mean up to 16"},
		{0, "uniform:1,16", ""}, {0, "exponential:16", ""}, {0, "16:1+1:3", ""},
	} {
		s := DefaultSpec()
		s.Machine.Dims, s.Workload.Processors, s.Workload.Size = []int{4, 4}, c.processors, c.size
		got := ""
		if _, err := s.Plan(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

// Equal distributions of sizes have equal texts, other texts are refused.
func TestSizeTexts(t *testing.T) {
	for text, want := range map[string]string{"uniform": "uniform", "uniform:1,0": "uniform",
		"uniform:max=9": "uniform:1,9", "log-uniform:3": "log-uniform:3", "8": "fixed:8",
		"8:3": "fixed:8", "power-of-two:1,64": "power-of-two:1,64", "uniform:2,10": "uniform:2,10",
		"exponential:12.50": "exponential:12.5", "32:0.3+4": "4:1+32:0.3", "": ""} {
		s := Defaults()
		if err := s.Assign(sizePath, text); err != nil || s.Spec.Workload.Size != want {
			t.Errorf("%q is %q, want %q: %v", text, s.Spec.Workload.Size, want, err)
		}
	}
	for text, want := range map[string]string{"unifrm:1,4": `did you mean "uniform"?`,
		"fixed:0": "fixed:size is 0: give an integer from 1", "4:0+8": "the weight \"0\" is not",
		"0+8": `"0" is not a number of nodes`, "4+4:2": "4 nodes occur twice",
		"uniform:1,2,3": `uniform has no parameter "3"`, "exponential:-1": "give a number above 0"} {
		s := Defaults()
		if err := s.Assign(sizePath, text); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), sizePath) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Of workload.size, workload.processors and the keys of sides one says how large jobs are. Other
// sources of jobs have none of them.
func TestOneKeyHasTheSizes(t *testing.T) {
	for _, path := range []string{sizePath, "workload.side.distribution", "workload.side.max",
		"workload.side.round"} {
		k, _ := FindKey(path)
		s := DefaultSpec()
		s.Workload.Size = "uniform:1,4"
		if acts := k.Acts(&s); acts != (path == sizePath) {
			t.Errorf("%s beside a size: acts: %v", path, acts)
		}
		s.Workload.Processors = 4
		if k.Acts(&s) {
			t.Errorf("%s acts beside workload.processors", path)
		}
		s.Workload.Processors, s.Workload.Source = 0, SourceLublin
		if k.Acts(&s) {
			t.Errorf("%s acts on a model of logs", path)
		}
	}
}

// Where a load is measured, jobs of sizes that depend on the number of nodes are the same on
// machines of as many nodes, those of other sizes on all machines, and those of sides by sides.
func TestSameJobsBySizes(t *testing.T) {
	text := func(size, topology string) string {
		s := Defaults()
		s.Spec.Workload.SystemLoad, s.Spec.Workload.Size = 0.5, size
		if err := s.Assign("machine.topology", topology); err != nil {
			t.Fatal(err)
		}
		return must.Have(s.Spec.SameJobs())
	}
	for _, c := range []struct {
		size                 string
		asManyNodes, onOther bool
	}{
		{"uniform:1,16", true, true}, {"uniform", true, false}, {"exponential:9", true, false},
		{"", false, false},
	} {
		first := text(c.size, "mesh:8x8")
		if got := text(c.size, "torus:4x4x4") == first; got != c.asManyNodes {
			t.Errorf("%q: on as many nodes the same jobs: %v", c.size, got)
		}
		if got := text(c.size, "hyperx:4x4:p2") == first; got != c.onOther {
			t.Errorf("%q: on fewer nodes the same jobs: %v", c.size, got)
		}
	}
}

// job.bytes acts where some pattern takes its bytes, and not where all have their own.
func TestBytesOfPatterns(t *testing.T) {
	key, _ := FindKey("job.bytes")
	for pattern, want := range map[string]bool{
		"all-to-all-pairwise": true, "all-to-all-pairwise:bytes=4096": false,
		"put-incast:bytes=8": false, "all-reduce-ring": true, "all-to-all-pairwise:bytes=0": true,
		"all-to-all-pairwise:bytes=4096+all-reduce-ring": true,
	} {
		s := Defaults()
		if err := s.Assign("job.pattern", pattern); err != nil {
			t.Fatal(err)
		}
		if got := key.Acts(&s.Spec); got != want {
			t.Errorf("%s: job.bytes acts %v, want %v", pattern, got, want)
		}
	}
}
