package booksim

import (
	"slices"
	"strconv"
	"strings"
)

// readRouter reads the settings of routers and sets the keys of [network].
func (b *reader) readRouter() {
	pipeline := b.pipeline()
	routing, allocation := b.number("routing_delay", 0), b.number("vc_alloc_delay", 1)
	credit := b.number("credit_delay", 0)
	channels, buffer := b.number("num_vcs", 1), b.buffer()
	if channels > 2 && b.text("topology") == "dragonflynew" &&
		strings.HasPrefix(b.text("routing_function"), "min") {
		channels = 2
		b.note("min of dragonflynew: BookSim takes two virtual " +
			"channels between routers whatever num_vcs is, and so does this program")
	}
	packet, speedup := b.number("packet_size", 1), b.number("input_speedup", 1)
	b.checkAllocators(channels)
	speculative := b.text("speculative") != "0"
	b.checkStages(speculative)
	arbiter := "round-robin"
	if !speculative { // a header asks for the switch after it has its virtual channel
		routing += allocation
		b.set("network.vc_alloc_cycles", allocation)
	}
	if channels > 1 && !b.piggyback() {
		arbiter = "matching"
	}
	b.set("network.routing_cycles", routing)
	b.setLinkCycles(pipeline)
	b.set("network.credit_cycles", credit+2)
	b.set("network.virtual_channels", channels)
	b.set("network.buffer_flits", buffer)
	// A node's flit is in the buffer of its router after two cycles, and its credit back after two
	// more. Channels of nodes take pipeline+1 cycles here, so their credits take what is left.
	// BookSim's nodes have the buffers of a router, and return credits.
	atomic := b.number("wait_for_tail_credit", 0) > 0
	if atomic {
		b.set("network.atomic_vcs", true)
	}
	if atomic || buffer < pipeline+1+credit+2 {
		b.set("network.node_credit_cycles", max(1, 3-pipeline))
		b.set("network.ejection_credit_cycles", credit+2)
	}
	b.set("network.packet_flits", packet)
	b.set("job.flits", packet)
	b.set("network.arbiter", arbiter)
	if channels > 1 {
		b.set("network.switch_allocator", b.switchAllocator())
		if arbiter != "matching" {
			b.set("network.vc_select", "round-robin")
		}
		b.set("network.input_speedup", speedup) // an input of one virtual channel has nothing to share
		b.set("network.headers_yield", speculative)
		if speculative && arbiter == "matching" {
			b.set("network.headers_speculate", true)
		}
	}
}

// buffer returns the places of the buffer of a virtual channel.
func (b *reader) buffer() int {
	text := b.text("buf_size")
	if all, err := strconv.Atoi(text); err == nil && all <= 0 || b.value("buffer_policy") != "private" {
		return b.number("vc_buf_size", 1)
	}
	each := b.number("buf_size", 1) / b.number("num_vcs", 1)
	if each < 1 {
		b.bad("buf_size", "give a flit or more for each virtual channel", "buf_size is %s", text)
		return 1
	}
	return each
}

// pipeline returns the cycles that a flit takes from an input buffer to the link.
func (b *reader) pipeline() (cycles int) {
	return b.number("sw_alloc_delay", 1) + b.number("st_prepare_delay", 0) +
		b.number("st_final_delay", 0)
}

// checkStages refuses delays with which BookSim does not run. It reports stages that BookSim does
// not pipeline: a stage of several cycles takes no flit while another flit is in it.
func (b *reader) checkStages(speculative bool) {
	piggyback := b.text("vc_allocator") == "piggyback"
	if piggyback && !speculative {
		b.bad("vc_allocator", "give speculative = 1, or another vc_allocator",
			"vc_allocator is piggyback, which needs speculative switch allocation")
	}
	names := []string{"routing_delay", "sw_alloc_delay"}
	if !piggyback {
		names = append(names, "vc_alloc_delay")
	}
	const reason = "BookSim lets nothing into a stage of several cycles while another flit of the " +
		"router is in it; here stages are pipelined"
	for _, name := range names {
		if b.number(name, 0) > 1 {
			b.reportLost(name, reason)
		}
	}
	prepare, last := b.number("st_prepare_delay", 0), b.number("st_final_delay", 0)
	switch {
	case prepare+last == 0:
		b.bad("st_final_delay", "give at least 1 for both together",
			"st_prepare_delay and st_final_delay are 0")
	case prepare > 0 && prepare+last > 1:
		b.reportLost("st_prepare_delay", reason)
	case last > 1:
		b.reportLost("st_final_delay", reason)
	}
}

// allocatorNames are the allocators of BookSim 2. Its vc_allocator may also be piggyback.
var allocatorNames = []string{"islip", "separable_input_first", "separable_output_first",
	"select", "wavefront", "rr_wavefront", "max_size", "pim", "loa"}

// singleRound are the allocators with one round of requests and grants, as in this program.
var singleRound = allocatorNames[:4]

// checkAllocators refuses values that are no allocators of BookSim, and reports those with which
// its latencies are not within 5% at 80% of saturation and 10% at 95%: see
// TestBookSimNearSaturation.
func (b *reader) checkAllocators(channels int) {
	for _, key := range []string{"vc_allocator", "sw_allocator"} {
		text := b.text(key)
		name, _, given := strings.Cut(text, "(")
		known := allocatorNames
		if key == "vc_allocator" {
			known = append([]string{"piggyback"}, known...)
		}
		if !slices.Contains(known, name) {
			b.bad(key, "give one of "+strings.Join(known, ", "), "%s is %s", key, text)
		}
		if given {
			b.reportLost(key, "this program has nothing for the parameter of an allocator")
		}
	}
	if channels > 1 && !slices.Contains(singleRound, b.allocatorName("sw_allocator")) {
		b.reportLost("sw_allocator", "it grants more than one round of requests and grants does. On a "+
			"3-ary 2-tree with 8 virtual channels latencies are 48% longer here at 80% of saturation: "+
			"give islip or a separable allocator")
	}
	b.checkVCAllocator(channels)
	b.checkVCTiming(channels)
}

// checkVCAllocator reports allocators of virtual channels that make more grants than one iteration
// of iSLIP.
func (b *reader) checkVCAllocator(channels int) {
	name := b.allocatorName("vc_allocator")
	if channels > 1 && !slices.Contains(singleRound, name) && name != "piggyback" {
		b.reportLost("vc_allocator", "it grants more than one round of requests and grants does. With "+
			"wavefront on an 8-ary ring with 6 virtual channels and packets of 1 flit latencies are 8% "+
			"shorter here at 80% of saturation: give islip or a separable allocator")
	}
}

// checkVCTiming notes how results differ if BookSim allocates virtual channels with the switch.
// In this program a head flit gets its virtual channel in the cycle in which it requests the
// switch.
func (b *reader) checkVCTiming(channels int) {
	tornado := b.text("topology") == "torus" && b.text("traffic") == "tornado"
	if b.piggyback() && tornado && channels > 2 {
		b.note("tornado with vc_allocator = piggyback: past saturation BookSim accepts more, since a " +
			"virtual channel is held from when its head flit wins the switch, here from when it asks for " +
			"it. On an 8x8 torus with 8 virtual channels at load 0.3 it accepts 0.146, here 0.120")
	}
}

// allocatorName returns an allocator without its parameter.
func (b *reader) allocatorName(key string) string {
	name, _, _ := strings.Cut(b.text(key), "(")
	return name
}

// piggyback reports whether virtual channels are allocated with the switch.
func (b *reader) piggyback() bool {
	return b.text("vc_allocator") == "piggyback" && b.text("speculative") != "0"
}

// switchAllocator returns the switch allocator of this program for that of BookSim.
func (b *reader) switchAllocator() string {
	switch b.allocatorName("sw_allocator") {
	case "islip":
		return "islip"
	case "separable_input_first":
		return "separable-input-first"
	default:
		return "separable-output-first"
	}
}
