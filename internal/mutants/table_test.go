package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

// The table matches the code: each fault has one place, and the tests that it names
// exist.
func TestFaultsApply(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	faults, err := readTable(root)
	if err != nil {
		t.Fatal(err)
	}
	all, err := listTests(root)
	if err != nil {
		t.Fatal(err)
	}
	areas := map[string]int{}
	for i := range faults {
		f := &faults[i]
		areas[f.area()]++
		if missing := all.missing(f.tries); len(missing) > 0 {
			t.Errorf("fault %s: no package has the tests %v", f.name, missing)
		}
		if named, _ := all.stages(f); len(named) == 0 && f.survives == "" {
			t.Errorf("fault %s: no package that depends on %s has one of the tests %v",
				f.name, f.path, f.tries)
		}
	}
	if len(faults) < 107 {
		t.Errorf("%d faults: none of 107 may be taken out", len(faults))
	}
	for _, area := range []string{"router", "netsim", "allocation", "scheduler", "patterns",
		"experiments"} {
		if areas[area] < 12 {
			t.Errorf("%s has %d faults, want a dozen or more", area, areas[area])
		}
	}
}

const small = `# a comment
fault one
file a/x.go
breaks this
breaks and that
tries TestA TestB
 	first
-	old
+	new
`

func TestParseTable(t *testing.T) {
	faults, err := parseTable(small +
		"\nfault two\nfile a/y.go\nbreaks it\nsurvives it is the same\n-z\n")
	if err != nil || len(faults) != 2 {
		t.Fatalf("%+v, %v", faults, err)
	}
	f := faults[0]
	if f.breaks != "this and that" || len(f.tries) != 2 ||
		f.old != "\tfirst\n\told\n" || f.new != "\tfirst\n\tnew\n" {
		t.Errorf("%+v", f)
	}
	if f := faults[1]; f.old != "z\n" || f.new != "" || f.survives == "" {
		t.Errorf("%+v", f)
	}
	for text, want := range map[string]string{
		"fault one\n":                                           "needs fault, file and breaks",
		small + "\n" + small:                                    "another fault has its name",
		strings.Replace(small, "+\tnew", "", 1):                 "",
		strings.Replace(small, "tries", "try", 1):               `"try" is not a key`,
		strings.Replace(small, "-\told\n+\tnew\n", "", 1):       "changes nothing",
		strings.Replace(small, "tries TestA TestB\n", "", 1):    "names no test",
		strings.Replace(small, "+\tnew", "+\told\n-\t\n+\t", 1): "changes nothing",
	} {
		_, err := parseTable(text)
		if want == "" && err != nil || want != "" && (err == nil ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// A file may move to a sub-package. Its text has to be in one place.
func TestPlaceOfAFault(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for _, c := range []struct {
		tree  fstest.MapFS
		path  string
		wrong string
	}{
		{fstest.MapFS{"a/x.go": file("\tfirst\n\told\n")}, "a/x.go", ""},
		{fstest.MapFS{"a/b/x.go": file("top\n\tfirst\n\told\nend\n"), "a/x.go": file("other\n")},
			"a/b/x.go", ""},
		{fstest.MapFS{"a/x.go": file("\tfirst\n\told\n\tfirst\n\told\n")}, "", "is 2 times in a/x.go"},
		{fstest.MapFS{"a/x.go": file("x\tfirst\n\told\n")}, "", "is 0 times in a/x.go"},
		{fstest.MapFS{"a/y.go": file("\tfirst\n\told\n")}, "", "is 0 times in any file of that name"},
		{fstest.MapFS{"a/testdata/x.go": file("\tfirst\n\told\n"), "a/y.go": file("")}, "", "is 0 times"},
	} {
		faults, err := parseTable(small)
		if err != nil {
			t.Fatal(err)
		}
		f := &faults[0]
		if err = f.place(c.tree); c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%v: %v, want %q", c.tree, err, c.wrong)
			}
			continue
		}
		want := strings.Replace(string(c.tree[c.path].Data), "old", "new", 1)
		if err != nil || f.path != c.path || string(f.changed) != want {
			t.Errorf("%v: %v, %s is %q", c.tree, err, f.path, f.changed)
		}
	}
}

// The output of go test shows which test failed, and distinguishes code that does not
// compile from a failing test.
func TestFailedTest(t *testing.T) {
	for out, want := range map[string]string{
		"--- FAIL: TestA (0.01s)\n    --- FAIL: TestA/b (0.00s)\nFAIL\n":                "TestA",
		"panic: test timed out after 1s\n\trunning tests:\n\t\tTestB (1s)\n\ngoroutine": "TestB",
		"panic: x [recovered]\n":                     "a crash",
		"# contend/router\n./x.go:1:2: undefined: y": "",
	} {
		if got := failedTest(out); got != want {
			t.Errorf("%q: %q, want %q", out, got, want)
		}
	}
}

// The report compares the table with the outcome of the faults.
func TestReport(t *testing.T) {
	caught := trial{fault: &fault{name: "a", file: "p/x.go"}, by: "TestA", named: true}
	survivor := trial{fault: &fault{name: "b", file: "p/x.go", breaks: "it"}}
	known := trial{fault: &fault{name: "c", file: "q/x.go", survives: "because"}}
	wrong := trial{fault: &fault{name: "d", file: "q/x.go", survives: "because"}, by: "TestD"}
	many := make([]trial, wanted)
	for i := range many {
		many[i] = caught
	}
	for _, c := range []struct {
		trials []trial
		all    bool
		good   bool
		says   string
	}{
		{[]trial{caught, known}, false, true, "c survives: because"},
		{[]trial{caught, survivor}, false, false, "b survives, and the table gives no reason: it"},
		{[]trial{caught, wrong}, false, false,
			"d is caught by TestD, and the table says that it survives"},
		{[]trial{caught, known}, true, false, "1 of 2 faults are caught: at least 95 have to be"},
		{append(many, known), true, true, "95 of  96 caught"},
	} {
		var out strings.Builder
		good := report(&out, c.trials, c.all)
		if good != c.good || !strings.Contains(out.String(), c.says) {
			t.Errorf("%v, want %v and %q:\n%s", good, c.good, c.says, out.String())
		}
	}
}
