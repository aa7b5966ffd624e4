package config

import (
	"contend/internal/call"
	"contend/netsim"
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
}

// count returns an integer parameter of a congestion control.
func count(name, standard, least, unit, doc string) call.Parameter {
	return call.Parameter{Name: name, Type: call.Integer, Default: standard, Min: least,
		Max: "1000000000", Unit: unit, Doc: doc}
}

// share returns a parameter of a congestion control above 0 and at most 1.
func share(name, standard, doc string) call.Parameter {
	return call.Parameter{Name: name, Type: call.Number, Default: standard, Above: "0", Max: "1",
		Doc: doc}
}

// congestionControls is the table of network.congestion_control. Times and sizes of the defaults
// are those of links of 40 Gb/s with flits of 64 B and 12.8 ns.
var congestionControls = []congestionControl{
	{name: noControl, doc: "sources send as fast as their links"},
	{name: "dcqcn", source: "Zhu et al., SIGCOMM 2015",
		doc: "marks by random early detection, notifications of a flow, and rates that a source cuts " +
			"and raises again; defaults are those of the paper (Fig. 14) for 40 Gb/s and flits of 64 B",
		parameters: []call.Parameter{
			count("kmin", "78", "0", "flits", "K_min, queue from which on packets are marked"),
			count("kmax", "3125", "0", "flits", "K_max, queue beyond which all packets are marked"),
			share("pmax", "0.01", "P_max, probability of a mark at kmax"),
			count("cnp_cycles", "3906", "1", "cycles", "N, minimum time between notifications of a flow"),
			count("alpha_cycles", "4297", "1", "cycles", "K, time without one after which alpha decays"),
			count("timer_cycles", "4297", "1", "cycles", "T, period of the timer that raises rates"),
			count("counter_flits", "156250", "1", "flits", "B, flits sent that raise the rate"),
			share("g", "0.00390625", "weight of a notification in alpha"),
			count("recovery", "5", "1", "", "F, steps of fast recovery"),
			share("additive", "0.001", "R_AI over the rate of the link"),
			share("hyper", "0.01", "R_HAI over the rate of the link, 10 R_AI as in QCN"),
			share("least", "0.001", "minimum rate over that of the link (assumed)")},
		marks: func(call.Values) bool { return true },
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
			count("threshold", "128", "0", "flits", "queue above which packets are marked"),
			count("marking_rate", "10", "0", "packets", "mean number between two marked ones"),
			count("ccti_increase", "1", "1", "", "steps up the table for each returned mark"),
			count("ccti_limit", "127", "1", "", "last entry of the table"),
			count("ccti_min", "0", "0", "", "first entry that is used"),
			count("ccti_timer", "12000", "1", "cycles", "period of the steps down the table"),
			{Name: "delay_step", Type: call.Number, Default: "1", Above: "0",
				Doc: "delay that an entry adds to the one before, over the time of the packet"}},
		marks: func(v call.Values) bool { return v.Int("marking_rate") > 0 },
		make: func(v call.Values) netsim.CongestionControl {
			return &netsim.IBCCA{MarkFrom: v.Int("threshold"), MarkingRate: v.Int("marking_rate"),
				Increase: v.Int("ccti_increase"), Limit: v.Int("ccti_limit"), Least: v.Int("ccti_min"),
				TimerCycles: v.Int("ccti_timer"), DelayStep: v.Float("delay_step")}
		}},
	{name: "throttle", source: "merlin of SST",
		doc: "a destination that is owed too much by too many sources holds these back, without marks",
		parameters: []call.Parameter{
			count("outstanding", "64", "1", "flits", "flits that it is owed (assumed)"),
			count("senders", "6", "2", "nodes", "sources"),
			count("smallest", "2", "1", "flits", "packets below make no sender (128 B in merlin)")},
		make: func(v call.Values) netsim.CongestionControl {
			return &netsim.Throttle{Outstanding: v.Int("outstanding"), Senders: v.Int("senders"),
				Smallest: v.Int("smallest")}
		}},
}

// controlTable is the name of the table.
const controlTable = "congestion-controls"

// control returns the congestion control of the spec with its parameters.
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

// congestionPlan returns the congestion control for package netsim, nil for none.
func (s *Spec) congestionPlan() netsim.CongestionControl {
	if c, v := s.control(); c.make != nil {
		return c.make(v)
	}
	return nil
}
