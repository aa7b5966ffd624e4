package topology

// Inventory counts what a network is built of.
type Inventory struct {
	Nodes, Routers int
	// MaxPorts is the maximum number of ports of a router that are in use.
	MaxPorts int
	// NodePorts is the number of ports to nodes, over all network interfaces.
	NodePorts int
	// Links are the numbers of links between routers, each for both directions, by class, and Classes
	// the names of the classes. A topology without classes has one, "".
	Links   []int
	Classes []string
}

// Ports returns the number of ports in use of all routers.
func (v *Inventory) Ports() int {
	ports := v.NodePorts
	for _, n := range v.Links {
		ports += 2 * n
	}
	return ports
}

// InventoryOf counts the parts of a topology.
func InventoryOf(t Topology) Inventory {
	v := Inventory{Nodes: t.Nodes(), Routers: t.Routers(), Classes: []string{""}}
	classes, classed := t.(Classed)
	if classed {
		v.Classes = classes.LinkClasses()
	}
	v.Links = make([]int, len(v.Classes))
	used := make([]int, t.Routers())
	for n := range Node(t.Nodes()) {
		for rail := range Rails(t) {
			r, _ := AttachRail(t, n, rail)
			used[r]++
			v.NodePorts++
		}
	}
	for r := range Router(t.Routers()) {
		for p := range Port(t.Ports()) {
			s, q, ok := t.Peer(r, p)
			if !ok {
				continue
			}
			used[r]++
			if r < s || r == s && p < q { // once a link
				class := 0
				if classed {
					class = classes.LinkClass(r, p)
				}
				v.Links[class]++
			}
		}
		v.MaxPorts = max(v.MaxPorts, used[r])
	}
	return v
}
