package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// differential is the package whose tests compare the engines in drawn scenarios. They see most
// faults of what it depends on. runs are those whose tests simulate whole runs.
const differential = "netsim"

var runs = []string{"experiments/fastforward", "experiments/sim", "experiments"}

const (
	// slower is the factor by which tests may take longer with a fault, before longer is added. stuck
	// is the time after which they are ended in any case.
	slower = 4
	stuck  = 20 * time.Minute
	// compiling bounds the time of go.
	compiling = time.Hour
	// first is the processor time of the tests that are run together before the longer ones.
	first = 3 * time.Second
	// maxMemory bounds the memory that a test gets, which a fault may ask for without end.
	maxMemory = 6 << 30
)

var longer = 20 * time.Second // of the processor, less in tests

// A repository has the packages of the module.
type repository struct {
	root, module string
	packages     map[string]*listed
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	Deps                               []string
	Module                             struct{ Path, Dir string }
}

func loadRepository() (*repository, error) {
	out, err := exec.Command("go", "list", "-json", "./...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	r := &repository{packages: map[string]*listed{}}
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(listed)
		if err := in.Decode(p); errors.Is(err, io.EOF) {
			return r, nil
		} else if err != nil {
			return nil, err
		}
		r.packages[p.ImportPath] = p
		r.root, r.module = p.Module.Dir, p.Module.Path
	}
}

// testsOf returns the packages whose tests may see a fault: the changed one, those that import it,
// those with few dependencies first, and the suites that depend on it.
func (r *repository) testsOf(changed string) []string {
	var importers []string
	for name, p := range r.packages {
		direct := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		if slices.Contains(direct, changed) {
			importers = append(importers, name)
		}
	}
	slices.SortFunc(importers, func(a, b string) int {
		if d := len(r.packages[a].Deps) - len(r.packages[b].Deps); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	list := []string{changed}
	add := func(name string) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	depends := func(name string) {
		name = r.module + "/" + name
		if p := r.packages[name]; p != nil && slices.Contains(p.Deps, changed) {
			add(name)
		}
	}
	depends(differential)
	for _, name := range importers {
		add(name)
	}
	for _, name := range runs {
		depends(name)
	}
	return slices.DeleteFunc(list, func(name string) bool {
		p := r.packages[name]
		return len(p.TestGoFiles)+len(p.XTestGoFiles) == 0
	})
}

// A suite is the tests of a package, compiled with an overlay.
type suite struct {
	name    string // of the package, without the module's
	dir     string
	program string
	tests   []test // in ascending order of time
}

type test struct {
	name  string
	takes time.Duration   // of the processor, without a fault
	sees  map[string]bool // numbers of functions with faults, nil if they are not known
}

// suite compiles the tests of a package. Each runs without a fault, which shows how long it takes
// and which functions it reaches. Those that fail then are left out.
func (o *overlay) suite(name string) (*suite, error) {
	if s := o.suites[name]; s != nil {
		return s, nil
	}
	s, err := o.compile(name)
	if err != nil {
		return nil, err
	}
	o.suites[name] = s
	list := o.command(stuck, s, s.program, "-test.list", "^(Test|Example|Fuzz)")
	if list.failed {
		return nil, fmt.Errorf("tests of %s:\n%s", name, list.text)
	}
	record := filepath.Join(o.folder, "seen")
	total := time.Duration(0)
	for _, name := range strings.Fields(list.text) {
		_ = os.Remove(record)
		out := o.command(stuck, s, s.program, "-test.run", "^"+name+"$", active+"="+recording,
			seen+"="+record)
		if out.failed {
			fmt.Fprintf(os.Stderr, "%s %s fails without a fault and is left out\n", s.name, name)
			continue
		}
		text, err := os.ReadFile(record)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		t := test{name, out.took, map[string]bool{}}
		for _, number := range strings.Fields(string(text)) {
			t.sees[number] = true
		}
		s.tests = append(s.tests, t)
		total += out.took
	}
	slices.SortFunc(s.tests, func(a, b test) int { return int(a.takes - b.takes) })
	fmt.Fprintf(os.Stderr, "%s: %d tests, %.0f s\n", s.name, len(s.tests), total.Seconds())
	return s, nil
}

// compile compiles the tests of a package.
func (o *overlay) compile(name string) (*suite, error) {
	s := &suite{name: strings.TrimPrefix(name, o.module+"/"), dir: o.packages[name].Dir}
	s.program = filepath.Join(o.folder, strings.ReplaceAll(s.name, "/", "+")+".test")
	if out := o.command(compiling, nil, "go", "test", "-c", "-vet=off", "-ldflags=-w", "-o", s.program,
		name); out.failed {
		return nil, fmt.Errorf("tests of %s do not compile:\n%s", name, out.text)
	}
	return s, nil
}

// reach returns the tests that reach the function of a fault.
func (s *suite) reach(f *fault) []test {
	if f.body == nil {
		return s.tests
	}
	var list []test
	for _, t := range s.tests {
		if t.sees[fmt.Sprint(f.body.number)] {
			list = append(list, t)
		}
	}
	return list
}

// try runs tests with a fault, the short ones first, and returns the one that fails, or "".
func (o *overlay) try(s *suite, number int, tests []test) string {
	for short := true; len(tests) > 0; short = false {
		sum, names := time.Duration(0), []string{}
		for _, t := range tests {
			if short && len(names) > 0 && sum+t.takes > first {
				break
			}
			sum += t.takes
			names = append(names, t.name)
		}
		out := o.command(slower*sum+longer, s, s.program, "-test.failfast", "-test.run",
			"^("+strings.Join(names, "|")+")$", fmt.Sprintf("%s=%d", active, number))
		if out.failed {
			return s.name + " " + out.reason()
		}
		tests = tests[len(names):]
	}
	return ""
}

// outcome is what a command printed.
type outcome struct {
	text   string
	failed bool
	ended  bool // by the time limit
	took   time.Duration
}

// command runs a program for at most a time of the processor. The last arguments may be for its
// environment, which has the overlay too, for tests that build programs.
func (o *overlay) command(limit time.Duration, s *suite, args ...string) *outcome {
	ctx, cancel := context.WithTimeout(context.Background(), max(limit, stuck))
	defer cancel()
	env := append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" "+o.flag())
	for len(args) > 0 && strings.HasPrefix(args[len(args)-1], "CONTEND_") {
		env, args = append(env, args[len(args)-1]), args[:len(args)-1]
	}
	seconds := fmt.Sprint(int(limit.Seconds()) + 1)
	c := exec.CommandContext(ctx, "sh", slices.Concat([]string{"-c",
		"ulimit -t " + seconds + "; exec \"$@\"", "sh"}, args)...)
	c.Env, c.Dir = env, o.root
	if s != nil {
		c.Dir = s.dir
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.WaitDelay = time.Second
	text, err := c.CombinedOutput()
	out := &outcome{text: string(text), failed: err != nil}
	if p := c.ProcessState; p != nil {
		status, ok := p.Sys().(syscall.WaitStatus)
		out.ended = ok && status.Signaled()
		out.took = p.UserTime() + p.SystemTime()
	}
	return out
}

var failedTest = regexp.MustCompile(`(?m)^\s*--- FAIL: (\w+)`)

// reason names the test that failed.
func (o *outcome) reason() string {
	switch m := failedTest.FindStringSubmatch(o.text); {
	case o.ended:
		return "time limit"
	case m != nil:
		return m[1]
	}
	return "panic"
}
