// Testsummary runs a "go test -json" and prints the output of go test without that
// flag. It adds a line at the end that counts the tests skipped for want of a log,
// which go test does not report.
//
//	testsummary [-need-logs DIR] go test -json ./...
//
// Its exit status is that of the command. With -need-logs it is also 1 if the folder
// exists and a test reports a missing log. Without a command it reads the standard
// input.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, in io.Reader, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("testsummary", flag.ContinueOnError)
	flags.SetOutput(errOut)
	need := flags.String("need-logs", "", "fail if the `folder` is there and a test misses a log")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	s := newSummary(out)
	status, err := 0, error(nil)
	if command := flags.Args(); len(command) > 0 {
		status, err = s.runCommand(command, errOut)
	} else {
		err = s.read(in)
	}
	if err != nil {
		fmt.Fprintln(errOut, "testsummary:", err)
		return 1
	}
	if s.failed {
		status = max(status, 1)
	}
	if status != 0 {
		fmt.Fprintln(out, "FAIL")
	}
	fmt.Fprintln(out, s.skipLine())
	if _, err := os.Stat(*need); *need != "" && err == nil && s.noLog.count() > 0 {
		fmt.Fprintf(out, "FAIL: %s is there, and tests miss a log:\n", *need)
		s.noLog.list(out)
		status = max(status, 1)
	}
	return status
}

// runCommand reads the events of a command and returns its exit status. The status
// matters because a command that fails before any test, as for a pattern that matches
// nothing, may send no event.
func (s *summary) runCommand(command []string, errOut io.Writer) (int, error) {
	c := exec.Command(command[0], command[1:]...)
	c.Stderr = errOut
	events, err := c.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := c.Start(); err != nil {
		return 0, err
	}
	readErr := s.read(events)
	if readErr != nil {
		io.Copy(io.Discard, events) // otherwise the command would wait for its reader
	}
	err = c.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), readErr // the -1 of a signal is a failure too
	}
	return 0, errors.Join(readErr, err)
}
