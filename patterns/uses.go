package patterns

import (
	"fmt"
	"slices"
	"strings"
)

// Uses reports whether a field of Config changes what a pattern sends, or when. Fields
// that a pattern does not use are checked and otherwise ignored. The names of fields
// are the keys of the specification: order, flits, repeat, grid, cycle, bits, bodies,
// cut, compute_cycles, levels, class, bytes, scale, flit_bytes, pad_flits and
// rendezvous_bytes; flop_rate stands for OperationsPerCycle.
func Uses(name, field string) bool {
	switch field {
	case "flits", "cut":
		return !hasCode(name)
	case "scale", "flit_bytes", "pad_flits":
		return hasCode(name)
	case "compute_cycles":
		return true
	case "rendezvous_bytes":
		return false
	case "class", "flop_rate":
		return strings.HasPrefix(name, "npb-")
	case "bytes":
		return hasCode(name) && !strings.HasPrefix(name, "npb-")
	case "order":
		return slices.Contains([]string{"all-to-all", "one-to-all", "cplant-suite"}, name)
	case "repeat":
		return name == "cplant-suite"
	case "grid":
		return name == "multigrid" || name == "near-neighbour"
	case "cycle", "levels":
		return name == "multigrid"
	case "bits":
		return name == "fft"
	case "bodies":
		return name == "n-body"
	}
	panic(fmt.Sprintf("patterns: there is no field %s", field))
}

// Draws reports whether the pattern of the configuration draws.
func (c Config) Draws() bool { return c.OwnDraws || Draws(c.Name) }

// Draws reports whether a pattern draws its receivers at random, so that jobs with
// different seeds send different messages.
func Draws(name string) bool {
	return slices.Contains([]string{"one-to-all", "all-to-one", "broadcast-tree", "random"}, name)
}
