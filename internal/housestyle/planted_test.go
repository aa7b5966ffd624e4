package housestyle

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// planted breaks each rule in one file or package and keeps it in another.
var planted = fstest.MapFS{
	"bad/bad.go": {Data: []byte("package bad\n\ntype T struct {\n\tA, B int\n\tc int\n}\n\n" +
		"func long() {\n" + strings.Repeat("\tlong()\n", maxLines) + "}\n\n" +
		"// " + strings.Repeat("x", maxColumns) + "\n")},
	"bad/bad_test.go": {Data: []byte("package bad\n\nfunc Example() {\n\t// Output:\n}\n")},
	"good/good.go": {Data: []byte("// Package good keeps the rules.\npackage good\n\n" +
		"// T has a commented field.\n" +
		"type T struct {\n\t// A is one, from 0.\n\tA int\n\tB int // B too\n\tC int `doc:\"a " +
		"key\"`\n}\n\n" +
		"type t struct{ C int }\n\n" +
		"func table() []int {\n\treturn []int{\n" +
		strings.Repeat("\t\t1,\n", 2*maxLines) + "\t}\n}\n\n" +
		"// " + strings.Repeat("ü", maxColumns-3) + "\n")},
	"good/good_test.go": {Data: []byte("package good_test\n\nfunc Example() {\n" +
		"\tprintln()\n\t// Output: 1\n}\n")},
	"main/main.go":         {Data: []byte("// Main is a command.\npackage main\n")},
	"only/only_test.go":    {Data: []byte("package only\n")},
	"testdata/bad.go":      {Data: []byte("package bad\n")},
	"examples/own/go.mod":  {Data: []byte("module own\n")},
	"examples/own/main.go": {Data: []byte("package own\n")},
}

func TestPlantedBreachesAreFound(t *testing.T) {
	found, err := check(planted)
	if err != nil {
		t.Fatal(err)
	}
	want := map[breach]int{
		{lineRule, "bad/bad.go"}:  1,
		{funcRule, "bad/bad.go"}:  1,
		{fieldRule, "bad/bad.go"}: 2,
		{docRule, "bad"}:          1,
		{exampleRule, "bad"}:      1,
	}
	if problems := compare(want, found, false); len(problems) > 0 {
		t.Error(strings.Join(problems, "\n"))
	}
}

// A function literal in a table counts in full.
func TestFunctionsInTablesCount(t *testing.T) {
	tree := fstest.MapFS{"a/a.go": {Data: []byte("// Package a is one.\n" +
		"package a\n\n" +
		"func f() {\n" +
		"\t_ = []func(){\n\t\tfunc() {\n" + strings.Repeat("\t\t\tf()\n", maxLines) +
		"\t\t},\n\t}\n}\n")}}
	found, err := check(tree)
	if err != nil {
		t.Fatal(err)
	}
	if len(found[breach{funcRule, "a/a.go"}]) != 1 {
		t.Errorf("found %v", found)
	}
}

func TestCountsDoNotGrow(t *testing.T) {
	k := breach{lineRule, "a.go"}
	for _, c := range []struct {
		allowed, found, problems int
		update                   bool
	}{{2, 2, 0, false}, {2, 3, 1, false}, {2, 1, 1, false}, {0, 1, 1, false}, {2, 1, 0, true},
		{2, 3, 1, true}, {0, 1, 1, true}} {
		allowed, found := map[breach]int{}, breaches{k: slices.Repeat([]string{"x"}, c.found)}
		if c.allowed > 0 {
			allowed[k] = c.allowed
		}
		if got := compare(allowed, found, c.update); len(got) != c.problems {
			t.Errorf("%+v: problems %q", c, got)
		}
		list, err := parseExceptions(lowered(allowed, found))
		if err != nil || list[k] != min(c.allowed, c.found) {
			t.Errorf("%+v: lowered to %v, %v", c, list, err)
		}
	}
	if _, err := parseExceptions("long-lines many a.go"); err == nil {
		t.Error("a count that is no number is accepted")
	}
}
