package netsim

import "contend/router"

// CreditLoop is how much of its bandwidth a link can carry for the size of buffers. By rule 3 a
// virtual channel sends at most B flits in D + C cycles, the time from the sending of a flit to
// the sender's use of the place that it leaves, if it leaves at once. The cycles of routing come on
// top, once a packet.
type CreditLoop struct {
	// Link and Credit are D and C of the link.
	Link, Credit int
	// Channels is the number of its virtual channels.
	Channels int
	// Share is what they carry together, of the bandwidth of the link; at most 1.
	Share float64
	// Enough is the BufferFlits with which one of them carries all of it.
	Enough int
}

// CreditLoop returns that of the link with the least share, of those that end at a router.
func (c Config) CreditLoop() (worst CreditLoop, err error) {
	if err := c.resolve(); err != nil {
		return worst, err
	}
	w := router.NewNodeWiring(c.Topology, c.VirtualChannels, c.NodeVirtualChannels, c.InjectionPorts)
	for l := range router.Link(w.Links()) {
		k := CreditLoop{Channels: c.VirtualChannels}
		switch w.Kind(l) {
		case router.Ejection:
			continue // nodes always take a flit
		case router.Injection:
			k.Channels = c.NodeVirtualChannels
		}
		t := c.timingOf(w, l)
		k.Link, k.Credit = int(t.Delay), int(t.Credit)
		loop, flit := k.Link+k.Credit, int(t.Flit)
		k.Share = min(1, float64(k.Channels*c.BufferFlits*flit)/float64(loop))
		k.Enough = (loop + flit - 1) / flit
		if worst.Enough == 0 || k.Share < worst.Share {
			worst = k
		}
	}
	return worst, nil
}
