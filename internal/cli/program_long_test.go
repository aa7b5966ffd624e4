//go:build long

package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A folder that one build filled, and a build of other code that comes after
// it: neither has stamps of version control. The other code refuses the folder,
// or starts it anew; the same code, built again, runs nothing again.
func TestLongAnotherBuildDoesNotTakeStoredRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles the program three times")
	}
	one, same, other := built(t, "one", ""), built(t, "same", ""), built(t, "other", tripled(t))
	dir := t.TempDir()
	run := func(program string, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, err strings.Builder
		c := exec.Command(program, append([]string{"run", "lo-table1", "--quick", "--set",
			"workload.jobs=30",
			"--set", "runs.replications=1", "--axis", "allocator=mbs", "-o"}, args...)...)
		c.Dir, c.Stdout, c.Stderr = dir, &out, &err
		if e := c.Run(); e != nil {
			t.Fatalf("%v\n%s", e, &err)
		}
		return strings.ReplaceAll(out.String(), args[0], ""), err.String()
	}
	first, _ := run(one, "folder")
	if again, said := run(same, "folder"); again != first ||
		strings.Contains(said, "another program") {
		t.Errorf("the same code, built again, says %q and\n%s", said, again)
	}
	again := exec.Command(other, "run", "lo-table1", "--quick", "-o", "folder")
	again.Dir = dir
	said, err := again.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInput || !regexp.MustCompile(
		`^contend: folder/runs.jsonl:1:1: the run was made by another program `+
			`\(devel-[0-9a-f]{12}\), not by devel-[0-9a-f]{12}: choose another folder with -o, or start `+
			`this one anew with --fresh\n$`).Match(said) {
		t.Errorf("other code ends with %v and says %q", err, said)
	}
	anew, _ := run(other, "anew")
	if changed, _ := run(other, "folder", "--fresh"); changed != anew || changed == first {
		t.Errorf("in the old folder other code has\n%s\nin a new one\n%s", changed, anew)
	}
}

func quoted(path string) string { return `"` + strings.ReplaceAll(path, `\`, `\\`) + `"` }

// built compiles the program, in the way of go run: without the stamps of
// version control. overlay, if not "", replaces files of it.
func built(t *testing.T, name, overlay string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	args := []string{"build", "-buildvcs=false", "-o", path}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	if out, err := exec.Command("go",
		append(args, "contend/cmd/contend")...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// tripled is an overlay in which jobs take three times their run time.
func tripled(t *testing.T) string {
	t.Helper()
	original, err := filepath.Abs(filepath.Join("..", "..", "scheduler", "fixed.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	const line = "seconds := j.RunTime"
	if strings.Count(string(text), line) != 1 {
		t.Fatalf("%s has not one line %q", original, line)
	}
	dir := t.TempDir()
	changed, overlay := filepath.Join(dir, "fixed.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(text), line,
		"seconds := 3 * j.RunTime", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	replace := `{"Replace":{` + quoted(original) + `:` + quoted(changed) + `}}`
	if err := os.WriteFile(overlay, []byte(replace), 0o644); err != nil {
		t.Fatal(err)
	}
	return overlay
}
