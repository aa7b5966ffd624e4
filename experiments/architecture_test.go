package experiments

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArchitectureNamesFiles holds the files and folders that ARCHITECTURE.md names
// against those that exist.
func TestArchitectureNamesFiles(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	quoted := regexp.MustCompile("`([a-z/]+/[a-z_*]+(?:\\.go)?|[a-z]+\\.go)`")
	paths := quoted.FindAllStringSubmatch(string(text), -1)
	for _, p := range paths {
		if found, err := filepath.Glob(filepath.Join("..", p[1])); err != nil || len(found) == 0 {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist", p[1])
		}
	}
	if rows := strings.Count(string(text), "? | "); len(paths) < 60 || rows != 20 {
		t.Errorf("%d paths and %d questions with answers, want at least 60 and just 20", len(paths), rows)
	}
}
