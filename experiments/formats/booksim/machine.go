package booksim

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/formats/netfile"
	"contend/internal/input"
)

// routingNames are the routings of this program for those of BookSim, by topology.
var routingNames = map[string]map[string]string{
	"mesh": {"dor": "dimension-order", "dim_order": "dimension-order", "romm": "romm",
		"valiant": "valiant", "xy_yx": "o1turn", "min_adapt": "min-adapt"},
	"torus": {"dim_order": "balanced-dateline", "dim_order_bal": "two-datelines",
		"valiant": "valiant", "min_adapt": "min-adapt"},
	"cmesh":        {"dor_no_express": "dimension-order"},
	"fattree":      {"nca": "random", "anca": "two-choices"},
	"flatfly":      {"ran_min": "dimension-order", "valiant": "valiant", "ugal": "ugal"},
	"dragonflynew": {"min": "minimal-ascending", "ugal": "ugal-l"},
	"anynet":       {},
}

// routingDifferences says how routings differ from those of BookSim, by topology and routing.
var routingDifferences = map[string]string{
	"torus min_adapt": "BookSim takes virtual channel 3 alone for shortest ways, here all but the " +
		"first two",
	"torus valiant": "BookSim 2 (commit 28f4329) stops there at an assertion, and nothing has been " +
		"compared",
	"flatfly ugal": "minimal packets of BookSim have the upper half of the virtual channels, here " +
		"all; it draws routers in dimensions with hops to go only; and it adds 2 to the hops times " +
		"queue of a detour. With 4 nodes a router and 4x4 routers, at load 0.4, latencies are 19% " +
		"shorter with 2 virtual channels and 9% longer with 4",
	"dragonflynew ugal": "BookSim goes minimally while that queue is at most twice the other one " +
		"and 30 flits, here hops times queue have no such constant; and minimal packets have one " +
		"virtual channel of a link, here all that ascend. With 72 nodes and buffers of 256 flits " +
		"latencies are 24% longer at load 0.1 and 19% shorter at 0.5",
}

// readMachine reads topology and routing.
func (b *reader) readMachine() {
	name := b.text("topology")
	routings, known := routingNames[name]
	if !known {
		b.bad("topology", "this program has mesh, torus, cmesh, fattree, flatfly, dragonflynew "+
			"and anynet", "topology is %s", name)
		return
	}
	function := strings.TrimSuffix(b.text("routing_function"), "_"+name)
	if name == "anynet" {
		b.readGraph(function)
		return
	}
	b.setShape(name)
	if name == "mesh" && function == "min_adapt" {
		b.reportAdaptive()
	}
	if routing, have := routings[function]; have {
		b.set("network.routing", routing)
	} else {
		b.reportLost("routing_function", "this program has no such routing on "+name+
			" and takes its own default there")
	}
	if function == "xy_yx" && b.number("n", 1) != 2 {
		b.bad("routing_function", "give dor, or n = 2", "routing_function is xy_yx, and n is %s",
			b.text("n"))
	}
	b.checkDragonfly(name, function)
	if name+function == "torusdim_order_bal" {
		b.reportTwoDatelines()
	}
	if why := routingDifferences[name+" "+function]; why != "" {
		b.reportLost("routing_function", why)
	}
	if name == "flatfly" && function == "valiant" {
		b.reportValiant()
	}
}

// reportTwoDatelines reports how dim_order_bal on a torus differs.
func (b *reader) reportTwoDatelines() {
	switch traffic := b.text("traffic"); {
	case b.number("num_vcs", 1)%2 > 0 && traffic != "uniform":
		b.reportLost("num_vcs", "with an odd number of virtual channels BookSim has the middle one in "+
			"both halves on all links, which leaves a cycle of channels; here one half has it on some. On "+
			"a 5x5 torus with 3 under neighbor latencies are 5% longer at 50% of saturation")
	case traffic == "tornado":
		b.note("dim_order_bal under tornado: past saturation an 8x8 torus with 2 virtual channels " +
			"accepts 0.147 at load 0.5 here, 0.117 in BookSim")
	}
}

// checkDragonfly reports buffers that are too small for the credits of a global link. Results then
// depend on the virtual channels that packets take at their nodes, which BookSim and this program
// choose differently.
func (b *reader) checkDragonfly(name, function string) {
	loop := b.pipeline() + b.number("credit_delay", 0) + 2*100 + 1
	if buffer := b.buffer(); name == "dragonflynew" && function == "min" && buffer < loop &&
		4*b.number("packet_size", 1) > buffer {
		b.reportLost("vc_buf_size", fmt.Sprintf("buffers are less than the %d cycles of a credit of a "+
			"global link, and packets more than a quarter of one: BookSim's nodes draw the virtual "+
			"channel of each packet, here they take turns. With 72 nodes, packets of 20 flits and buffers "+
			"of 32 latencies are 7%% shorter here at 80%% of saturation", loop))
	}
}

// reportValiant reports how valiant on a flatfly differs.
func (b *reader) reportValiant() {
	if channels := b.number("num_vcs", 1); channels > 1 && channels%2 > 0 {
		b.reportLost("num_vcs",
			"with an odd number of virtual channels BookSim has the middle one in both "+
				"phases of valiant, which leaves a cycle of channels; here the second phase has it alone")
	}
	b.note("valiant of flatfly: in BookSim a packet that comes " +
		"through its last router on the way to the drawn one leaves there; here it goes on. With 4 " +
		"nodes a router and 4x4 routers latencies are 1 to 2% longer at load 0.15 and 4% at 0.23")
}

// reportAdaptive reports how min_adapt on a mesh differs. BookSim's set of outputs keeps the next
// link of dimension order and the escape channel. With piggyback allocation each entry that has a
// free virtual channel requests the switch. An entry without a free virtual channel withdraws the
// grant of another entry, and that grant is wasted.
func (b *reader) reportAdaptive() {
	switch {
	case !b.piggyback(): // measured on a mesh of 4x4 under transpose, at loads from 0.1 to 0.3
		b.reportLost("routing_function",
			"BookSim's set of outputs keeps the next link of dimension order "+
				"only, here packets take any shortest way, and under transpose latencies are 2 to 38% shorter")
	case strings.HasPrefix(b.text("traffic"), "hotspot"): // the hot nodes' channels decide
	case b.text("num_vcs") != "2":
		b.reportLost("num_vcs", "with more than 2 virtual channels BookSim offers the next link of "+
			"dimension order only, here packets take any shortest way. On an 8x8 mesh with 4 under "+
			"transpose latencies are 2% shorter at load 0.06 and 10% at 0.1; those of BookSim are "+
			"within 2% of dimension order")
	default:
		b.reportLost("routing_function", "BookSim "+
			"refuses a head flit the switch while one of its outputs has no free virtual channel, "+
			"and wastes the grant; here it takes what is free. On an 8x8 mesh with 2 virtual channels "+
			"under transpose latencies are 3% lower at load 0.02, 9% at 0.05 and 29% at 0.08")
	}
}

// readGraph reads an anynet file. A link takes its cycles and those of a router.
func (b *reader) readGraph(function string) {
	file := b.text("network_file")
	if file == "" {
		b.bad("network_file", "name the file of the network", "network_file is not given")
		return
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(b.path), file)
	}
	n, err := netfile.ReadAnynet(file)
	if err != nil {
		b.fail(input.Unreadable(err, "give a file of a network"))
		return
	}
	n.Lengthen(b.pipeline())
	var list []string
	for _, line := range n.Lines() {
		list = append(list, strconv.Quote(line))
	}
	b.set("machine.topology", "graph")
	b.set("machine.graph", "["+strings.Join(list, ", ")+"]")
	switch {
	case function != "min":
		b.reportLost("routing_function", "this program has no such routing on anynet and takes its own "+
			"default there")
	case n.IsTree():
		b.set("network.routing", "up-down")
	default:
		b.set("network.routing", "lash")
		if !n.UniqueShortestPaths() {
			b.reportLost("routing_function",
				"between some routers there are several ways of as few hops, or "+
					"links differ in cycles, and the way taken here is another one")
		}
	}
}

// setShape sets the keys of [machine].
func (b *reader) setShape(name string) {
	k, n, c := b.number("k", 1), b.number("n", 1), b.number("c", 1)
	if n > 24 {
		b.bad("n", "give at most 24", "n is %d", n)
		return
	}
	switch name {
	case "fattree":
		b.set("machine.topology", "tree")
		b.set("machine.arity", k)
		b.set("machine.levels", n)
	case "dragonflynew":
		if n != 1 {
			b.bad("n", "give 1", "n is %d, and groups of dragonflynew have one dimension", n)
		}
		b.set("machine.topology", "dragonfly")
		b.set("machine.group_routers", 2*k)
		b.set("machine.global_links", k)
		b.set("machine.concentration", k)
	default:
		for _, key := range []string{"x", "y", "xr", "yr"} { // how nodes and routers are laid out
			b.text(key)
		}
		b.set("machine.topology", map[string]string{"mesh": "mesh", "torus": "torus", "cmesh": "mesh",
			"flatfly": "hyperx"}[name])
		if name == "mesh" || name == "torus" { // BookSim does not look at c there
			c = 1
		}
		b.set("machine.dims", listOf(n, k))
		b.set("machine.concentration", c)
	}
}

// setLinkCycles sets the cycles from router to router. Links take 1 cycle. Those of a folded torus
// on a chip take 2, those of a dragonfly 10 within a group and 100 between groups.
func (b *reader) setLinkCycles(pipeline int) {
	name, noc := b.text("topology"), b.text("use_noc_latency") == "1"
	b.set("network.link_cycles", pipeline+1)
	switch {
	case name == "torus" && noc:
		n, _ := strconv.Atoi(b.text("n")) // which shape has checked
		b.set("network.class_link_cycles", listOf(n, pipeline+2))
	case name == "cmesh" && noc: // without express channels all are as long
		b.set("network.class_link_cycles", listOf(2, pipeline+2))
	case name == "flatfly" && noc:
		b.reportLost("use_noc_latency",
			"links have the length of their wires on a chip; here all take 1 cycle")
	case name == "dragonflynew":
		b.set("network.class_link_cycles", fmt.Sprintf("[%d, %d]", pipeline+10, pipeline+100))
	}
}

// listOf writes a TOML list of n equal numbers.
func listOf(n, value int) string {
	return strings.ReplaceAll(fmt.Sprint(slices.Repeat([]int{value}, n)), " ", ", ")
}
