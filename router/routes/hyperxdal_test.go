package routes

import (
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router"
	"contend/router/routertest"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

// newDAL returns the routing on a HyperX with so many virtual channels.
func newDAL(t *testing.T, size string, virtual int) (*topology.HyperX, *router.Wiring,
	*dalRouting) {
	t.Helper()
	m := topologytest.Machine(t, "hyperx:"+size).(*topology.HyperX)
	w := router.NewWiring(m, virtual, 1)
	x := must.Have(newDALRouting(w, 5))
	return m, w, x
}

// queues is a router all of whose buffers ahead are empty, with queues in front of its links.
type queues struct {
	w  *router.Wiring
	of func(l router.Link) int32
}

func (v queues) Free(router.Channel) bool     { return true }
func (v queues) Credits(router.Channel) int32 { return 4 }
func (v queues) Queued(c router.Channel) int32 {
	if l := v.w.LinkOf(c); c == v.w.First(l) {
		return v.of(l)
	}
	return 0
}

// Whatever routers look like, a packet takes at most one detour in each dimension in which it has
// a way to go.
func TestDALTakesOneDetourADimension(t *testing.T) {
	for _, size := range []string{"5:p2", "4x3:w2p1", "3x2x3:p1", "1x4x2:p1"} {
		m, w, x := newDAL(t, size, 2)
		most := 0
		for _, n := range m.Dims() {
			most += min(n-1, 2)
		}
		if err := routertest.Check(w, x, routertest.Options{MaxHops: most}); err != nil {
			t.Errorf("%s: %v", size, err)
		}
	}
}

// The routing remembers detours in eight dimensions of three or more routers, and refuses nine.
func TestDALRefusesNineDimensions(t *testing.T) {
	w := router.NewWiring(topologytest.Machine(t, "hyperx:3x3x3x3x3x3x3x3x3:p1"), 2, 1)
	_, err := newDALRouting(w, 1)
	if err == nil || !strings.Contains(err.Error(), "at most 8 dimensions") {
		t.Error(err)
	}
	newDAL(t, "3x3x2x3x3x3x3x3x2x1x3:p1", 2) // eight dimensions of three
}
