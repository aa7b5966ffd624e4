package tables

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// A verdict is of these jobs where both values have the same jobs in all replications: those of a
// log without windows, also if submissions are moved, and jobs of which only the place is drawn. It
// is of more where jobs are drawn, also those of one size, or are windows.
func TestVerdictsOnTheSameJobs(t *testing.T) {
	log := filepath.Join(t.TempDir(), "jobs.swf")
	var lines strings.Builder
	for i := range 40 { // jobs of other sizes and run times, so windows differ
		fmt.Fprintf(&lines, "%d %d 0 %d %d -1 -1 -1 -1 -1 1 1 1 1 1 1 -1 -1\n", i+1, 9*i, 30+7*(i%11),
			1+5*i%13)
	}
	must.Have(0, os.WriteFile(log, []byte(lines.String()), 0o600))
	const fixed = "[job]\nrun = \"fixed\"\n"
	of := fixed + "[workload]\nsource = \"swf\"\ntrace = '" + log + "'\njobs = 10\n"
	const policies = "\"scheduler.policy\"\nvalues = [\"fcfs\", \"easy\"]\n"
	for _, c := range []struct {
		name, text, axis string
		same             bool
	}{
		{"a log, submissions moved", of + "shake = 5\n", policies, true},
		{"windows of a log", of + "window = 10\n", policies, false},
		{"synthetic jobs", fixed + "[workload]\njobs = 40\n", policies, false},
		{"synthetic jobs of one size", fixed + "[workload]\njobs = 40\nprocessors = 5\n", policies,
			false},
		{"jobs together", "[workload]\nsource = \"together\"\nprocesses = 4\nplacement = \"random\"\n" +
			"[job]\nquota = { iterations = 2 }\n",
			"\"network.buffer_flits\"\nvalues = [2, 4]\n", true},
	} {
		r := experimentstest.Recorded(t, "name = \"same\"\nprimary = [\"finish_time\"]\n"+c.text+
			"[machine]\ndims = [4, 4]\n[runs]\nreplications = 3\n[[axes]]\nkey = "+c.axis,
			experiments.Tables{})
		if a, b := r.JobsRepeat(0), r.JobsRepeat(1); a != c.same || b != c.same {
			t.Errorf("%s: jobs repeat: %v and %v, want %v", c.name, a, b, c.same)
		}
	}
}

// The verdict says on which jobs in each of the cells, and the caption and the CSV file say so.
func TestVerdictNamesTheseJobs(t *testing.T) {
	c := differences(differed(t, "", tenTimes()))[0]
	verdicts := func() (list []string) {
		for _, row := range c.grid("finish_time", terminal).Cells[1:] {
			list = append(list, row[len(row)-1])
		}
		return list
	}
	for _, same := range []bool{false, true} {
		for i := range c.Pairs {
			c.Pairs[i].SameJobs = same
		}
		want, limit := []string{"yes", "no"}, ""
		if same {
			want, limit = []string{"yes, on these jobs", "no, on these jobs"}, "on these jobs"
		}
		if got := verdicts(); !slices.Equal(got, want) {
			t.Errorf("same jobs %v: %q, want %q", same, got, want)
		}
		cells := c.csvCells(&c.Pairs[0])
		if got := cells[len(cells)-2:]; got[0].String() != "yes" || got[1].String() != limit {
			t.Errorf("same jobs %v: in CSV %v", same, got)
		}
		caption := strings.Join(c.Caption([]string{"finish_time"}), "\n")
		if strings.Contains(caption, "\nOn these jobs: ") != same {
			t.Errorf("same jobs %v: %s", same, caption)
		}
	}
}
