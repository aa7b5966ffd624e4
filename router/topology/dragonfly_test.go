package topology_test

import (
	"fmt"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

func dragonfly(t *testing.T, c topology.DragonflyConfig) *topology.Dragonfly {
	t.Helper()
	return must.Have(topology.NewDragonfly(c))
}

// dragonflies are those the conformance kit is run on: full ones, ones with fewer groups of
// every kind of remainder, and the smallest.
func dragonflies(t *testing.T) map[string]*topology.Dragonfly {
	t.Helper()
	out := map[string]*topology.Dragonfly{}
	for a := range topology.Arrangement(len(topology.Arrangements())) {
		for groups := 1; groups <= 9; groups++ {
			c := topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2, Concentration: 2,
				Groups: groups, Arrangement: a}
			out[fmt.Sprintf("a4h2p2g%d %s", groups, a)] = dragonfly(t, c)
		}
	}
	for name, c := range map[string]topology.DragonflyConfig{
		"one router a group": {GroupRouters: 1, GlobalLinks: 3},
		"odd, slots left":    {GroupRouters: 3, GlobalLinks: 3, Groups: 7},
		"odd, relative": {GroupRouters: 3, GlobalLinks: 1, Groups: 3,
			Arrangement: topology.Relative},
		"many links": {GroupRouters: 5, GlobalLinks: 4, Groups: 3},
	} {
		out[name] = dragonfly(t, c)
	}
	return out
}

// Kim et al. 2008, sec. 3.1: a dragonfly has g = a·h + 1 groups at most and N = a·p·g
// nodes, its routers a + h + p - 1 ports, and its diameter is 3. Fig. 5 is p = h = 2,
// a = 4: 72 nodes in 9 groups of routers of 7 ports.
func TestDragonflySizes(t *testing.T) {
	for h := 1; h <= 3; h++ {
		m := dragonfly(t, topology.DragonflyConfig{GroupRouters: 2 * h, GlobalLinks: h,
			Concentration: h})
		groups := 2*h*h + 1
		got := fmt.Sprint(m.Groups(), m.Nodes(), m.Routers(), m.Ports())
		if want := fmt.Sprint(groups, 2*h*h*groups, 2*h*groups, 4*h-1); got != want {
			t.Errorf("h=%d: %s groups, nodes, routers and ports, want %s", h, got, want)
		}
		if local, global := linksOfClasses(m); local != groups*2*h*(2*h-1)/2 ||
			global != groups*(groups-1)/2 {
			t.Errorf("h=%d: %d local and %d global links", h, local, global)
		}
		if d := diameter(m); d != 3 {
			t.Errorf("h=%d: diameter %d, want 3", h, d)
		}
	}
}

func linksOfClasses(m topology.Classed) (first, second int) {
	count := [2]int{}
	for r := range topology.Router(m.Routers()) {
		for p := range topology.Port(m.Ports()) {
			if to, _, ok := m.Peer(r, p); ok && r < to {
				count[m.LinkClass(r, p)]++
			}
		}
	}
	return count[0], count[1]
}

func diameter(m measuring) int {
	most := 0
	for a := range topology.Node(m.Nodes()) {
		for b := range topology.Node(m.Nodes()) {
			most = max(most, m.Distance(a, b))
		}
	}
	return most
}

// Global links lead to other groups, local ones stay in theirs. The numbers of links
// between two groups differ by one at most, and their list is what Peer says. At most one
// slot of a group stays free, and only where both numbers are odd.
func TestGlobalLinksAreSpreadEvenly(t *testing.T) {
	for name, m := range dragonflies(t) {
		slots, most, least, all := m.GroupRouters()*m.GlobalLinks(), 0, 1<<30, 0
		for g := range m.Groups() {
			for h := range m.Groups() {
				n := m.LinksBetween(g, h)
				if g == h {
					continue
				}
				most, least, all = max(most, n), min(least, n), all+n
				seen := map[string]bool{}
				for i := range n {
					r, p := m.GlobalLink(g, h, i)
					to, _, ok := m.Peer(r, p)
					if !ok || m.Group(r) != g || m.Group(to) != h || m.LinkClass(r, p) != 1 {
						t.Fatalf("%s: link %d from group %d to group %d is port %d of router %d", name, i, g, h,
							p, r)
					}
					seen[fmt.Sprint(r, p)] = true
				}
				if len(seen) != n {
					t.Errorf("%s: groups %d and %d have %d links, %d of them different", name, g, h, n, len(seen))
				}
			}
		}
		if m.Groups() == 1 {
			continue
		}
		if most > least+1 || least < 1 {
			t.Errorf("%s: %d to %d links between two groups", name, least, most)
		}
		if free := slots*m.Groups() - all; free != slots%2*m.Groups()%2*m.Groups() {
			t.Errorf("%s: %d of %d slots a group are free in all", name, free, slots)
		}
	}
}

// What the arrangements of a full dragonfly of a = 4, h = 2 look like: the groups that the
// slots of group 1 lead to.
func TestArrangements(t *testing.T) {
	for arrangement, want := range map[topology.Arrangement]string{
		topology.Absolute:  "[0 2 3 4 5 6 7 8]",
		topology.Relative:  "[2 3 4 5 6 7 8 0]",
		topology.Circulant: "[2 0 3 8 4 7 5 6]",
	} {
		m := dragonfly(t, topology.DragonflyConfig{GroupRouters: 4, GlobalLinks: 2,
			Arrangement: arrangement})
		var groups []int
		for i := range 4 {
			for k := range 2 {
				r := topology.Router(4 + i)
				to, _, _ := m.Peer(r, m.GlobalPort(k))
				groups = append(groups, m.Group(to))
				if arrangement == topology.Circulant && int(to)%4 != i {
					t.Errorf("circulant: router %d of a group is joined with router %d", i, to%4)
				}
			}
		}
		if fmt.Sprint(groups) != want {
			t.Errorf("%s: slots lead to %v, want %s", arrangement, groups, want)
		}
	}
}
