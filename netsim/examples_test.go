package netsim_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"testing"
)

// The examples are modules of their own: they build, keep the contracts, and print
// what they say they do.
func TestExamplesOfContracts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for name, want := range map[string]string{
		"own-topology": "one message over 6 channels: 29 cycles, want 29",
		"own-routing":  "minimal-adaptive 41658 of 41750 messages delivered, mean latency 40.7 cycles",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join("..", "examples", name)
			if out := runIn(t, dir, "test", "./..."); bytes.Contains(out, []byte("FAIL")) {
				t.Errorf("%s", out)
			}
			if out := runIn(t, dir, "run", "."); !bytes.Contains(out, []byte(want)) {
				t.Errorf("it prints\n%s\nand not %q", out, want)
			}
		})
	}
}

// runIn runs a go command in a folder, without a network, and returns what it prints.
func runIn(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	c := exec.Command("go", args...)
	c.Dir = dir
	c.Env = append(c.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return out
}
