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
	imports := map[string][]string{}
	for name, paths := range importsOfPackages(t) {
		imports[name] = nil
		for _, path := range paths {
			if imported, ours := ourName(path); ours {
				imports[name] = append(imports[name], imported)
			}
		}
	}
	above := map[string]bool{}
	for _, row := range mapRow.FindAllStringSubmatch(string(text), -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			name = strings.Trim(name, "`")
			found, exists := imports[name]
			if !exists {
				t.Errorf("the map has a package %s, which does not exist or stands there twice", name)
				continue
			}
			for _, imported := range found {
				if !above[imported] {
					t.Errorf("%s imports %s, which does not stand above it in the map", name, imported)
				}
				if strings.HasPrefix(name, "internal/") && !strings.HasPrefix(imported, "internal/") {
					t.Errorf("%s imports %s: ground utilities import only each other", name, imported)
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

// libraries lists the packages that import each library. A format or a kind of output has one home:
// no other package reads or writes it by the library. The folders of repodocs and of tests have no
// part in the program.
var libraries = map[string]string{
	"codeberg.org/go-fonts/liberation": "experiments/plot/limits",
	"codeberg.org/go-pdf/fpdf":         "experiments/plot",
	"github.com/BurntSushi/toml":       "internal/input",
	"github.com/parquet-go/parquet-go": "internal/table",
	"github.com/spf13/cobra":           "cmd/cli cmd/repodocs",
	"github.com/spf13/pflag":           "cmd/cli cmd/repodocs",
	"github.com/vbauerster/mpb":        "cmd/cli",
	"go.yaml.in/yaml":                  "experiments/formats/netfile",
	"golang.org/x/image":               "experiments/plot experiments/plot/limits",
	"golang.org/x/term":                "cmd/cli",
	"gonum.org/v1/gonum":               "experiments/stats scheduler",
	"gonum.org/v1/plot":                "experiments/plot",
	"google.golang.org/protobuf": "experiments/formats/chakra " +
		"experiments/formats/chakra/chakratest",
	"pgregory.net/rapid": "allocation/allocationtest internal/laws",
}

// TestWhoImportsLibraries holds the packages against libraries, in both directions.
func TestWhoImportsLibraries(t *testing.T) {
	users := map[string][]string{}
	for name, paths := range importsOfPackages(t) {
		for _, path := range paths {
			host, _, _ := strings.Cut(path, "/")
			if _, ours := ourName(path); ours || !strings.Contains(host, ".") {
				continue
			}
			library := path
			for l := range libraries {
				if strings.HasPrefix(path+"/", l+"/") {
					library = l
				}
			}
			users[library] = append(users[library], name)
		}
	}
	for library, names := range users {
		slices.Sort(names)
		if got := strings.Join(slices.Compact(names), " "); got != libraries[library] {
			t.Errorf("%s is imported by %s, want %s", library, got, libraries[library])
		}
	}
	if len(users) != len(libraries) {
		t.Errorf("%d libraries are imported, want %d", len(users), len(libraries))
	}
}

// What checks a study does not link what draws its figures.
func TestStudiesLinkNoDrawing(t *testing.T) {
	const drawing = "experiments/plot"
	packages := importsOfPackages(t)
	linked := map[string]bool{}
	var follow func(name string)
	follow = func(name string) {
		for _, path := range packages[name] {
			if imported, ours := ourName(path); ours && !linked[imported] {
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

// ourName returns the name of a package of the module from its path.
func ourName(path string) (name string, ours bool) {
	module := strings.TrimSuffix(reflect.TypeFor[Results]().PkgPath(), "/experiments")
	if path == module {
		return "contend", true
	}
	return strings.CutPrefix(path, module+"/")
}

// importsOfPackages returns the packages of the module with the paths that each imports, tests and
// examples left aside.
func importsOfPackages(t *testing.T) map[string][]string {
	t.Helper()
	list := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...")
	list.Dir = ".."
	packages := map[string][]string{}
	for line := range strings.Lines(string(must.Have(list.Output()))) {
		paths := strings.Fields(line)
		if name, _ := ourName(paths[0]); !strings.HasPrefix(name, "examples/") {
			packages[name] = paths[1:]
		}
	}
	return packages
}
