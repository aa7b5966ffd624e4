package netsim

import "contend/router"

// divide divides the routers into parts for threads if usesThreads. Each part has its own routing.
func (n *Network) divide() error {
	c := &n.config
	if !c.usesThreads(n.wiring, n.routing) {
		return nil
	}
	list := []router.Routing{n.routing}
	for range c.Threads - 1 {
		x, err := c.newRouting(n.wiring)
		if err != nil {
			return err
		}
		list = append(list, x)
	}
	n.routers.Divide(list)
	return nil
}

// usesThreads reports whether several threads may step the network: it has the cycle-driven engine,
// and routers decide by their own state alone.
func (c *Config) usesThreads(w *router.Wiring, x router.Routing) bool {
	return c.Threads > 1 && c.engine(w, x, c.timing(w)) == router.CycleDriven &&
		!router.TraitsOf(w, x).SeesAll
}

// stepInOneThread replaces the routers by undivided ones.
func (n *Network) stepInOneThread() {
	if n.config.Threads > 1 {
		n.config.Threads = 1
		n.renewRouters()
	}
}
