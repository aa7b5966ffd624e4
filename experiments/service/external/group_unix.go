//go:build unix

package external

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a program the head of a group of processes, so that it can be killed with the
// processes that it has started, and an interrupt at the terminal does not reach it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills a program and its group.
func killGroup(c *exec.Cmd) { syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
