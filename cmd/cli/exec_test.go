package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/service/external"
	"contend/internal/must"
)

// The studies of the examples that are programs have two rows each, and the second, the program,
// has the cells of the first, the built-in part.
func TestProgramsOfExamples(t *testing.T) {
	if python("json") == "" {
		t.Skip("there is no python3")
	}
	for _, name := range []string{"exec-allocator", "exec-policy", "exec-pattern"} {
		t.Chdir(filepath.Join("..", "..", "examples", name))
		text := writtenPages(t, "run", "study.toml", "--no-progress", "-o",
			filepath.Join(t.TempDir(), "out"))
		var cells []string
		for line := range strings.Lines(text) {
			if parts := strings.SplitN(line, "|", 3); len(parts) == 3 && !strings.Contains(line, "--") {
				cells = append(cells, parts[2])
			}
		}
		if len(cells) != 3 || cells[1] != cells[2] || !strings.Contains(cells[1], "±") {
			t.Errorf("%s: the study has the table\n%s", name, text)
		}
	}
}

// A program is named once, in one line, whatever its command has in it.
func TestProgramsAreNamedInALine(t *testing.T) {
	var stderr strings.Builder
	p := userPrograms{stderr: &stderr}
	for range 2 {
		must.Do(p.allow(must.Have(external.ParseCommand("sh -c \"x\ncontend: done\x1b[2K\""))))
	}
	const want = `contend: starts the program sh -c "x\ncontend: done\x1b[2K" ` +
		`(--no-exec refuses programs)`
	if got := stderr.String(); got != want+"\n" {
		t.Errorf("%q", got)
	}
}
