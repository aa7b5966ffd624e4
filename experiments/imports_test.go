package experiments

import (
	"maps"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
)

// mapRow matches a row of the map in ARCHITECTURE.md: packages and what is in them.
var mapRow = regexp.MustCompile("(?m)^\\| ((?:`[a-z0-9/]+`(?:, )?)+) \\| .* \\|$")

// TestWhoImportsWhom holds the packages against the map in ARCHITECTURE.md: each stands there
// once, behind every package that it imports.
func TestWhoImportsWhom(t *testing.T) {
	text := must.Have(os.ReadFile("../ARCHITECTURE.md"))
	imports := importsOfOurs(t)
	above := map[string]bool{}
	for _, row := range mapRow.FindAllStringSubmatch(string(text), -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			name = strings.Trim(name, "`")
			found, exists := imports[name]
			if !exists {
				t.Errorf("the map has a package %s, which does not exist or stands there twice", name)
				continue
			}
			for imported := range found {
				if !above[imported] {
					t.Errorf("%s imports %s, which does not stand above it in the map", name, imported)
				}
			}
			above[name] = true
			delete(imports, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		t.Errorf("the package %s is not in the map", name)
	}
}

// What checks a study does not link what draws its figures.
func TestStudiesLinkNoDrawing(t *testing.T) {
	const drawing = "experiments/plot"
	imports := importsOfOurs(t)
	linked := map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		for imported := range imports[name] {
			if !linked[imported] {
				linked[imported] = true
				follow(imported)
			}
		}
	}
	follow("experiments/report")
	if !linked[drawing] {
		t.Fatalf("experiments/report does not link %s, which this test is about", drawing)
	}
	clear(linked)
	if follow("experiments"); linked[drawing] {
		t.Errorf("experiments links %s", drawing)
	}
}

// importsOfOurs returns the packages of the module with what each imports of the others,
// tests and examples left aside.
func importsOfOurs(t *testing.T) map[string]map[string]bool {
	t.Helper()
	list := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...")
	list.Dir = ".."
	text := must.Have(list.Output())
	module := strings.TrimSuffix(reflect.TypeFor[Results]().PkgPath(), "/experiments")
	ours := func(p string) (name string, is bool) {
		if p == module {
			return "contend", true
		}
		return strings.CutPrefix(p, module+"/")
	}
	packages := map[string]map[string]bool{}
	for line := range strings.Lines(string(text)) {
		paths := strings.Fields(line)
		name, _ := ours(paths[0])
		if strings.HasPrefix(name, "examples/") {
			continue
		}
		packages[name] = map[string]bool{}
		for _, p := range paths[1:] {
			if imported, is := ours(p); is {
				packages[name][imported] = true
			}
		}
	}
	return packages
}
