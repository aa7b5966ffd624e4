package external

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
)

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
