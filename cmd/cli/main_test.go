package cli

import (
	"contend/experiments/metrics"
	"fmt"
	"hash/crc32"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"contend":         func() { os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr, metrics.Builtin())) },
		"endwhilewriting": func() { endWhileWriting(os.Args[1]) },
	})
}

// TestScripts runs every script of testdata/script: commands with the output
// and the exit status they must have.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Condition: func(cond string) (bool, error) {
			if cond != "pty" {
				return false, fmt.Errorf("no condition %s", cond)
			}
			file, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
			if err == nil {
				file.Close()
			}
			return err == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "sums": sums},
	})
}

// sums gives the lines of runs.jsonl that a script has changed the checksums of what they are
// now.
func sums(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sums runs.jsonl")
	}
	var b strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		const field = `,"crc32c":"`
		body, _, _ := strings.Cut(line, field)
		sum := crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli))
		fmt.Fprintf(&b, "%s%s%08x\"}\n", body, field, sum)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o666))
}

// status runs a command that must end with the exit status given, which exec
// cannot tell: status 2 contend run nothing.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		got = strconv.Itoa(exit.ExitCode())
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}
