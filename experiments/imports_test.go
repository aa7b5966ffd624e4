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
	"experiments/spec":      {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats"},
	"experiments/cosim":     {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats", "experiments/spec"},
	"experiments":           {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments/studies", "experiments/figure"},
	"experiments/report":    {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments", "experiments/figure", "experiments/studies"},
	"experiments/sweep":     {"experiments/bounded", "experiments/spec", "experiments"},
	"experiments/decide":    {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments", "experiments/report", "experiments/figure"},
	"experiments/tune":      {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments", "experiments/report", "experiments/figure"},
	"experiments/openloop":  {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments", "experiments/report", "experiments/figure"},
	"experiments/manual":    {"netsim", "netsim/topology", "router", "allocation", "patterns", "scheduler", "experiments/bounded", "experiments/decimal", "experiments/wholefile", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments", "experiments/report", "experiments/figure", "experiments/decide", "experiments/openloop", "experiments/tune"},
	"experiments/doctor":    {"netsim", "netsim/topology", "netsim/reference", "router", "allocation", "scheduler", "experiments/stats", "experiments/spec", "experiments/cosim", "experiments", "experiments/report", "experiments/openloop", "experiments/studies"},
	"": {"allocation", "experiments/spec", "experiments/cosim", "internal/cli",
		"netsim/topology"},
	"cmd/contend":          {""},
	"internal/cli":         {"experiments/spec", "experiments/cosim", "experiments", "experiments/report", "experiments/figure", "experiments/studies", "experiments/decide", "experiments/tune", "experiments/openloop", "experiments/manual", "experiments/doctor", "experiments/sweep"},
	"internal/papertest":   {}, // for tests
	"internal/testsummary": {}, // for make test
	"internal/mutants":     {},

	"netsim/topology/topologytest": {"netsim/topology"},           // for tests
	"router/routertest":            {"router", "netsim/topology"}, // for tests
}

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
			if ours, is := strings.CutPrefix(imported, "contend/"); is && !slices.Contains(allowed, ours) {
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
