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
	"sync/atomic"
	"syscall"
	"time"

	"contend/allocation"
	"contend/internal/input"
	"contend/internal/lifetime"
	"contend/internal/written"
)

const (
	// grace is the time that a program has to end after its standard input has, graceInterrupted that
	// of an interrupted run.
	grace, graceInterrupted = time.Second, time.Second / 10
	// maxRequest and maxAnswer bound the bytes of a request and of an answer that messages show,
	// maxStderr those of standard error.
	maxRequest, maxAnswer, maxStderr = 80, 200, 600
)

// runProgram is the program of a run, started for the first line and ended with the run.
type runProgram struct {
	command        Command
	run            *lifetime.Run
	maxAnswerBytes int
	*process
}

// process is a running program.
type process struct {
	cmd      *exec.Cmd
	mark     string   // of the processes that it starts
	stdin    *os.File // its standard input
	stdout   *os.File // its standard output
	answers  *input.LineReader
	stderr   stderrTail
	lines    int    // sent so far
	lastLine []byte // the last one
	ended    sync.Once
}

// newChild returns the program of a command for a machine.
func newChild(command string, s allocation.Site) (runProgram, error) {
	return newProgram(command, s.Run, 1<<20+16*s.Machine.Nodes())
}

// newProgram returns the program of a command, whose answers have at most maxBytes bytes.
func newProgram(command string, run *lifetime.Run, maxBytes int) (runProgram, error) {
	c, err := ParseCommand(command)
	if err == nil {
		err = c.check(exec.LookPath)
	}
	return runProgram{command: c, run: run, maxAnswerBytes: maxBytes}, err
}

// ask sends a line and passes the answer to read. For the first line it starts the program and
// describes the machine to it, unless describe is nil. After a failure, which ends the run, it
// reports false.
func (c *runProgram) ask(describe func() firstLine, line any, read func(answer []byte) error) bool {
	if c.run.Err() != nil {
		return false
	}
	var err error
	if c.process == nil {
		if err = c.start(); err == nil && describe != nil {
			err = c.exchangeLine(describe(), func(answer []byte) error {
				_, err := readAnswer(answer)
				return err
			})
		}
	}
	if err == nil {
		err = c.exchangeLine(line, read)
	}
	if err != nil {
		c.run.Fail(err)
	}
	return err == nil
}

// exchangeLine sends a line and passes the answer to read, whose error ends the program.
func (c *runProgram) exchangeLine(line any, read func(answer []byte) error) error {
	answer, err := c.exchange(append(written.JSON(line), '\n'))
	if err != nil {
		return err
	}
	if wrong := read(answer); wrong != nil {
		return c.wrongAnswer(answer, wrong)
	}
	return nil
}

// start starts the program, with pipes to its standard input and output.
func (c *runProgram) start() error {
	if ask := onStart.Load(); ask != nil {
		if err := (*ask)(c.command); err != nil {
			return err
		}
	}
	theirIn, to, err := os.Pipe()
	if err != nil {
		return err
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	p := &process{stdin: to, stdout: from, answers: input.NewLineReader(from, c.maxAnswerBytes)}
	p.cmd = exec.Command(c.command.Words[0], c.command.Words[1:]...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirIn, theirOut, &p.stderr
	p.cmd.WaitDelay = grace
	err = startChild(p)
	theirIn.Close()
	theirOut.Close()
	c.process = p
	if err != nil {
		to.Close()
		from.Close()
		p.ended.Do(func() {})
		return input.Bad("", commandRemedy, "%s cannot be started: %v", c.command.Line(), startCause(err))
	}
	stop := context.AfterFunc(c.run.Context, func() {
		to.SetWriteDeadline(time.Now())
		from.SetReadDeadline(time.Now())
	})
	c.run.OnEnd(func() {
		stop()
		if c.run.Context.Err() != nil {
			p.end(graceInterrupted)
		}
		p.end(grace)
	})
	return nil
}

// exchange writes a line and returns the answer, which is valid until the next call.
func (c *runProgram) exchange(line []byte) ([]byte, error) {
	p := c.process
	if p.answers.More() {
		more, _ := p.answers.Next()
		return nil, c.wrongAnswer(more, errors.New("the line before is answered already: "+
			"write one line for each line read"))
	}
	p.lines++
	p.lastLine = line
	until := time.Now().Add(c.deadline())
	p.stdin.SetWriteDeadline(until)
	p.stdout.SetReadDeadline(until)
	if c.run.Context.Err() != nil { // it may have ended before the deadline was set
		return nil, context.Cause(c.run.Context)
	}
	_, err := p.stdin.Write(line)
	if err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
		var answer []byte // a program that reads no more says why on its standard error
		if answer, err = p.answers.Next(); err == nil {
			return bytes.TrimRight(answer, "\r\n"), nil
		}
	}
	return nil, c.missingAnswer(err)
}

// missingAnswer ends the program and returns the error for a line without an answer, whose write or
// read failed with err.
func (c *runProgram) missingAnswer(err error) error {
	switch {
	case c.run.Context.Err() != nil:
		return context.Cause(c.run.Context)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.process.end(0)
		return c.programError("", c.lateRemedy(), "it does not answer within %v", c.deadline())
	case errors.Is(err, input.ErrLongLine):
		c.process.end(0)
		return c.programError("", "answer in one line", "it answers with more than %d bytes",
			c.maxAnswerBytes)
	}
	c.process.end(grace)
	how := "closes its standard output"
	if s := c.process.cmd.ProcessState; errors.Is(err, io.EOF) && s.Exited() {
		how = fmt.Sprintf("ends with %v", s)
	}
	return c.programError(c.stderr.lastLine(), "answer lines until standard input ends",
		"it %s instead of an answer", how)
}

// deadline returns the time that the program has for the answer to the last line: the first one
// waits for the program to start, too.
func (c *runProgram) deadline() time.Duration {
	if c.lines == 1 {
		return c.command.Start + c.command.Deadline
	}
	return c.command.Deadline
}

// lateRemedy says what to do where the answer to the last line is late.
func (c *runProgram) lateRemedy() string {
	more := fmt.Sprint("deadline=", c.command.Deadline.Seconds())
	if c.lines == 1 {
		more = fmt.Sprint("start=", c.command.Start.Seconds(), " and ", more)
	}
	return "write each answer at once, flush standard output, or allow more than " + more
}

// wrongAnswer ends the program and returns the error for a wrong answer.
func (c *runProgram) wrongAnswer(answer []byte, wrong error) error {
	c.process.end(0)
	if stated := statedError(""); errors.As(wrong, &stated) {
		return c.programError(string(stated), "", "the program states this error")
	}
	return c.programError(wrong.Error(), "", "it answers %s", shortened(answer, maxAnswer))
}

// programError returns an error about the last line. It begins with the reason, if there is one,
// before the event, the line, and the end of standard error of the program.
func (c *runProgram) programError(reason, right, event string, args ...any) error {
	text := fmt.Sprintf(event, args...) +
		fmt.Sprintf("; line %d was %s", c.lines, shortened(c.lastLine, maxRequest))
	if end := c.stderr.String(); end != "" && end != reason {
		text += fmt.Sprintf("; its standard error ends with %q", end)
	}
	if reason != "" {
		text = fmt.Sprintf("%s (%s)", reason, text)
	}
	return input.Bad("", right, "%s: %s", c.command.Line(), text)
}

// shortened returns a line with at most max bytes, for messages.
func shortened(line []byte, max int) string {
	text := strings.ToValidUTF8(strings.TrimSpace(string(line)), "?")
	if len(text) > max {
		text = strings.ToValidUTF8(text[:max], "") + "..."
	}
	return text
}

// end closes the standard input of the program and waits for its end. It kills the program if that
// takes longer than within, and what the program leaves behind. Only the first call does anything.
func (p *process) end(within time.Duration) {
	p.ended.Do(func() {
		p.stdin.Close()
		kill := time.AfterFunc(within, func() { killGroup(p.cmd) })
		reapChild(p)
		kill.Stop()
		p.stdout.Close()
	})
}

// stderrTail keeps the last bytes that are written to it.
type stderrTail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements io.Writer.
func (t *stderrTail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text); n > 2*maxStderr {
		t.text = append(t.text[:0], t.text[n-maxStderr:]...)
	}
	return len(b), nil
}

// String returns the last bytes, at most maxStderr.
func (t *stderrTail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.text)
	text = text[max(0, len(text)-maxStderr):]
	return strings.ToValidUTF8(string(text), "")
}

// lastLine returns the last line, with at most maxStderr bytes: the reason of a program that ends.
func (t *stderrTail) lastLine() string {
	text := t.String()
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// startCause returns the innermost error of a program that cannot be started: os/exec names its
// calls before it.
func startCause(err error) error {
	for next := err; next != nil; next = errors.Unwrap(next) {
		err = next
	}
	if err == syscall.ENOENT {
		return fmt.Errorf("%w (the program, or the interpreter in its first line)", err)
	}
	return err
}

// children are the programs that run now, of the whole process: its end must not leave any.
var children struct {
	mu      sync.Mutex
	running map[*process]bool
}

// onStart is the function given to OnStart; nil: every program may start.
var onStart atomic.Pointer[func(Command) error]

// OnStart has allow called, by any goroutine, before a program of this process starts: its error
// keeps the program from starting, and ends the run.
func OnStart(allow func(Command) error) { onStart.Store(&allow) }

// startChild starts a program with a mark of its own.
func startChild(p *process) error {
	setProcessGroup(p.cmd)
	p.mark = mark(p.cmd)
	children.mu.Lock()
	defer children.mu.Unlock()
	if err := p.cmd.Start(); err != nil {
		return err
	}
	if children.running == nil {
		children.running = map[*process]bool{}
	}
	children.running[p] = true
	return nil
}

// reapChild waits for the end of a program, and kills what it leaves behind.
func reapChild(p *process) {
	reap(p.cmd, p.mark)
	children.mu.Lock()
	defer children.mu.Unlock()
	delete(children.running, p)
}

// KillAll kills all programs with the processes that they have started, and lets no other start. It
// is for a process that ends at once, while runs are under way; otherwise each run ends its own.
func KillAll() {
	children.mu.Lock() // for good
	for p := range children.running {
		killGroup(p.cmd)
	}
	if len(children.running) > 0 {
		endAdopted(markOfAll())
	}
}

// markName is the variable of the environment by which the processes that a program has started
// are known as its own. It tells programs apart, those of other processes too.
const markName = "CONTEND_PROGRAM"

// markOfAll is how the marks of all programs of this process begin.
func markOfAll() string { return fmt.Sprintf("%s=%d.", markName, os.Getpid()) }

// lastMark is the number of the mark given last.
var lastMark atomic.Int64

// mark gives a command a mark of its own, and returns it.
func mark(c *exec.Cmd) string {
	mark := fmt.Sprintf("%s%d.", markOfAll(), lastMark.Add(1))
	c.Env = append(os.Environ(), mark)
	return mark
}
