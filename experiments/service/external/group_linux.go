package external

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Numbers of the system's calls that package syscall does not name.
const (
	setChildSubreaper = 36 // prctl: PR_SET_CHILD_SUBREAPER
	idIsProcess       = 1  // waitid: P_PID
	waitEnded         = 4  // waitid: WEXITED
	leaveWaitable     = 1 << 24
)

const (
	// adoptionLimit bounds the time for the processes that a program has left behind to end.
	adoptionLimit = grace
	// startingLimit bounds that in which one without an environment may be about to run a program.
	startingLimit = 200 * time.Millisecond
)

// adopt makes this process the parent of the processes that its programs leave behind, also of
// those in sessions of their own, as daemons are.
var adopt = sync.OnceFunc(func() {
	syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
})

// setProcessGroup gives a program a process group of its own, so that it can be killed with the
// processes that it has started, and an interrupt at the terminal does not reach it. The system
// kills the program if this process is killed.
func setProcessGroup(c *exec.Cmd) {
	adopt()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup kills a program and all processes of its group.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// reap waits for the end of a program and kills what it leaves behind: the rest of its group, whose
// number nobody else has as long as the program is not waited for, and the processes with its mark.
func reap(c *exec.Cmd, mark string) {
	pid := c.Process.Pid
	for {
		var info [128]byte // a siginfo_t, which is not read
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, idIsProcess, uintptr(pid),
			uintptr(unsafe.Pointer(&info)), waitEnded|leaveWaitable, 0, 0)
		if e != syscall.EINTR {
			break
		}
	}
	killGroup(c)
	endAdopted(mark) // it may hold the standard error for which Wait waits
	c.Wait()
	for until := time.Now().Add(adoptionLimit); time.Now().Before(until); { // the rest of the group
		n, err := syscall.Wait4(-pid, nil, syscall.WNOHANG, nil)
		if err != nil {
			return // there is none, or no more
		} else if n == 0 {
			time.Sleep(time.Millisecond)
		}
	}
}

// endAdopted kills the processes that this one has adopted from a program: those whose environment
// has a mark that begins like this. It looks again after each that has ended, whose children are
// adopted in turn, and as long as one is about to run another program: it has no environment then.
func endAdopted(mark string) {
	killed := map[int]bool{} // and not waited for
	for began := time.Now(); time.Since(began) < adoptionLimit; {
		starting := false
		for pid, state := range childrenOf(os.Getpid()) {
			marked, known := isMarked(pid, mark)
			if starting = starting || !known && state != 'Z'; marked && !killed[pid] {
				killed[pid] = true
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if len(killed) == 0 && (!starting || time.Since(began) > startingLimit) {
			return
		}
		time.Sleep(time.Millisecond)
		for pid := range killed {
			if n, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil); n == pid || err != nil {
				delete(killed, pid)
			}
		}
	}
}

// childrenOf returns the processes whose parent is a process, and their states: Z has ended. It reads
// all of /proc: the list of children there has gaps while some of them end.
func childrenOf(parent int) map[int]byte {
	states := map[int]byte{}
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		text, _ := os.ReadFile(name)
		// The name of the program, in parentheses, may have any characters.
		fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // state, parent, ...
		if len(fields) > 1 && string(fields[1]) == strconv.Itoa(parent) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			states[pid] = fields[0][0]
		}
	}
	return states
}

// isMarked reports whether a process was started with a mark that begins like this, and whether its
// environment is known.
func isMarked(pid int, mark string) (marked, known bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	marked = bytes.Contains(append([]byte{0}, text...), append([]byte{0}, mark...))
	return marked, err != nil || len(text) > 0
}
