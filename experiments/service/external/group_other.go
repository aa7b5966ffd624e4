//go:build !unix

package external

import "os/exec"

// apart does nothing: there are no groups of processes.
func apart(*exec.Cmd) {}

// killAll kills a program.
func killAll(c *exec.Cmd) { c.Process.Kill() }
