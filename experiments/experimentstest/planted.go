package experimentstest

import (
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/study"
)

// planted is a study with two rules: of what is late, and of what is not.
const planted = `name = "planted"
[machine]
dims = [4, 4]
[workload]
jobs = 5
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random"]
[[tolerances]]
name = "random-late"
rule = "bounds"
metric = "finish_time"
of = "random"
relative_to = "mbs"
min = 0.5
max = 2
why = "a test"
[[tolerances]]
name = "never"
rule = "bounds"
metric = "finish_time"
of = "random"
relative_to = "mbs"
max = 0.5
`

// Planted returns the text of a study with two rules, random-late and never, with a change.
func Planted(old, replaced string) string { return strings.Replace(planted, old, replaced, 1) }

// LoadPlanted returns a loader of that study as the only built-in one.
func LoadPlanted(t *testing.T, old, replaced string) func(string) *study.Study {
	return func(name string) *study.Study {
		if name != "planted" {
			return nil
		}
		st, err := study.Parse("planted.toml", Planted(old, replaced), metrics.Builtin())
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
}

// RecordPlanted runs that study into a folder of a name.
func RecordPlanted(t *testing.T, name, old, replaced string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), name)
	if _, err := Record(dir, Planted(old, replaced), experiments.Tables{}); err != nil {
		t.Fatal(err)
	}
	return dir
}
