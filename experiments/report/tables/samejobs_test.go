package tables

import (
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/internal/must"
)

// machinesStudy has jobs of up to 16 processors on machines of 16.
const machinesStudy = `name = "machines"
primary = ["finish_time"]
[workload]
jobs = 20
[allocator]
name = "random"
[runs]
replications = 2
[table]
metrics = ["finish_time"]
[[axes]]
key = "machine.topology"
values = `

// A study over machines says whether they have the same jobs, by the jobs themselves, and a paired
// comparison does: sides of a mesh of two dimensions and those of a tree make the same sizes, a
// mesh of three dimensions has a third side, and jobs that ask for processors are the same on all.
func TestStudiesOverMachinesSayWhetherJobsAreTheSame(t *testing.T) {
	const differ = "Jobs differ between machine.topology = mesh:4x4 and mesh:4x2x2, in sizes, " +
		"quotas; so do those of 1 other pair."
	const pairs = "Their jobs differ all the same, by machine.topology, in sizes, quotas."
	for _, c := range []struct{ values, more, note, caption string }{
		{`["mesh:4x4", "fat-tree:4x4", "hyperx:2x2:p4"]`, "", "All values of machine.topology have " +
			"the same jobs.", "so the same jobs (common random numbers)."},
		{`["mesh:4x4", "mesh:4x2x2", "fat-tree:4x4"]`, "", differ, pairs},
		{`["mesh:4x4", "mesh:4x2x2", "fat-tree:4x4"]`, "[[overrides]]\nwhen = {}\nset = { " +
			"\"workload.processors\" = 5 }\n", "All values of machine.topology have the same jobs.",
			"so the same jobs (common random numbers)."},
		{`["mesh:4x4"]`, "[[axes]]\nkey = \"allocator\"\nvalues = [\"random\", \"mbs\"]\n", "", ""},
	} {
		r := experimentstest.Recorded(t, machinesStudy+c.values+"\n"+c.more, experiments.Tables{})
		if got := jobsText(r); got != c.note {
			t.Errorf("%s: %q, want %q", c.values, got, c.note)
		}
		again := must.Have(experiments.ReadFolder(r.Folder.Dir, r.Names))
		if got := jobsText(again); got != c.note {
			t.Errorf("%s: read again %q, want %q", c.values, got, c.note)
		}
		if c.caption == "" {
			continue
		}
		pairs := must.Have(CompareBy(r, "machine.topology"))
		if text := strings.Join(pairs.Caption([]string{"finish_time"}), "\n"); !strings.Contains(text,
			c.caption) {
			t.Errorf("%s: no %q in %s", c.values, c.caption, text)
		}
	}
}
