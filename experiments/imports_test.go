package experiments

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// simulation is what one run is computed with, and storage what any of its files is read and
// written with.
var (
	simulation = []string{"netsim", "netsim/topology", "router", "allocation", "patterns",
		"scheduler"}
	storage = []string{"experiments/bounded", "experiments/decimal", "experiments/wholefile",
		"experiments/stats"}
)

// What a package may import that stands at this place in the order of packages.
var (
	belowSpec   = slices.Concat(simulation, storage)
	belowCosim  = with(belowSpec, "experiments/spec")
	belowStudy  = with(belowCosim, "experiments/cosim", "experiments/figure")
	belowReport = with(belowStudy, "experiments")
	belowTools  = with(belowReport, "experiments/report")
)

// mayImport says which of our packages a package may import; a package that is
// not listed may not exist.
var mayImport = map[string][]string{
	"netsim/topology":  {},
	"patterns":         {},
	"router":           {"netsim/topology"},
	"allocation":       {"netsim/topology"},
	"netsim":           {"router", "netsim/topology"},
	"netsim/reference": {"netsim", "router", "netsim/topology"},
	"scheduler": {"allocation", "netsim/topology", "experiments/bounded",
		"experiments/wholefile"},
	"experiments/bounded":   {},
	"experiments/decimal":   {},
	"experiments/wholefile": {},
	"experiments/figure":    {"experiments/decimal", "experiments/wholefile"},
	"experiments/studies":   {},
	"experiments/stats":     {},
	"experiments/spec":      belowSpec,
	"experiments/cosim":     belowCosim,
	"experiments":           with(belowStudy, "experiments/studies"),
	"experiments/report":    with(belowReport, "experiments/studies"),
	"experiments/sweep":     {"experiments/bounded", "experiments/spec", "experiments"},
	"experiments/decide":    belowTools,
	"experiments/tune":      belowTools,
	"experiments/openloop":  belowTools,
	"experiments/manual": with(belowTools, "experiments/decide", "experiments/openloop",
		"experiments/tune"),
	"experiments/doctor": {"netsim", "netsim/topology", "netsim/reference", "router", "allocation",
		"scheduler", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments",
		"experiments/report", "experiments/openloop", "experiments/studies"},
	"":            {"allocation", "experiments/spec", "experiments/cosim", "internal/cli"},
	"cmd/contend": {""},
	"internal/cli": {"experiments/spec", "experiments/cosim", "experiments", "experiments/report",
		"experiments/figure", "experiments/studies", "experiments/decide", "experiments/tune",
		"experiments/openloop", "experiments/manual", "experiments/doctor", "experiments/sweep"},
	"internal/papertest":   {}, // for tests
	"internal/testsummary": {}, // for make test
	"internal/mutants":     {},

	"netsim/topology/topologytest": {"netsim/topology"},           // for tests
	"router/routertest":            {"router", "netsim/topology"}, // for tests
	"experiments/spec/spectest":    {"experiments/spec"},          // for tests
}

// with returns a layer and more packages.
func with(layer []string, more ...string) []string { return slices.Concat(layer, more) }

func TestWhoImportsWhom(t *testing.T) {
	root := os.DirFS("..")
	seen := 0
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "." &&
			(strings.HasPrefix(name, ".") || name == "testdata" || name == "examples") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == "." {
			pkg = "" // the module's own package
		}
		allowed, known := mayImport[pkg]
		if !known {
			t.Errorf("%s: the package %s is not in the table of who may import whom", path, pkg)
			return nil
		}
		seen++
		text, err := fs.ReadFile(root, path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, plan := range file.Imports {
			imported, err := strconv.Unquote(plan.Path.Value)
			if err != nil {
				return err
			}
			if imported == "contend" {
				imported = "contend/"
			}
			ours, is := strings.CutPrefix(imported, "contend/")
			if is && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s, which %s may not", path, ours, pkg)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Errorf("only %d files were looked at", seen)
	}
}
