package config

import (
	"fmt"

	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
	"contend/router/topology"
)

// noControl is the value of network.congestion_control for none.
const noControl = "none"

// congestionControl is an entry of the table of congestion controls.
type congestionControl struct {
	name, doc, source string
	parameters        []call.Parameter
	// marks reports whether routers draw which packets they mark.
	marks func(v call.Values) bool
	make  func(v call.Values) netsim.CongestionControl
	// queue is the parameter of the queue below which nothing happens, and senders that of the number
	// of sources; "" for none.
	queue, senders string
}

// count returns an integer parameter of a congestion control.
func count(name, standard, least, unit, doc string) call.Parameter {
	return bounded(name, standard, least, "1000000000", unit, doc)
}

// bounded is count with a maximum.
func bounded(name, standard, least, most, unit, doc string) call.Parameter {
	return call.Parameter{Name: name, Type: call.Integer, Default: standard, Min: least, Max: most,
		Unit: unit, Doc: doc}
}

// queueOf is count of flits that may be given as a size, or as the time in which a link carries them.
func queueOf(name, standard, least, unit, doc string) call.Parameter {
	p := count(name, standard, least, unit, doc)
	p.Takes = []quantity.Kind{quantity.Size, quantity.Time}
	return p
}

// leastShare is the least of shares: what is far below the step of a number beside 1, or of a draw,
// would act as 0.
const leastShare = "1e-6"

// share returns a parameter of a congestion control of at most 1.
func share(name, standard, unit, doc string) call.Parameter {
	return call.Parameter{Name: name, Type: call.Number, Default: standard, Min: leastShare, Max: "1",
		Unit: unit, Doc: doc}
}

// hpccScales is where it is published that sizes and rates of dcqcn grow with the rate of links,
// and times do not: run.py sets K_min, K_max, R_AI and R_HAI so, and the times of all rates alike.
const hpccScales = "; grows with the rate of the link, as in the repository of HPCC, run.py (Li et " +
	"al., SIGCOMM 2019)"

// congestionControls is the table of network.congestion_control. Defaults that are quantities
// become numbers as callquantities.go says.
var congestionControls = []congestionControl{
	{name: noControl, doc: "sources send as fast as their links"},
	{name: "dcqcn", source: "Zhu et al., SIGCOMM 2015",
		doc: "marks by random early detection, notifications of a flow, and rates that a source cuts " +
			"and raises again; defaults are those of the paper (Fig. 14), in which links have 40 Gb/s: " +
			"times as they are, sizes and rates over that of the link",
		parameters: []call.Parameter{
			queueOf("kmin", "1 us", "0", "flits", "K_min, queue from which on packets are marked, or the time "+
				"in which the link carries it: 5 KB at 40 Gb/s"+hpccScales),
			queueOf("kmax", "40 us", "0", "flits", "K_max, queue beyond which all packets are marked, or the "+
				"time in which the link carries it: 200 KB at 40 Gb/s"+hpccScales),
			share("pmax", "0.01", "", "P_max, probability of a mark at kmax"),
			count("cnp_cycles", "50 us", "1", "cycles", "N, minimum time between notifications of a flow"),
			count("alpha_cycles", "55 us", "1", "cycles", "K, time without one after which alpha decays"),
			count("timer_cycles", "55 us", "1", "cycles", "T, period of the timer that raises rates"),
			queueOf("counter_flits", "2 ms", "1", "flits", "B, flits sent that raise the rate, or the time in "+
				"which the link carries them: 10 MB at 40 Gb/s; grows with the rate as kmax does (assumed)"),
			share("g", "0.00390625", "", "weight of a notification in alpha"),
			bounded("recovery", "5", "1", "1000", "", "F, steps of fast recovery"),
			{Name: "additive", Type: call.Number, Default: "0.001", Min: leastShare, Max: "0.1",
				Unit: ofLink, Doc: "R_AI over the rate of the link: 40 Mb/s at 40 Gb/s" + hpccScales},
			share("hyper", "0.01", ofLink, "R_HAI over the rate of the link, 10 R_AI as in QCN"),
			share("least", "0.001", ofLink, "minimum rate over that of the link (assumed)")},
		queue: "kmin", marks: func(call.Values) bool { return true },
		make: func(v call.Values) netsim.CongestionControl {
			return &netsim.DCQCN{MarkFrom: v.Int("kmin"), MarkTo: v.Int("kmax"),
				MarkShare: v.Float("pmax"), CNPCycles: v.Int("cnp_cycles"),
				AlphaCycles: v.Int("alpha_cycles"), TimerCycles: v.Int("timer_cycles"),
				CounterFlits: v.Int("counter_flits"), Gain: v.Float("g"), Recovery: v.Int("recovery"),
				Additive: v.Float("additive"), Hyper: v.Float("hyper"), Least: v.Float("least")}
		}},
	{name: "ib-cca", source: "InfiniBand Architecture 1.2.1, Annex A10",
		doc: "marks above a threshold, each returned, and a table of delays between packets; " +
			"ccti_increase, ccti_min and marking_rate are the defaults of NVIDIA's congestion control " +
			"manager, the others are assumed",
		parameters: []call.Parameter{
			count("threshold", "8 KiB", "0", "flits", "queue above which packets are marked; of any link, "+
				"for it stands for a share of the buffers of the switch"),
			bounded("marking_rate", "10", "0", "65535", "packets", "mean number between two marked ones"),
			bounded("ccti_increase", "1", "1", "65535", "", "steps up the table for each returned mark"),
			bounded("ccti_limit", "127", "1", "65535", "", "last entry of the table"),
			bounded("ccti_min", "0", "0", "65534", "", "first entry that is used"),
			count("ccti_timer", "153.6 us", "1", "cycles", "period of the steps down the table; 150 times "+
				"the 1.024 us in which it is given"),
			{Name: "delay_step", Type: call.Number, Default: "1", Min: "0.001", Max: "1000",
				Doc: "delay that an entry adds to the one before, over the time of the packet"}},
		queue: "threshold", marks: func(v call.Values) bool { return v.Int("marking_rate") > 0 },
		make: func(v call.Values) netsim.CongestionControl {
			return &netsim.IBCCA{MarkFrom: v.Int("threshold"), MarkingRate: v.Int("marking_rate"),
				Increase: v.Int("ccti_increase"), Limit: v.Int("ccti_limit"), Least: v.Int("ccti_min"),
				TimerCycles: v.Int("ccti_timer"), DelayStep: v.Float("delay_step")}
		}},
	{name: "throttle", source: "merlin of SST",
		doc: "a destination that is owed too much by too many sources holds these back, without marks",
		parameters: []call.Parameter{
			count("outstanding", "4 KiB", "1", "flits", "flits that it is owed (assumed)"),
			count("senders", "6", "2", "nodes", "sources"),
			count("smallest", "128 B", "1", "flits", "packets below make no sender")},
		senders: "senders",
		make: func(v call.Values) netsim.CongestionControl {
			return &netsim.Throttle{Outstanding: v.Int("outstanding"), Senders: v.Int("senders"),
				Smallest: v.Int("smallest")}
		}},
}

// controlTable is the name of the table.
const controlTable = "congestion-controls"

// control returns the congestion control of the spec with its parameters, in which quantities may
// remain.
func (s *Spec) control() (*congestionControl, call.Values) {
	e, ok := s.Registry.find(controlTable, s.Network.Congestion)
	if !ok { // a spec of no study
		return &congestionControls[0], call.Values{}
	}
	return e.of.(*congestionControl), s.Registry.values(controlTable, s.Network.Congestion)
}

// drawsMarks reports whether routers draw which packets they mark.
func (s *Spec) drawsMarks() bool {
	c, v := s.control()
	return c.marks != nil && c.marks(v)
}

// controlInModelUnits is control of a resolved spec, with numbers.
func (s *Spec) controlInModelUnits() (*congestionControl, call.Values) {
	c, v := s.control()
	if c.make == nil {
		return c, v
	}
	k, _ := FindKey(string(FieldCongestion))
	v, err := k.callInModelUnits(s.Network.Congestion, s.Registry, s.scale())
	if err != nil {
		panic("spec: " + err.Error())
	}
	return c, v
}

// congestionPlan returns the congestion control for package netsim, nil for none.
func (s *Spec) congestionPlan() netsim.CongestionControl {
	if c, v := s.controlInModelUnits(); c.make != nil {
		return c.make(v)
	}
	return nil
}

// checkControl refuses a control that never acts on a network.
func (s *Spec) checkControl(c netsim.Config) *input.Error {
	e, v := s.controlInModelUnits()
	if e.make == nil {
		return nil
	}
	c, err := c.Resolved()
	if err != nil {
		return nil // whoever makes the network returns it
	}
	nodes := c.Topology.Nodes() * topology.Rails(c.Topology)
	most := c.Topology.Ports() * c.VirtualChannels * c.BufferFlits
	switch {
	case e.queue != "" && v.Int(e.queue) >= most:
		return FieldCongestion.Bad(fmt.Sprintf("give %s below %d, or raise network.buffer_flits",
			e.queue, most), "%s is %s with %s of %d flits, and the buffers of a router hold %d: no packet "+
			"is marked", FieldCongestion, e.name, e.queue, v.Int(e.queue), most)
	case e.senders != "" && v.Int(e.senders) >= nodes:
		return FieldCongestion.Bad(fmt.Sprintf("give %s below %d", e.senders, nodes),
			"%s is %s with %d %s, and of %d nodes no more than %d send to one", FieldCongestion, e.name,
			v.Int(e.senders), e.senders, nodes, nodes-1)
	}
	return nil
}
