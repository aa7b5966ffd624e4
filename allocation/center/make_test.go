package center

import (
	"fmt"
	"strings"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/netsim/topology"
)

// makeMedian makes the geometry of gen-alg or mm, with its last shell after a colon.
func makeMedian(t testing.TB, short string, machine topology.Topology) *onLattice {
	t.Helper()
	name, last, _ := strings.Cut(short, ":")
	a := must.Have(NewMedian(name, allocation.Site{Machine: machine}, last))
	return a.geometry.(*onLattice)
}

// makeCenter makes mc, mc1x1 or mc1x1-tie with its four numbers and two words.
func makeCenter(t testing.TB, short string, machine topology.Topology) *center {
	t.Helper()
	name, rest, _ := strings.Cut(short, ":")
	if name != "mc1x1-tie" {
		return must.Have(New(name, machine, rest))
	}
	f, last := TieFactors{ScanRadius: 2, Available: 13, Wall: 20, Border: 6}, ""
	if rest != "" {
		fmt.Sscanf(rest, "%d,%d,%d,%d", &f.ScanRadius, &f.Available, &f.Wall, &f.Border)
	}
	f.Corners = strings.HasSuffix(rest, CornersTwice)
	if strings.HasSuffix(rest, LastShellGreedy) {
		last = LastShellGreedy
	}
	return must.Have(NewTieBreaking(machine, last, f))
}
