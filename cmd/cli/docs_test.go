package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"contend/experiments/metrics"
	"contend/internal/must"
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

// A value that an axis does not have is refused in one line, whatever the values are: a few long
// ones, many short ones, and ones of long characters.
func TestLongNamesOfValues(t *testing.T) {
	for of, c := range map[string]struct {
		names, length int
		letter        string
	}{"few": {3, 115, "a"}, "wide": {3, 115, "ü"}, "one": {1, 1000, "a"}, "many": {40, 12, "x"}} {
		var values []string
		study, variants := "", ""
		for i := range c.names {
			name := fmt.Sprintf(`"%d%s"`, i, strings.Repeat(c.letter, c.length))
			values = append(values, name)
			variants += fmt.Sprintf("[[variants]]\nname = %s\nset = { \"workload.jobs\" = %d }\n", name, 2+i)
		}
		study = "name = \"names\"\n[machine]\ndims = [4, 4]\n[workload]\nside.max = 2\n[job]\n" +
			"run = \"fixed\"\n[runs]\nreplications = 1\n[[axes]]\nkey = \"variant\"\nvalues = [" +
			strings.Join(values, ", ") + "]\n[[axes]]\nkey = \"allocator\"\n" +
			"values = [\"mbs\", \"random\"]\n" + variants
		dir := t.TempDir()
		good, bad := filepath.Join(dir, "good.toml"), filepath.Join(dir, "bad.toml")
		must.Do(os.WriteFile(good, []byte(study), 0o600))
		must.Do(os.WriteFile(bad, []byte(study+"[[figures]]\nname = \"f\"\nkind = \"bars\"\n"+
			"x = \"allocator\"\nmetric = \"wait_time\"\nwhere = { variant = \"x\" }\n"), 0o600))
		for _, args := range []string{"run DIR/good.toml --jobs-csv -o DIR/out",
			"compare DIR/out --by allocator --where variant=x",
			"plot DIR/out --kind gantt --where variant=x", "why DIR/out 1 --where variant=x",
			"export DIR/out --at variant=x", "export DIR/out --at variant=" + strings.Repeat("ü", 500),
			"show DIR/bad.toml", "run DIR/bad.toml"} {
			var stderr bytes.Buffer
			words := strings.Fields(strings.ReplaceAll(args, "DIR", dir))
			status := Run(words, io.Discard, &stderr, metrics.Builtin())
			if strings.Contains(args, "good") {
				if status != exitDone {
					t.Fatal(stderr.String())
				}
				continue
			}
			lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
			last := lines[len(lines)-1]
			if status != exitInput || strings.Contains(stderr.String(), "panic") ||
				!strings.Contains(last, "there are ") || !utf8.ValidString(last) ||
				utf8.RuneCountInString(last) > 1200 {
				t.Errorf("%s, %.60s: status %d: %s", of, args, status, stderr.String())
			}
		}
	}
}
