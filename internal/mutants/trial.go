package main

import (
	"bytes"
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
	"sync"
	"time"
)

// trial is the outcome of a fault.
type trial struct {
	fault *fault
	// by is the test that caught the fault, and in its package. by is "" if the fault
	// survived.
	by, in string
	// named says that the table names that test.
	named bool
	took  time.Duration
	err   error
}

// tryAll tries faults, several at a time, and prints the outcome of each.
func tryAll(faults []fault, t *tests, o options, out io.Writer) ([]trial, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	trials := make([]trial, len(faults))
	next := make(chan int)
	var workers sync.WaitGroup
	var printing sync.Mutex
	for range o.workers {
		workers.Go(func() {
			for i := range next {
				trials[i] = t.try(&faults[i], dir, o.timeout)
				printing.Lock()
				fmt.Fprintln(out, trials[i].String())
				printing.Unlock()
			}
		})
	}
	for i := range faults {
		next <- i
	}
	close(next)
	workers.Wait()
	var failed []error
	for i := range trials {
		failed = append(failed, trials[i].err)
	}
	return trials, errors.Join(failed...)
}

func (r *trial) String() string {
	text := fmt.Sprintf("%-36s ", r.fault.name)
	switch seconds := r.took.Seconds(); {
	case r.err != nil:
		return text + "is no fault to be tried"
	case r.by == "":
		return text + fmt.Sprintf("survived all tests, %.0f s: %s", seconds, r.fault.breaks)
	default:
		return text + fmt.Sprintf("caught by %s of %s after %.0f s", r.by, r.in, seconds)
	}
}

// try runs tests on a fault until one fails.
func (t *tests) try(f *fault, dir string, timeout time.Duration) (r trial) {
	r.fault = f
	began := time.Now()
	defer func() { r.took = time.Since(began) }()
	overlay, err := f.overlay(t.root, dir)
	if err != nil {
		r.err = err
		return r
	}
	named, whole := t.stages(f)
	for i, s := range append(slices.Clone(named), whole...) {
		by, err := t.test(s, overlay, timeout)
		if err != nil {
			r.err = fmt.Errorf("fault %s: %w", f.name, err)
			return r
		}
		if by != "" {
			r.by, r.in, r.named = by, s.p.ImportPath, i < len(named)
			return r
		}
	}
	return r
}

// overlay writes the changed file, and the file that points the go command to it.
func (f *fault) overlay(root, dir string) (string, error) {
	changed := filepath.Join(dir, f.name+".go")
	if err := os.WriteFile(changed, f.changed, 0o666); err != nil {
		return "", err
	}
	original := filepath.Join(root, filepath.FromSlash(f.path))
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, f.name+".json")
	return overlay, os.WriteFile(overlay, text, 0o666)
}

// test runs tests and returns the first that fails, or "" if none does. Code that does
// not compile is an error, because no test can judge it.
func (t *tests) test(s stage, overlay string, timeout time.Duration) (string, error) {
	args := []string{"test", "-vet=off", "-count=1", "-failfast", "-timeout=" + timeout.String()}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	if s.names != nil {
		args = append(args, "-run=^("+strings.Join(s.names, "|")+")$")
	}
	args = append(append(args, s.p.ImportPath), s.p.flags()...)
	c := exec.Command("go", args...)
	var out bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = t.root, &out, &out
	err := c.Run()
	if err == nil {
		return "", nil
	}
	if by := failedTest(out.String()); by != "" {
		return by, nil
	}
	return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out.String())
}

var (
	failing = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)
	running = regexp.MustCompile(`(?m)^panic: test timed out.*\n\s*running tests:\n\s*(\S+)`)
	crashed = regexp.MustCompile(`(?m)^(?:panic|fatal error): `)
)

// failedTest returns the failed test in the output of go test, or "" if there is none,
// as for code that does not compile.
func failedTest(out string) string {
	if m := failing.FindStringSubmatch(out); m != nil {
		return m[1]
	}
	if m := running.FindStringSubmatch(out); m != nil {
		return m[1]
	}
	if crashed.MatchString(out) {
		return "a crash"
	}
	return ""
}
