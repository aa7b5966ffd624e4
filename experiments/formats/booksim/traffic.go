package booksim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/netsim"
)

// trafficNames are the patterns of this program for those of BookSim, where nodes have the same
// numbers. BookSim computes transpose, tornado and neighbor from the numbers of nodes: see
// readPattern and checkNumbering.
var trafficNames = map[string]string{"uniform": "uniform", "transpose": "bit-transpose",
	"bitcomp": "bit-complement", "bitrev": "bit-reverse", "shuffle": "shuffle",
	"neighbor": "neighbour", "tornado": "tornado", "bad_dragon": "adversarial",
	"randperm": "permutation", "hotspot": "hotspot"}

// readTraffic reads the pattern, the load and the process of injection.
func (b *reader) readTraffic() {
	b.readPattern()
	b.readLoad()
	b.readInjection()
}

// readPattern reads where nodes send. Nodes that a pattern maps to themselves send to themselves.
func (b *reader) readPattern() {
	text := b.text("traffic")
	name, rest, _ := strings.Cut(text, "(")
	kind := netsim.TrafficPattern{Name: trafficNames[name]}
	if kind.Name == "" {
		b.bad("traffic", "this program has uniform, transpose, bitcomp, bitrev, shuffle, "+
			"neighbor, tornado, randperm, hotspot and bad_dragon", "traffic is %s", text)
		return
	}
	b.checkNumbering(name, text, rest)
	machine := b.text("topology")
	if name == "transpose" && (machine == "mesh" || machine == "torus") && b.text("n") == "2" {
		kind.Name = name
	}
	if b.out.Traffic = kind.Name; name == "hotspot" {
		b.out.Traffic = "hotspot:nodes=" + b.hotNodes(text, rest) + ",share=1"
	}
	if name == "randperm" {
		b.reportLost("traffic", "the permutation is drawn by another generator, and is another one")
	}
	if k, _ := kind.Kind(); k.Self {
		b.set("workload.self_messages", true)
	}
}

// checkNumbering refuses patterns on machines on which BookSim numbers nodes otherwise.
func (b *reader) checkNumbering(name, text, rest string) {
	machine := b.text("topology")
	nodes := b.text("c")
	switch {
	case name == "uniform" || name == "randperm":
	case (machine == "cmesh" || machine == "flatfly") && nodes != "1":
		b.bad("traffic", "give uniform, or one node a router", "traffic is %s, and BookSim "+
			"numbers the %s nodes of a router of %s by their places on a chip", text, nodes, machine)
	case name == "bad_dragon" && (machine != "dragonflynew" || rest != ""):
		b.bad("traffic", "give bad_dragon on dragonflynew, without parameters", "traffic is %s",
			text)
	case name == "tornado" || name == "neighbor":
		grid := machine == "mesh" || machine == "torus" || machine == "flatfly"
		if !grid || rest != "" || b.text("xr") != "1" {
			b.bad("traffic", "give it on mesh, torus or flatfly with xr = 1 and without parameters",
				"traffic is %s", text)
		}
	}
}

// hotNodes returns the nodes of hotspot({{0,9}}), and refuses different rates.
func (b *reader) hotNodes(text, rest string) string {
	lists := nodeLists(rest)
	nodes := lists[0]
	wrong := func(n string) bool { k, err := strconv.Atoi(n); return err != nil || k < 0 }
	if len(nodes) == 0 || slices.ContainsFunc(nodes, wrong) ||
		rest[0] == '{' && !strings.HasPrefix(rest, "{{") { // which is a node and a rate
		b.bad("traffic", "name the hot nodes, as in hotspot({{0,9}})", "traffic is %s", text)
	} else if len(lists) > 1 { // all further nodes have the last rate
		if rates := lists[1]; len(slices.Compact(rates[:min(len(rates), len(nodes))])) > 1 {
			b.bad("traffic", "give all hot nodes the same rate", "traffic is %s", text)
		}
	}
	return strings.Join(nodes, "/")
}

// nodeLists splits parameters into lists: {{0,9},{1,1}} are two, {0.2,0.1} and 5 are one.
func nodeLists(text string) (lists [][]string) {
	between := func(r rune) bool { return strings.ContainsRune("{},)", r) }
	for part := range strings.SplitSeq(strings.ReplaceAll(text, " ", ""), "},{") {
		lists = append(lists, strings.FieldsFunc(part, between))
	}
	return lists
}

// readLoad reads the load, which is above 0 and at most a flit a cycle.
func (b *reader) readLoad() {
	text := b.text("injection_rate")
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || !(rate > 0) || rate > 1 {
		b.bad("injection_rate", "give a number above 0 and at most 1", "injection_rate is %s", text)
	}
	if b.text("injection_rate_uses_flits") == "0" {
		rate *= float64(b.number("packet_size", 1))
	}
	if b.out.Load = rate; rate > 1 {
		b.bad("injection_rate", "a node sends at most a flit a cycle",
			"injection_rate is %s packets, which are %v flits a cycle", text, rate)
	}
}

// readInjection reads the process by which nodes create packets: independently in each cycle, or in
// bursts.
// A burst begins in a cycle with the probability burst_alpha and ends with burst_beta.
func (b *reader) readInjection() {
	text := b.text("injection_process")
	name, rest, given := strings.Cut(text, "(")
	var p [3]float64 // alpha, beta and the packets a cycle of a burst
	list := nodeLists(rest)[0]
	for i, name := range []string{"burst_alpha", "burst_beta", "burst_r1"} {
		value, of := b.text(name), name
		if i < len(list) {
			value, of = list[i], "injection_process"
		}
		var err error
		if p[i], err = strconv.ParseFloat(value, 64); err != nil || p[i] > 1 {
			b.bad(of, "give a number of at most 1", "%s is %s", name, value)
		}
	}
	switch {
	case name == "bernoulli" && !given:
		return
	case name != "on_off":
		b.bad("injection_process", "this program has bernoulli and on_off",
			"injection_process is %s", text)
	case len(list) > 3:
		b.bad("injection_process", "give at most three parameters", "injection_process is %s", text)
	case !(p[0] > 0) || !(p[1] > 0) || p[2] >= 0:
		b.bad("injection_process", "give burst_alpha and burst_beta above 0, and no burst_r1",
			"bursts have burst_alpha %v, burst_beta %v and burst_r1 %v", p[0], p[1], p[2])
	}
	b.set("workload.burst_cycles", strconv.FormatFloat(1/p[1], 'g', -1, 64))
	b.set("workload.burst_share", fmt.Sprint(1/(1+p[1]/p[0])))
}
