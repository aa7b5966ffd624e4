package experiments

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mapRow matches a row of the map in ARCHITECTURE.md: packages and what is in them.
var mapRow = regexp.MustCompile("(?m)^\\| ((?:`[a-z0-9/]+`(?:, )?)+) \\| .* \\|$")

// TestWhoImportsWhom holds the packages against the map in ARCHITECTURE.md: each stands there
// once, behind every package that it imports.
func TestWhoImportsWhom(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
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

// importsOfOurs returns the packages of the module with what each imports of the others,
// tests left aside.
func importsOfOurs(t *testing.T) map[string]map[string]bool {
	t.Helper()
	root := os.DirFS("..")
	module := strings.TrimSuffix(reflect.TypeFor[Results]().PkgPath(), "/experiments")
	packages := map[string]map[string]bool{}
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
		pkg := path.Dir(name)
		if pkg == "." {
			pkg = "contend"
		}
		if packages[pkg] == nil {
			packages[pkg] = map[string]bool{}
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
			if imported == module {
				packages[pkg]["contend"] = true
			} else if ours, is := strings.CutPrefix(imported, module+"/"); is {
				packages[pkg][ours] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}
