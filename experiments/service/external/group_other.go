//go:build !unix

package external

import "os/exec"

// ownGroup does nothing: there are no groups of processes.
func ownGroup(*exec.Cmd) {}

// killGroup kills a program.
func killGroup(c *exec.Cmd) { c.Process.Kill() }
