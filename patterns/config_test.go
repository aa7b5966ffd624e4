package patterns

import (
	"slices"
	"testing"

	"contend/internal/must"
)

// changes are values other than the defaults, one for each field of Uses.
var changes = map[string]func(*Config){
	"order":          func(c *Config) { c.Order = "rotated" },
	"flits":          func(c *Config) { c.Flits = 11 },
	"repeat":         func(c *Config) { c.Repeat = 3 },
	"grid":           func(c *Config) { c.Grid = "cube" },
	"cycle":          func(c *Config) { c.Cycle = "by-dimension" },
	"bits":           func(c *Config) { c.Bits = "lowest-first" },
	"bodies":         func(c *Config) { c.Bodies = "all" },
	"cut":            func(c *Config) { c.Cut = "phase" },
	"compute_cycles": func(c *Config) { c.ComputeCycles = 17 },
	"flop_rate":      func(c *Config) { c.OperationsPerCycle = 100 },
	"levels":         func(c *Config) { c.Levels = 1 },
	"class":          func(c *Config) { c.Class = "W" },
	"bytes":          func(c *Config) { c.Bytes = 12345 },
	"scale":          func(c *Config) { c.Scale = 0.3 },
	"flit_bytes":     func(c *Config) { c.FlitBytes = 3 },
	"pad_flits":      func(c *Config) { c.PadFlits = 7 },
}

// TestUses compares the table with the programs: a field that a pattern uses changes
// its messages in some job, and any other field changes nothing.
func TestUses(t *testing.T) {
	for _, p := range Names() {
		base := Config{Name: p.Name, Class: "S", Repeat: 2}
		for field, change := range changes {
			c := base
			change(&c)
			differs := false
			for _, n := range []int{4, 16} {
				for _, quota := range []int64{5, 40, 1000} {
					differs = differs || !slices.Equal(played(t, base, n, quota, 1), played(t, c, n, quota, 1))
				}
			}
			if differs != Uses(p.Name, field) {
				t.Errorf("%s: %s changes its messages: %v; Uses says %v", p.Name, field, differs, !differs)
			}
		}
	}
}

// TestDraws does the same with seeds.
func TestDraws(t *testing.T) {
	for _, p := range Names() {
		c := Config{Name: p.Name, Class: "S", Repeat: 2}
		differs := !slices.Equal(played(t, c, 16, 300, 1), played(t, c, 16, 300, 2))
		if differs != Draws(p.Name) {
			t.Errorf("%s: seeds change its messages: %v; Draws says %v", p.Name, differs, !differs)
		}
	}
}

// played lists the messages of a job on a network without delay.
func played(t *testing.T, c Config, n int, quota int64, seed uint64) []sending {
	t.Helper()
	return inTime(t, must.Have(New(c, n, nil, quota, seeded(seed))), 0, 0)
}
