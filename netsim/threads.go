package netsim

import "contend/router"

// divide divides the routers among threads if they may be, each with a routing of its own.
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

// usesThreads reports whether several threads step the network: the cycle-driven engine steps it,
// and routers decide by their own state alone.
func (c *Config) usesThreads(w *router.Wiring, x router.Routing) bool {
	return c.Threads > 1 && c.engine(w, x, c.timing(w)) == router.CycleDriven &&
		!router.TraitsOf(w, x).SeesAll
}

// stepInOneThread makes the routers anew, undivided.
func (n *Network) stepInOneThread() {
	if n.config.Threads > 1 {
		n.config.Threads = 1
		n.renewRouters()
	}
}
