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

// A size that jobs are given is refused by the name of its own key.
func TestTooManyProcessors(t *testing.T) {
	s := DefaultSpec()
	s.Machine.Dims, s.Workload.Processors = []int{4, 4}, 17
	_, err := s.Plan()
	want := "workload.processors is 17, and the machine has 16: give 1 to 16, or 0 for jobs that " +
		"draw their sides"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	s.Workload.Processors = 16
	if _, err := s.Plan(); err != nil {
		t.Error(err)
	}
}
