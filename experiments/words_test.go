package experiments

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/spec"
)

// namesKeys says how many texts of a package below spec name a key. None may in
// cosim, beside the documentation of metrics; elsewhere the number may only fall.
var namesKeys = map[string]int{
	"experiments/cosim": 0,
	"router":            0,
	"patterns":          0,
	"allocation":        0,
	"netsim":            0,
	"netsim/topology":   0,
	"scheduler":         0,
}

// Only spec knows what keys are called and which words they may have: the others
// get a plan of constants.
func TestOnlySpecKnowsKeysAndTheirWords(t *testing.T) {
	for pkg, most := range namesKeys {
		files, err := filepath.Glob("../" + pkg + "/*.go")
		if err != nil || len(files) < 5 {
			t.Fatalf("%d files in %s: %v", len(files), pkg, err)
		}
		found := wordsOf(t, files)
		if len(found.keys) > most {
			t.Errorf("%s names keys %d times, at most %d are known:\n%s", pkg, len(found.keys), most,
				strings.Join(found.keys, "\n"))
		} else if len(found.keys) < most {
			t.Errorf("%s names keys %d times only, not %d: change the table", pkg, len(found.keys), most)
		}
		if pkg == "experiments/cosim" && found.compared != nil {
			t.Errorf("%s compares words of keys:\n%s", pkg, strings.Join(found.compared, "\n"))
		}
	}
}

// The test finds what it looks for.
func TestWordsAreFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.go")
	source := `package x
var docs = []MetricInfo{{"a", "see job.run"}}
const key = "job.run"
func f(s string) bool {
	switch s {
	case "swf", "other":
	}
	g("with scheduler.policy = easy", "no.key", "job.runs")
	return s == "messages" || "mesh" != s || s == "" || slices.Contains([]string{"ring"}, s)
}`
	if err := os.WriteFile(path, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	found := wordsOf(t, []string{path})
	if len(found.keys) != 2 || len(found.compared) != 4 {
		t.Errorf("found %q", found)
	}
}

// words are places in the source.
type words struct{ keys, compared []string }

// wordsOf lists the texts that name keys, and those that are words of keys and
// compared with something.
func wordsOf(t *testing.T, files []string) (found words) {
	t.Helper()
	var paths []string
	var choices []string
	names := spec.BuiltinNames()
	for _, k := range spec.Keys() {
		if choices = append(choices, k.Choices...); k.Names != "" {
			choices = append(choices, names.List(k.Names)...)
		}
		if strings.Contains(k.Path, ".") {
			paths = append(paths, regexp.QuoteMeta(k.Path))
		}
	}
	key := regexp.MustCompile(`\b(` + strings.Join(paths, "|") + `)\b`)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		at := func(n ast.Node, text string) string {
			return set.Position(n.Pos()).String() + ": " + strconv.Quote(text)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if isMetricInfos(n) {
				return false
			}
			if text, ok := textOf(n); ok && key.MatchString(text) {
				found.keys = append(found.keys, at(n, text))
			}
			for _, e := range comparedIn(n) {
				if text, ok := textOf(e); ok && slices.Contains(choices, text) {
					found.compared = append(found.compared, at(e, text))
				}
			}
			return true
		})
	}
	return found
}

// textOf is the value of a string literal.
func textOf(n ast.Node) (string, bool) {
	if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		text, err := strconv.Unquote(lit.Value)
		return text, err == nil
	}
	return "", false
}

// comparedIn lists what a node compares with something.
func comparedIn(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			return []ast.Expr{n.X, n.Y}
		}
	case *ast.CaseClause:
		return n.List
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || f.Sel.Name != "Contains" && f.Sel.Name != "Index" {
			return nil
		}
		compared := slices.Clone(n.Args)
		for _, arg := range n.Args {
			if list, ok := arg.(*ast.CompositeLit); ok {
				compared = append(compared, list.Elts...)
			}
		}
		return compared
	}
	return nil
}

// isMetricInfos tells whether a node documents metrics.
func isMetricInfos(n ast.Node) bool {
	list, ok := n.(*ast.CompositeLit)
	if !ok {
		return false
	}
	if array, is := list.Type.(*ast.ArrayType); is {
		name, is := array.Elt.(*ast.Ident)
		return is && name.Name == "MetricInfo"
	}
	return false
}
