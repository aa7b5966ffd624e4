package netsim

import (
	"fmt"
	"strings"

	"contend/router"
	"contend/router/deadlock"
	"contend/router/routes"
	"contend/router/topology"
)

// resolveRouting fills in the name of the routing and the number of virtual channels. It returns an
// error if the routing needs more.
func (c *Config) resolveRouting() error {
	if c.Route != nil {
		c.VirtualChannels = max(1, c.VirtualChannels)
		return nil
	}
	if c.Routes == nil {
		c.Routes = routes.Builtin()
	}
	if c.Routing == "" || c.Routing == "auto" {
		t, ok := c.Topology.(topology.Routed)
		if !ok {
			return bad("Routing", "name one", "is auto, and the topology has no default routing")
		}
		c.Routing = t.DefaultRouting(c.VirtualChannels)
	}
	needed := neededVCs(c.maker(), c.Topology)
	if c.VirtualChannels == 0 {
		c.VirtualChannels = needed
	}
	if c.VirtualChannels < needed {
		return bad("VirtualChannels", fmt.Sprintf("the routing %s needs at least %d", c.Routing, needed),
			"is %d", c.VirtualChannels)
	}
	return nil
}

// neededVCs returns the minimum number of virtual channels of a routing, whose maker may be nil.
func neededVCs(m *router.Maker, t topology.Topology) int {
	if m == nil || m.VirtualChannels == nil {
		return 1
	}
	return m.VirtualChannels(t)
}

// maker returns the maker of the routing, nil if none of that name suits the topology.
func (c *Config) maker() *router.Maker {
	for i := range c.Routes {
		m := &c.Routes[i]
		if m.Name == c.Routing && (m.Suits == nil || m.Suits(c.Topology)) {
			return m
		}
	}
	return nil
}

// drawsPaths reports whether packets between two nodes may take different paths on an empty
// network.
func (c *Config) drawsPaths() bool {
	m := c.maker()
	return c.Route != nil || m == nil || m.Flows || m.Draws && (m.DrawsOn == nil ||
		m.DrawsOn(c.Topology))
}

// Wire builds the channels of the network and its routing. The configuration
// has to be a resolved one.
func (c *Config) Wire() (*router.Wiring, router.Routing, error) {
	number := router.NewNodeWiring
	if c.LinksFail {
		number = router.NewEscapeWiring
	}
	w := number(c.Topology, c.VirtualChannels, c.NodeVirtualChannels, c.InjectionPorts)
	x, err := c.newRouting(w)
	return w, x, err
}

// newRouting returns the routing over the channels of w.
func (c *Config) newRouting(w *router.Wiring) (router.Routing, error) {
	x, err := c.newWholeRouting(w)
	if err == nil && c.LinksFail {
		return routes.NewLeftover(w, x), nil
	}
	return x, err
}

// newWholeRouting returns the routing over all links.
func (c *Config) newWholeRouting(w *router.Wiring) (router.Routing, error) {
	if c.Route != nil {
		return c.Route(w, c.RoutingSeed)
	}
	m := c.maker()
	if m == nil {
		return nil, c.noRouting()
	}
	x, err := m.New(w, c.RoutingSeed)
	if err != nil {
		return nil, bad("Routing", "take another routing", "is %q: %v", c.Routing, err)
	}
	return x, nil
}

// noRouting returns an error that lists the routings of the topology.
func (c *Config) noRouting() error {
	family, names := "this topology", []string{"auto"}
	if t, ok := c.Topology.(topology.Routed); ok {
		family = t.Family()
	}
	for _, m := range c.Routes {
		if m.Suits == nil || m.Suits(c.Topology) {
			names = append(names, m.Name)
		}
	}
	text, last := strings.Join(names, ", "), names[len(names)-1]
	if len(names) > 1 {
		text = strings.TrimSuffix(text, ", "+last) + " and " + last
	}
	return bad("Routing", fmt.Sprintf("on %s there are %s", family, text), "is %q", c.Routing)
}

// CheckDeadlock returns an error that names a cycle of the routing's channel dependency graph on
// the topology, or nil if the graph has no cycle. It follows packets between all pairs of nodes, so
// callers that build a network several times should call it once.
func (c Config) CheckDeadlock() error {
	if err := c.resolve(); err != nil {
		return err
	}
	c.LinksFail = false // what is left of the routing adds no cycle: see router.Leftover
	if m := c.maker(); c.Route == nil && m != nil && m.Alike {
		c.VirtualChannels = neededVCs(m, c.Topology)
		c.NodeVirtualChannels = min(c.NodeVirtualChannels, c.VirtualChannels)
	}
	w, x, err := c.Wire()
	if err != nil {
		return err
	}
	return deadlock.CheckDeadlock(w, x)
}
