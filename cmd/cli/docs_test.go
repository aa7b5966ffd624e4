package cli

import (
	"bytes"
	"contend/experiments/metrics"
	"contend/internal/must"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Completions are scripts in which each shell that is there finds no error.
func TestCompletions(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := filepath.Join(t.TempDir(), shell)
		text := writtenPages(t, "completion", shell)
		if !strings.Contains(text, "contend") || !strings.Contains(text, "__complete") {
			t.Errorf("%s: no completions in\n%s", shell, text)
		}
		must.Do(os.WriteFile(script, []byte(text), 0o600))
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		if out, err := exec.Command(shell, "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, out)
		}
	}
	if got := writtenPages(t, "__complete", "list", "allo"); !strings.HasPrefix(got, "allocators\n") {
		t.Errorf("contend list allo is completed to\n%s", got)
	}
}

// writtenPages is what a command that must succeed writes on standard output.
func writtenPages(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if status := Run(args, &out, &errs, metrics.Builtin()); status != exitDone {
		t.Fatalf("contend %v: status %d\n%s", args, status, errs.String())
	}
	return out.String()
}
