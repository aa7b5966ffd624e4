//go:build long

package netsim_test

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// The examples of the contracts are modules of their own, whose tests run them on
// networks directly: they build, keep the contracts, and take the cycles they should.
func TestLongExamplesOfContracts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, name := range []string{"own-topology", "own-routing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.Command("go", "test", "./...")
			c.Dir = filepath.Join("..", "examples", name)
			c.Env = append(c.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("go test: %v\n%s", err, out)
			}
		})
	}
}
