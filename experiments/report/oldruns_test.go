package report

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

const oldRunsStudy = `
name = "old"
primary = ["wait_time"]
[runs]
replications = 2
[[axes]]
key = "allocator"
values = ["mbs", "random"]
`

// programRun runs the study as one program into a folder; its results are
// those of queue times factor. It returns the table and how many runs it made.
func programRun(t *testing.T, dir, program string, factor float64, keep bool) (string, int) {
	t.Helper()
	st := mustParse(t, oldRunsStudy)
	folder, err := experiments.OpenFolder(dir, st, program, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	if keep {
		folder.KeepOld()
	}
	var made atomic.Int32
	run := func(ctx context.Context, plan *spec.Plan, rep int, x *cosim.Extra) (cosim.Result, error) {
		made.Add(1)
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
	return Markdown(results), int(made.Load())
}

func TestRunsOfAnotherProgramAreLeftAside(t *testing.T) {
	dir, fresh := t.TempDir(), t.TempDir()
	programRun(t, dir, "devel-a", 1, false)
	want, _ := programRun(t, fresh, "devel-b", 3, false)

	st := mustParse(t, oldRunsStudy)
	folder, err := experiments.OpenFolder(dir, st, "devel-b", spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	if n, programs := folder.Old(); n != 4 || !cmp.Equal(programs, []string{"devel-a"}) {
		t.Errorf("%d runs of %v are old, want 4 of devel-a", n, programs)
	}
	folder.Close()

	// The folder is of the second program now, also where nothing was rerun yet.
	read, err := experiments.ReadFolder(dir, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	if n := read.Replications(0); n != 0 {
		t.Errorf("%d runs of the first program are results of the second's folder", n)
	}

	got, made := programRun(t, dir, "devel-b", 3, false)
	if diff := cmp.Diff(want, got); diff != "" || made != 4 {
		t.Errorf("%d runs made, want 4; %s", made, diff)
	}
	if diff := cmp.Diff(spectest.ReadTree(t, fresh), spectest.ReadTree(t, dir)); diff != "" {
		t.Error("the folder is not that of a first run:", diff)
	}
	if _, made := programRun(t, dir, "devel-b", 3, false); made != 0 {
		t.Errorf("the same program made %d runs again", made)
	}
}

func TestKeepOldTakesRunsOfAnotherProgramAndSaysSo(t *testing.T) {
	dir := t.TempDir()
	before, _ := programRun(t, dir, "devel-a", 1, false)
	got, made := programRun(t, dir, "devel-b", 3, true)
	const said = "4 of 4 runs were made by another program (devel-a) and kept on purpose " +
		"(--keep-old).\n"
	if made != 0 || strings.Replace(got, said, "", 1) != before || !strings.Contains(got, said) {
		t.Errorf("%d runs made, and the table is\n%s", made, got)
	}
	read, err := experiments.ReadFolder(dir, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	if text := read.KeptText(); text+"\n" != said {
		t.Errorf("read again: %q", text)
	}
	written := Validation([]*experiments.Results{read}, spectest.Names(), nil, "")
	if !strings.Contains(written, said) {
		t.Errorf("not in\n%s", written)
	}
	if tex := TeX(read); !strings.Contains(tex, "% "+said) {
		t.Errorf("not in\n%s", tex)
	}

	// What was kept once is not kept for ever.
	got, made = programRun(t, dir, "devel-b", 3, false)
	if made != 4 || strings.Contains(got, "--keep-old") {
		t.Errorf("%d runs made, and the table is\n%s", made, got)
	}
	text, err := os.ReadFile(filepath.Join(dir, experiments.RunsFile))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "devel-a") || strings.Contains(string(text), "kept_by") {
		t.Errorf("runs that were made again are still there:\n%s", text)
	}
}

// A narrower study leaves the other lines where they are.
func TestRunsNotMadeAgainStayBehind(t *testing.T) {
	dir := t.TempDir()
	programRun(t, dir, "devel-a", 1, false)
	st := mustParse(t, strings.Replace(oldRunsStudy, `"mbs", `, "", 1))
	folder, err := experiments.OpenFolder(dir, st, "devel-b", spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	r := experiments.Runner{Names: spectest.Names(), Run: queue, Workers: 1, Folder: folder}
	results, err := r.Study(t.Context(), st)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Finish(results); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(filepath.Join(dir, experiments.RunsFile))
	if a, b := strings.Count(string(text), "devel-a"),
		strings.Count(string(text), "devel-b"); a != 2 || b != 2 {
		t.Errorf("%d lines of the first program, %d of the second, want 2 and 2", a, b)
	}
}

// A section of the validation names the program that made its runs, also where the program
// that writes the document is another one.
func TestValidationNamesTheProgram(t *testing.T) {
	dir := t.TempDir()
	programRun(t, dir, "devel-a", 1, false)
	read, err := experiments.ReadFolder(dir, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	text := Validation([]*experiments.Results{read}, spectest.Names(), nil, "")
	if want := "\n## old\n\nRuns made by contend devel-a.\n"; !strings.Contains(text, want) {
		t.Errorf("%q is not in\n%s", want, text)
	}
}
