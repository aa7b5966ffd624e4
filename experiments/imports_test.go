package experiments

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mapRow matches a row of the map in ARCHITECTURE.md: a package, what is in it, and the
// packages of ours that it imports.
var mapRow = regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| .* \\| (-|`[a-z/`, ]+`) \\|$")

// TestWhoImportsWhom holds the imports of every package against the map in ARCHITECTURE.md:
// no import is missing there, none stands there without need, and every one is of a package
// further up.
func TestWhoImportsWhom(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	imports := importsOfOurs(t)
	var above []string
	for _, row := range mapRow.FindAllStringSubmatch(string(text), -1) {
		room, listed := row[1], []string(nil)
		if row[2] != "-" {
			listed = strings.Split(strings.ReplaceAll(row[2], "`", ""), ", ")
		}
		found, exists := imports[room]
		if !exists {
			t.Errorf("the map has a package %s, which does not exist or stands there twice", room)
			continue
		}
		for imported := range found {
			if !slices.Contains(listed, imported) {
				t.Errorf("%s imports %s, which the map does not say", room, imported)
			}
		}
		for _, imported := range listed {
			if !found[imported] {
				t.Errorf("the map says that %s imports %s, which it does not", room, imported)
			}
			if !slices.Contains(above, imported) {
				t.Errorf("%s imports %s, which does not stand above it in the map", room, imported)
			}
		}
		above = append(above, room)
		delete(imports, room)
	}
	for _, room := range slices.Sorted(maps.Keys(imports)) {
		t.Errorf("the package %s is not in the map", room)
	}
}

// importsOfOurs returns the packages of the module with what each imports of the others,
// tests left aside.
func importsOfOurs(t *testing.T) map[string]map[string]bool {
	t.Helper()
	root := os.DirFS("..")
	rooms := map[string]map[string]bool{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != "." &&
			(strings.HasPrefix(base, ".") || base == "testdata" || base == "examples") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		room := path.Dir(name)
		if room == "." {
			room = "contend"
		}
		if rooms[room] == nil {
			rooms[room] = map[string]bool{}
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, s := range file.Imports {
			imported, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				return err
			}
			if ours, is := strings.CutPrefix(imported, "contend/"); is || imported == "contend" {
				rooms[room][ours] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rooms
}
