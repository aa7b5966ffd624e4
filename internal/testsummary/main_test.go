package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The recorded events are those of go 1.26 for packages that pass, fail, panic, call
// os.Exit, do not compile, import a missing package, do not pass go vet, or have no
// tests. In cut.json they end in the middle of a test.
func TestRecordedEvents(t *testing.T) {
	for name, status := range map[string]int{"good": 0, "mixed": 1, "cut": 1} {
		events, err := os.Open(filepath.Join("testdata", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		defer events.Close()
		want, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		var out, errOut bytes.Buffer
		if got := run(nil, events, &out, &errOut); got != status || errOut.Len() > 0 {
			t.Errorf("%s: exit status %d, want %d; %s", name, got, status, &errOut)
		}
		if diff := cmp.Diff(string(want), out.String()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

// Every failure is in the recorded output, whoever rewrites that.
func TestFailuresAreShown(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "mixed.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"want 1, got 2", "said before", "FAIL\texample/bad",
		"undefined: undefined",
		"FAIL\texample/broken [build failed]",
		"FAIL\texample/depends [build failed]", "FAIL\texample/exits",
		"panic: assignment to entry in nil map", "panics/a_test.go:6", "FAIL\texample/panics",
		"FAIL\texample/vetted [build failed]", "FAIL\texample/setup [setup failed]",
		"ok  \texample/good", "?   \texample/quiet",
		"skipped: 3 tests, no logs in ../shared/traces (bad 1, good 2); 1 test for another reason\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if strings.Contains(string(text), "unseen") {
		t.Error("output of tests that passed is shown")
	}
}

// If the folder of logs exists, no test may miss one. If it does not, tests may.
func TestNeedLogs(t *testing.T) {
	good := filepath.Join("testdata", "good.json")
	bare := `{"Action":"pass","Package":"example/good"}` + "\n"
	missing := " is there, and tests miss a log:\n\texample/good TestNoLog\n\texample/good TestSubs\n"
	logs := t.TempDir()
	for _, c := range []struct {
		args   []string
		in     string
		status int
		out    string
	}{
		{[]string{"cat", good}, "", 0, "skipped: 2 tests, no logs"},
		{[]string{"-need-logs", logs + "/nowhere", "cat", good}, "", 0, "skipped: 2 tests, no logs"},
		{[]string{"-need-logs", logs, "cat", good}, "", 1, "FAIL: " + logs + missing},
		{[]string{"-need-logs", logs}, bare, 0, "skipped: 0 tests for want of a log\n"},
		{nil, `{"Action":"fail","Package":"example/bad"}` + "\n", 1, "FAIL\n"},
		{nil, "no event\n" + bare, 0, "no event\nskipped: 0 tests"},
		{[]string{"-unknown"}, bare, 2, ""},
	} {
		var out, errOut bytes.Buffer
		status := run(c.args, strings.NewReader(c.in), &out, &errOut)
		if status != c.status || !strings.Contains(out.String(), c.out) {
			t.Errorf("%q: exit status %d, want %d\n%s%s", c.args, status, c.status, &out, &errOut)
		}
	}
}

// A command's own exit status counts, also if it sends no event or cannot run.
func TestCommandFails(t *testing.T) {
	for _, command := range [][]string{{"false"}, {"./nowhere"},
		{"sh", "-c", "exit 3"}, {"sh", "-c", "kill -9 $$"}} {
		var out, errOut bytes.Buffer
		if status := run(command, strings.NewReader(""), &out, &errOut); status == 0 {
			t.Errorf("%q: exit status 0\n%s%s", command, &out, &errOut)
		}
	}
}
