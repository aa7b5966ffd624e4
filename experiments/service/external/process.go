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

	"contend/internal/input"
	"contend/internal/lifetime"
)

const (
	// grace is the time that a program has to end after its standard input has.
	grace = time.Second
	// mostShown is the number of bytes of a line that messages show, and mostSaid that of the
	// end of standard error.
	mostShown, mostSaid = 200, 600
)

// child is the program of a run: started when it is first asked, ended with the run.
type child struct {
	command Command
	run     *lifetime.Run
	most    int // bytes of an answer
	*process
}

// process is a running program.
type process struct {
	cmd     *exec.Cmd
	to      *os.File // its standard input
	from    *os.File // its standard output
	answers lines
	said    tail
	asked   int // requests so far
	request []byte
	ended   sync.Once
}

// lines reads answers.
type lines interface {
	Next() ([]byte, error)
	More() bool
}

// newChild returns the program of a command on a machine of so many nodes.
func newChild(c Command, run *lifetime.Run, nodes int) (child, error) {
	return child{command: c, run: run, most: 1<<20 + 16*nodes}, c.check(exec.LookPath)
}

// ask returns the answer to a line, which begins with the description of the machine the first
// time. It reports false after a failure, which the run has then.
func (c *child) ask(describe func() []byte, line []byte) (answer []byte, ok bool) {
	if c.run.Err() != nil {
		return nil, false
	}
	var err error
	if c.process == nil {
		if err = c.start(); err == nil {
			answer, err = c.exchange(describe())
		}
		if err == nil {
			err = readHello(answer)
			err = c.refuse(answer, err)
		}
	}
	if err == nil {
		answer, err = c.exchange(line)
	}
	if err != nil {
		c.run.Fail(err)
	}
	return answer, err == nil
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
	p := &process{to: to, from: from, answers: input.NewLineReader(from, c.most)}
	p.cmd = exec.Command(c.command.Words[0], c.command.Words[1:]...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirIn, theirOut, &p.said
	p.cmd.WaitDelay = grace
	apart(p.cmd)
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
		return nil, c.refuse(more, input.Bad("", "write one line for each line read",
			"the line before is answered already"))
	}
	p.asked++
	p.request = line
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
	switch {
	case c.run.Context.Err() != nil:
		return nil, context.Cause(c.run.Context)
	case errors.Is(err, os.ErrDeadlineExceeded):
		p.end(0)
		return nil, c.bad("write each answer at once, flush standard output, or allow more than "+
			"deadline="+fmt.Sprint(c.command.Deadline.Seconds()), "does not answer within %v",
			c.command.Deadline)
	case errors.Is(err, input.ErrLongLine):
		p.end(0)
		return nil, c.bad("answer in one line", "answers with more than %d bytes", c.most)
	}
	p.end(grace)
	how := "closes its standard output"
	if s := p.cmd.ProcessState; errors.Is(err, io.EOF) && s.Exited() {
		how = fmt.Sprintf("ends with %v", s)
	}
	return nil, c.bad("answer lines until standard input ends", "%s instead of an answer", how)
}

// refuse returns the error for an answer in which something is wrong.
func (c *child) refuse(answer []byte, wrong error) error {
	if wrong == nil {
		return nil
	}
	why, right := wrong.Error(), ""
	if bad := (*input.Error)(nil); errors.As(wrong, &bad) {
		why, right = bad.Problem, bad.Right
	}
	answer = bytes.Clone(answer)
	c.process.end(0)
	return c.bad(right, "answers %s: %s", shortened(answer), why)
}

// bad returns an error about the last request, with the end of what the program has said.
func (c *child) bad(right, problem string, args ...any) error {
	text := fmt.Sprintf("%s: in line %d, %s, it ", c.command.line(), c.asked, shortened(c.request)) +
		fmt.Sprintf(problem, args...)
	if said := c.said.String(); said != "" {
		text += fmt.Sprintf("; its standard error ends with %q", said)
	}
	return input.Bad("", right, "%s", text)
}

// shortened returns a line as messages show it.
func shortened(line []byte) string {
	text := strings.ToValidUTF8(strings.TrimSpace(string(line)), "?")
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + "..."
	}
	return text
}

// end closes the standard input of the program, kills the program if that does not end it in a
// time, and waits for its end.
func (p *process) end(within time.Duration) {
	p.ended.Do(func() { p.stop(within) })
}

func (p *process) stop(within time.Duration) {
	p.to.Close()
	gone := make(chan struct{})
	go func() {
		p.cmd.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(within):
		killAll(p.cmd)
		<-gone
	}
	p.from.Close()
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
	if n := len(t.text); n > 2*mostSaid {
		t.text = append(t.text[:0], t.text[n-mostSaid:]...)
	}
	return len(b), nil
}

// String returns the last lines.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	text = text[max(0, len(text)-mostSaid):]
	return strings.ToValidUTF8(string(text), "")
}

// cause returns what the system says of a program that cannot be started, without the calls that
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
