//go:build !unix

package external

import "os/exec"

// setProcessGroup does nothing, since the system has no process groups.
func setProcessGroup(*exec.Cmd) {}

// killGroup kills a program alone.
func killGroup(c *exec.Cmd) { c.Process.Kill() }
