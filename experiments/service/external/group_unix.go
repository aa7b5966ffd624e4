//go:build unix && !linux

package external

import (
	"os/exec"
	"syscall"
)

// setProcessGroup gives a program a process group of its own, so that it can be killed with the
// processes that it has started, and an interrupt at the terminal does not reach it.
func setProcessGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a program and all processes of its group.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// reap waits for the end of a program and kills the rest of its group.
func reap(c *exec.Cmd, _ string) {
	c.Wait()
	killGroup(c)
}

// endAdopted does nothing: processes that leave the group are not found.
func endAdopted(string) {}
