package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"contend/allocation"
	"contend/internal/input"
	"contend/internal/lifetime"
)

const (
	// grace is the time that a program has to end after its standard input has.
	grace = time.Second
	// maxShown is the number of bytes of a line that messages show, and maxStderr that of the end
	// of standard error.
	maxShown, maxStderr = 200, 600
)

// child is the program of a run. It starts with the first line and ends with the run.
type child struct {
	command Command
	run     *lifetime.Run
	max     int // bytes of an answer
	*process
}

// process is a running program.
type process struct {
	cmd     *exec.Cmd
	to      *os.File // its standard input
	from    *os.File // its standard output
	answers *input.LineReader
	stderr  tail
	lines   int    // sent so far
	line    []byte // the last one
	ended   sync.Once
}

// newChild returns the program of a command for a machine.
func newChild(command string, s allocation.Site) (child, error) {
	c, err := ParseCommand(command)
	if err == nil {
		err = c.check(exec.LookPath)
	}
	return child{command: c, run: s.Run, max: 1<<20 + 16*s.Machine.Nodes()}, err
}

// ask sends a line, after the description of the machine the first time, and reads the answer. It
// reports false after a failure, with which the run ends.
func (c *child) ask(describe func() firstLine, line any, read func(answer []byte) error) bool {
	if c.run.Err() != nil {
		return false
	}
	var err error
	if c.process == nil {
		if err = c.start(); err == nil {
			err = c.askOnce(describe(), func(answer []byte) error {
				_, err := readAnswer(answer)
				return err
			})
		}
	}
	if err == nil {
		err = c.askOnce(line, read)
	}
	if err != nil {
		c.run.Fail(err)
	}
	return err == nil
}

// askOnce sends a line and reads the answer. It ends the program if the answer is wrong.
func (c *child) askOnce(line any, read func(answer []byte) error) error {
	answer, err := c.exchange(append(input.EncodeJSON(line), '\n'))
	if err != nil {
		return err
	}
	if wrong := read(answer); wrong != nil {
		return c.refuse(answer, wrong)
	}
	return nil
}

// start starts the program.
func (c *child) start() error {
	theirIn, to, err := os.Pipe()
	if err != nil {
		return err
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	p := &process{to: to, from: from, answers: input.NewLineReader(from, c.max)}
	p.cmd = exec.Command(c.command.Words[0], c.command.Words[1:]...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirIn, theirOut, &p.stderr
	p.cmd.WaitDelay = grace
	ownGroup(p.cmd)
	err = p.cmd.Start()
	theirIn.Close()
	theirOut.Close()
	c.process = p
	if err != nil {
		to.Close()
		from.Close()
		p.ended.Do(func() {})
		return input.Bad("", right, "%s cannot be started: %v", c.command.line(), cause(err))
	}
	stop := context.AfterFunc(c.run.Context, func() {
		to.SetWriteDeadline(time.Now())
		from.SetReadDeadline(time.Now())
	})
	c.run.OnEnd(func() {
		stop()
		p.end(grace)
	})
	return nil
}

// exchange writes a line and returns the answer, which is valid until the next call.
func (c *child) exchange(line []byte) ([]byte, error) {
	p := c.process
	if p.answers.More() {
		more, _ := p.answers.Next()
		return nil, c.refuse(more, errors.New("the line before is answered already: write one line for "+
			"each line read"))
	}
	p.lines++
	p.line = line
	until := time.Now().Add(c.command.Deadline)
	p.to.SetWriteDeadline(until)
	p.from.SetReadDeadline(until)
	if c.run.Context.Err() != nil { // it may have ended before the deadline was set
		return nil, context.Cause(c.run.Context)
	}
	_, err := p.to.Write(line)
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
		var answer []byte // a program that reads no more says why on its standard error
		if answer, err = p.answers.Next(); err == nil {
			return bytes.TrimRight(answer, "\r\n"), nil
		}
	}
	return nil, c.noAnswer(err)
}

// noAnswer ends the program and returns the error of a line without an answer, whose write or read
// failed with err.
func (c *child) noAnswer(err error) error {
	switch {
	case c.run.Context.Err() != nil:
		return context.Cause(c.run.Context)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.process.end(0)
		return c.bad(fmt.Sprint("write each answer at once, flush standard output, or allow more than ",
			"deadline=", c.command.Deadline.Seconds()), "does not answer within %v", c.command.Deadline)
	case errors.Is(err, input.ErrLongLine):
		c.process.end(0)
		return c.bad("answer in one line", "answers with more than %d bytes", c.max)
	}
	c.process.end(grace)
	how := "closes its standard output"
	if s := c.process.cmd.ProcessState; errors.Is(err, io.EOF) && s.Exited() {
		how = fmt.Sprintf("ends with %v", s)
	}
	return c.bad("answer lines until standard input ends", "%s instead of an answer", how)
}

// refuse ends the program and returns the error of a wrong answer.
func (c *child) refuse(answer []byte, wrong error) error {
	c.process.end(0)
	return c.bad("", "answers %s: %v", shortened(answer), wrong)
}

// bad returns an error about the last line, with the end of standard error.
func (c *child) bad(right, problem string, args ...any) error {
	text := fmt.Sprintf("%s: in line %d, %s, it ", c.command.line(), c.lines, shortened(c.line)) +
		fmt.Sprintf(problem, args...)
	if end := c.stderr.String(); end != "" {
		text += fmt.Sprintf("; its standard error ends with %q", end)
	}
	return input.Bad("", right, "%s", text)
}

// shortened returns a line as messages show it.
func shortened(line []byte) string {
	text := strings.ToValidUTF8(strings.TrimSpace(string(line)), "?")
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "..."
	}
	return text
}

// end closes the standard input of the program, kills the program if that does not end it within a
// time, and waits for its end. Only the first call does anything.
func (p *process) end(within time.Duration) {
	p.ended.Do(func() {
		p.to.Close()
		kill := time.AfterFunc(within, func() { killGroup(p.cmd) })
		p.cmd.Wait()
		kill.Stop()
		p.from.Close()
	})
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text); n > 2*maxStderr {
		t.text = append(t.text[:0], t.text[n-maxStderr:]...)
	}
	return len(b), nil
}

// String returns the last lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	text = text[max(0, len(text)-maxStderr):]
	return strings.ToValidUTF8(string(text), "")
}

// cause returns the system's error for a program that cannot be started, without the calls that
// os/exec names before it.
func cause(err error) error {
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	if err == syscall.ENOENT {
		return fmt.Errorf("%w (the program, or the interpreter in its first line)", err)
	}
	return err
}
