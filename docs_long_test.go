//go:build long

package contend_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var fenced = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// Code and studies on a page about an example are text of the example, and
// tables are what its study prints.
func TestLongPagesShowTheExamples(t *testing.T) {
	for _, name := range []string{"own-allocator", "own-pattern", "own-policy", "own-metric",
		"own-topology", "own-routing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(filepath.Join("docs", "howto", name+".md"))
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{"go": "*.go", "toml": "study.toml"}
			seen := map[string]int{}
			for _, block := range fenced.FindAllStringSubmatch(string(page), -1) {
				kind, text := block[1], block[2]
				seen[kind]++
				switch file, ok := files[kind]; {
				case ok && !anyHas(t, filepath.Join("examples", name), file, text):
					t.Errorf("examples/%s: no %s has these lines:\n%s", name, file, text)
				case kind == "text" && !strings.Contains(exampleOf(t, name).text, text):
					t.Errorf("the study prints\n%s\nand not\n%s", exampleOf(t, name).text, text)
				case !ok && kind != "text" && kind != "sh":
					t.Errorf("a block of %s, which nothing tests", kind)
				}
			}
			if seen["go"] < 2 || seen["toml"] == 0 || seen["text"] == 0 {
				t.Errorf("the page shows %v", seen)
			}
		})
	}
}

// anyHas reports whether a file in a folder or in one below it holds a text.
func anyHas(t *testing.T, folder, pattern, text string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	below, err2 := filepath.Glob(filepath.Join(folder, "*", pattern))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return slices.ContainsFunc(append(files, below...), func(name string) bool {
		return strings.Contains(read(t, filepath.Dir(name), filepath.Base(name)), text)
	})
}
