package netsim

import (
	"contend/internal/call"
	"contend/internal/quantity"
)

// NoControl is the name of the entry for no congestion control.
const NoControl = "none"

// OfLink is the unit of a share of the rate at which a node sends.
const OfLink = "of the link"

// ControlKind is an entry of the table of congestion controls.
type ControlKind struct {
	Name, Doc, Source string
	// Display is the name that figures and tables print. If it is empty, they print the words of
	// Name.
	Display    string
	Parameters []call.Parameter
	// Marks reports whether routers draw which packets they mark; nil: they mark none.
	Marks func(v call.Values) bool
	// New makes the control; nil for none.
	New func(v call.Values) CongestionControl
	// Queue is the parameter of the queue below which nothing happens, and Senders that of the number
	// of sources; "" for none.
	Queue, Senders string
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

// flits is count of flits, which may be given as a size or as the time in which a link carries them.
func flits(name, standard, least, doc string) call.Parameter {
	p := count(name, standard, least, "flits", doc)
	p.Takes = []quantity.Kind{quantity.Size, quantity.Time}
	return p
}

// leastShare is the minimum of shares. Much smaller shares would vanish in rounding beside 1, or
// never be drawn.
const leastShare = "1e-6"

// share returns a parameter of a congestion control of at most 1.
func share(name, standard, unit, doc string) call.Parameter {
	return call.Parameter{Name: name, Type: call.Number, Default: standard, Min: leastShare, Max: "1",
		Unit: unit, Doc: doc}
}

// hpccScales cites the source for defaults of dcqcn that grow with the rate of links: run.py sets
// K_min, K_max, R_AI and R_HAI in proportion to the rate, and the same times for all rates.
const hpccScales = "; grows with the rate of the link, as in the repository of HPCC, run.py (Li " +
	"et al., SIGCOMM 2019)"

// ControlKinds lists the congestion controls, none first. Some defaults are quantities: package
// config converts them into numbers for the network at hand.
func ControlKinds() []ControlKind { return controlKinds }

var controlKinds = []ControlKind{
	{Name: NoControl, Doc: "sources send as fast as their links"},
	{Name: "dcqcn", Display: "DCQCN", Source: "Zhu et al., SIGCOMM 2015",
		Doc: "marks by random early detection, notifications of a flow, and rates that a source cuts " +
			"and raises again; defaults are those of the paper (Fig. 14), in which links have 40 Gb/s: " +
			"times as they are, sizes and rates over that of the link, on islands of the card",
		Parameters: []call.Parameter{
			flits("kmin", "1 us", "0", "K_min, queue from which on packets are marked, or the time "+
				"in which the link carries it: 5 KB at 40 Gb/s"+hpccScales),
			flits("kmax", "40 us", "0", "K_max, queue beyond which all packets are marked, or the "+
				"time in which the link carries it: 200 KB at 40 Gb/s"+hpccScales),
			share("pmax", "0.01", "", "P_max, probability of a mark at kmax"),
			count("cnp_cycles", "50 us", "1", "cycles", "N, minimum time between notifications of a flow"),
			count("alpha_cycles", "55 us", "1", "cycles", "K, time without one after which alpha decays"),
			count("timer_cycles", "55 us", "1", "cycles", "T, period of the timer that raises rates"),
			flits("counter_flits", "2 ms", "1", "B, flits sent that raise the rate, or the time in "+
				"which the link carries them: 10 MB at 40 Gb/s; grows with the rate as kmax does (assumed)"),
			share("g", "0.00390625", "", "weight of a notification in alpha"),
			bounded("recovery", "5", "1", "1000", "", "F, steps of fast recovery"),
			{Name: "additive", Type: call.Number, Default: "0.001", Min: leastShare, Max: "0.1",
				Unit: OfLink, Doc: "R_AI over the rate of the link: 40 Mb/s at 40 Gb/s" + hpccScales},
			share("hyper", "0.01", OfLink, "R_HAI over the rate of the link, 10 R_AI as in QCN"),
			share("least", "0.001", OfLink, "minimum rate over that of the link (assumed)")},
		Queue: "kmin", Marks: func(call.Values) bool { return true },
		New: func(v call.Values) CongestionControl {
			return &DCQCN{MarkFrom: v.Int("kmin"), MarkTo: v.Int("kmax"),
				MarkShare: v.Float("pmax"), CNPCycles: v.Int("cnp_cycles"),
				AlphaCycles: v.Int("alpha_cycles"), TimerCycles: v.Int("timer_cycles"),
				CounterFlits: v.Int("counter_flits"), Gain: v.Float("g"), Recovery: v.Int("recovery"),
				Additive: v.Float("additive"), Hyper: v.Float("hyper"), Least: v.Float("least")}
		}},
	{Name: "ib-cca", Display: "IB CCA", Source: "InfiniBand Architecture 1.2.1, Annex A10",
		Doc: "marks above a threshold, each returned, and a table of delays between packets; " +
			"ccti_increase, ccti_min and marking_rate are the defaults of NVIDIA's congestion control " +
			"manager, the others are assumed",
		Parameters: []call.Parameter{
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
		Queue: "threshold", Marks: func(v call.Values) bool { return v.Int("marking_rate") > 0 },
		New: func(v call.Values) CongestionControl {
			return &IBCCA{MarkFrom: v.Int("threshold"), MarkingRate: v.Int("marking_rate"),
				Increase: v.Int("ccti_increase"), Limit: v.Int("ccti_limit"), Least: v.Int("ccti_min"),
				TimerCycles: v.Int("ccti_timer"), DelayStep: v.Float("delay_step")}
		}},
	{Name: "throttle", Source: "merlin of SST",
		Doc: "a destination that is owed too much by too many sources holds these back, without marks",
		Parameters: []call.Parameter{
			count("outstanding", "4 KiB", "1", "flits", "flits that it is owed (assumed)"),
			count("senders", "6", "2", "nodes", "sources"),
			count("smallest", "128 B", "1", "flits", "packets below make no sender")},
		Senders: "senders",
		New: func(v call.Values) CongestionControl {
			return &Throttle{Outstanding: v.Int("outstanding"), Senders: v.Int("senders"),
				Smallest: v.Int("smallest")}
		}},
}
