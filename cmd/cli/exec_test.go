package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// The studies of the examples that are programs have two rows each, and the second, the program,
// has the cells of the first, the built-in part.
func TestProgramsOfExamples(t *testing.T) {
	if python("json") == "" {
		t.Skip("there is no python3")
	}
	for _, name := range []string{"exec-allocator", "exec-policy", "exec-pattern"} {
		t.Chdir(filepath.Join("..", "..", "examples", name))
		text := writtenPages(t, "run", "study.toml", "--no-progress", "-o", filepath.Join(t.TempDir(), "out"))
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
