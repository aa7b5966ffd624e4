//go:build !unix

package external

import "os/exec"

// setProcessGroup does nothing, since the system has no process groups.
func setProcessGroup(*exec.Cmd) {}

// killGroup kills a program alone.
func killGroup(c *exec.Cmd) { c.Process.Kill() }

// reap waits for the end of a program.
func reap(c *exec.Cmd, _ string) { c.Wait() }

// endAdopted does nothing: the processes that a program has started are not found.
func endAdopted(string) {}
