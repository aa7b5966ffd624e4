package cli

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strconv"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/metrics"

	"github.com/rogpeppe/go-internal/testscript"
)

// fingerprintVariable names the variable of the environment that has the fingerprint of the program
// of scripts, so that not each of a thousand commands reads the bytes of this test. Script show does.
const fingerprintVariable = "CONTEND_TEST_FINGERPRINT"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"contend": func() {
			if name := os.Getenv(fingerprintVariable); name != "" {
				fingerprint = func() string { return name }
			}
			os.Exit(Run(os.Args[1:], os.Stdout, os.Stderr, metrics.Builtin()))
		},
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
		Setup: func(env *testscript.Env) error {
			env.Setenv(fingerprintVariable, fingerprint())
			env.Setenv("GOGC", os.Getenv("GOGC"))
			return nil
		},
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

// full is a disk with room for some bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if n < len(b) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// A command whose output is lost, all or its end, fails and says why.
func TestLostOutputIsAFailure(t *testing.T) {
	for _, args := range []string{"list keys", "--help", "run --help", "list --help", "--version",
		"show demo", "completion bash", "pattern ring --processes 4", "run no-such-study --help"} {
		for _, room := range []int{0, 10} {
			var stderr strings.Builder
			status := Run(strings.Fields(args), &full{room}, &stderr, metrics.Builtin())
			if status != exitFailed || !strings.Contains(stderr.String(), "no space left on device") {
				t.Errorf("contend %s, room for %d bytes: exit status %d, %q", args, room, status,
					stderr.String())
			}
		}
	}
}

// A flag that takes one value is refused where it is given twice, with what to do, by every
// command; flags that may be repeated are not.
func TestFlagsGivenTwice(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"net --topology mesh:4x4 --topology torus:4x4", "contend: --topology torus:4x4: --topology " +
			"mesh:4x4 is given too: give the flag once, and run the command once for each value\n"},
		{"net --loads 0.1 --loads 0.2", "contend: --loads 0.2: --loads 0.1 is given too: give the " +
			"flag once, and separate its values by commas\n"},
		{"run demo -o a --out b", "contend: --out b: --out a is given too: "},
		{"run demo --workers 1 --workers 1", "contend: --workers 1: --workers 1 is given too: "},
		{"compare out --by allocator --by variant", "--by allocator is given too"},
		{"run demo --seed x", "contend: --seed: the value is \"x\": give a whole number\n"},
		{"run nowhere --set runs.seed=1 --set network.vcs=2", "nowhere"},
	} {
		var out, errs bytes.Buffer
		status := run(strings.Fields(c.args), &out, &errs, config.Builtin())
		if !strings.Contains(errs.String(), c.want) || status != exitInput {
			t.Errorf("contend %s: status %d, %swant %s", c.args, status, errs.String(), c.want)
		}
	}
}
