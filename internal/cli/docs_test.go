package cli

import (
	"bytes"
	"contend/experiments/cosim/metrics"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every command has a man page, in which the local man, if there is one, finds
// nothing to complain about.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	written(t, "manual", "--man", dir)
	pages := folder(t, dir)
	for _, command := range []string{"", "-run", "-plot", "-compare", "-net", "-allocate",
		"-trace-stats"} {
		if pages["contend"+command+".1"] == "" {
			t.Errorf("no man page contend%s.1", command)
		}
	}
	if _, err := exec.LookPath("groff"); err != nil {
		return
	}
	for name := range pages {
		out, err := exec.Command("groff", "-man", "-ww", "-Tutf8", "-z",
			filepath.Join(dir, name)).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("groff on %s: %v\n%s", name, err, out)
		}
	}
}

// Completions are scripts in which each shell that is there finds no error.
func TestCompletions(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := filepath.Join(t.TempDir(), shell)
		text := written(t, "completion", shell)
		if !strings.Contains(text, "contend") || !strings.Contains(text, "__complete") {
			t.Errorf("%s: no completions in\n%s", shell, text)
		}
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		if out, err := exec.Command(shell, "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, out)
		}
	}
	if got := written(t, "__complete", "list", "allo"); !strings.HasPrefix(got, "allocators\n") {
		t.Errorf("contend list allo is completed to\n%s", got)
	}
}

// written is what a command that must succeed writes on standard output.
func written(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Run(args, &out, &errs, metrics.Builtin()); status != exitDone {
		t.Fatalf("contend %v: status %d\n%s", args, status, errs.String())
	}
	return out.String()
}

// folder is the text of the files of a folder.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		texts[f.Name()] = string(text)
	}
	return texts
}
