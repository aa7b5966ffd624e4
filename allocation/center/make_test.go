package center

import (
	"fmt"
	"strings"
	"testing"

	"contend/allocation"
	"contend/netsim/topology"
)

// makeMedian makes the geometry of gen-alg or mm, with its last shell after a colon.
func makeMedian(t testing.TB, short string, machine topology.Topology) *onLattice {
	t.Helper()
	name, last, _ := strings.Cut(short, ":")
	a, err := NewMedian(name, allocation.Site{Machine: machine}, last)
	if err != nil {
		t.Fatal(err)
	}
	return a.geometry.(*onLattice)
}

// makeCenter makes mc, mc1x1 or mc1x1-tie with its four numbers and two words.
func makeCenter(t testing.TB, short string, machine topology.Topology) *center {
	t.Helper()
	name, rest, _ := strings.Cut(short, ":")
	if name != "mc1x1-tie" {
		a, err := New(name, machine, rest)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	f, last := TieFactors{ScanRadius: 2, Available: 13, Wall: 20, Border: 6}, ""
	if rest != "" {
		fmt.Sscanf(rest, "%d,%d,%d,%d", &f.ScanRadius, &f.Available, &f.Wall, &f.Border)
	}
	f.Corners = strings.HasSuffix(rest, CornersTwice)
	if strings.HasSuffix(rest, LastShellGreedy) {
		last = LastShellGreedy
	}
	a, err := NewTieBreaking(machine, last, f)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
