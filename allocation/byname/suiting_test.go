package byname_test

import (
	"slices"
	"testing"

	"contend/allocation/byname"
	"contend/netsim/topology"
	"contend/netsim/topology/topologytest"
)

// Each machine has the allocators that have a meaning there.
func TestSuiting(t *testing.T) {
	anywhere := []string{"random", "gen-alg", "mm", "mm-inc", "optimal", "free-list", "first-fit-1d",
		"best-fit-1d", "sum-of-squares", "sequential", "by-router", "random-routers"}
	for text, more := range map[string][]string{
		"dragonfly:a4h1p2g5": {"by-group", "level-spread", "random-groups"},
		"dragonfly:a4h1p2g1": nil,
		"hyperx:3x4:p2":      {"rows", "diagonal", "subcube"},
		"fat-tree:6x4:2":     {"contiguous", "quasi-contiguous", "isolated"},
		"mesh:4x4": {"paging", "buddy2d", "mbs", "first-fit", "best-fit", "frame-sliding", "mc", "mc1x1",
			"mc1x1-tie", "ptas"},
		"mesh:3x3x3": {"mc", "mc1x1", "mc1x1-tie"},
	} {
		var m topology.Topology = topologytest.Machine(t, text)
		got := byname.Suiting(m)
		want := slices.Sorted(slices.Values(append(slices.Clone(anywhere), more...)))
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s takes %q, want %q", text, got, want)
		}
	}
}
