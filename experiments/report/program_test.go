package report

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/cosim/metrics"
	"contend/experiments/experimentstest"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

const programStudy = `
name = "program"
primary = ["wait_time"]
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random"]
`

// programRun runs the study as one program into a folder; its results are
// those of queue times factor.
func programRun(t *testing.T, dir, program string, factor float64) {
	t.Helper()
	st := experimentstest.MustParse(t, programStudy)
	folder, err := experiments.OpenFolder(dir, st, program, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, plan *spec.Plan, rep int, x *cosim.Extra) (
		metrics.Result, error,
	) {
		r, err := queue(ctx, plan, rep, x)
		r.Metrics[0].Value *= factor
		return r, err
	}
	r := experiments.Runner{Names: spectest.Names(), Run: run, Workers: 1, Folder: folder}
	results, err := r.Study(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Finish(results); err != nil {
		t.Fatal(err)
	}
}

// A program neither takes the runs of another one for its own nor replaces them, unless it is
// told to start anew.
func TestRunsOfAnotherProgramAreRefused(t *testing.T) {
	dir, fresh := t.TempDir(), t.TempDir()
	programRun(t, dir, "devel-a", 1)
	programRun(t, fresh, "devel-b", 3)
	before := spectest.ReadTree(t, dir)

	st := experimentstest.MustParse(t, programStudy)
	_, err := experiments.OpenFolder(dir, st, "devel-b", spectest.Names())
	const want = "runs.jsonl:1:1: the run was made by another program (devel-a), not by devel-b: " +
		"choose another folder with -o, or start this one anew with --fresh"
	spectest.MustBeInput(t, err)
	if !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := experiments.PeekFolder(dir, st, "devel-b", spectest.Names()); err == nil {
		t.Error("a dry run takes the runs of another program")
	}
	if diff := cmp.Diff(before, spectest.ReadTree(t, dir)); diff != "" {
		t.Error("the folder that was refused has changed:", diff)
	}

	if err := experiments.ClearFolder(dir); err != nil {
		t.Fatal(err)
	}
	programRun(t, dir, "devel-b", 3)
	if diff := cmp.Diff(spectest.ReadTree(t, fresh), spectest.ReadTree(t, dir)); diff != "" {
		t.Error("the folder is not that of a first run:", diff)
	}
}

// Results of two programs are not shown as those of one.
func TestRunsOfTwoProgramsAreRefused(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	programRun(t, dir, "devel-a", 1)
	programRun(t, other, "devel-b", 3)
	a := strings.SplitAfter(spectest.ReadTree(t, dir)["/runs.jsonl"], "\n")
	b := strings.SplitAfter(spectest.ReadTree(t, other)["/runs.jsonl"], "\n")
	path := filepath.Join(dir, experiments.RunsFile)
	if err := os.WriteFile(path, []byte(a[0]+b[1]), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := experiments.ReadFolder(dir, spectest.Names())
	const want = "runs.jsonl:2:1: the run was made by another program (devel-b), not by devel-a: "
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
