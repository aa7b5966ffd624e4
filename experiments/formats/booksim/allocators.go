package booksim

import (
	"slices"
	"strings"
)

// allocatorNames are the allocators of BookSim 2. Its vc_allocator may be piggyback too.
var allocatorNames = []string{"islip", "separable_input_first", "separable_output_first",
	"select", "wavefront", "rr_wavefront", "max_size", "pim", "loa"}

// separable are those that take one round of requests and grants, as this program does.
var separable = allocatorNames[:4]

// allocators refuses what is no allocator of BookSim's, and notes those with which its latencies
// are not within 5% at 80% of saturation and 10% at 95%: see TestBookSimNearSaturation.
func (b *reader) allocators(channels int) {
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
			b.lose(key, "this program has nothing for the parameter of an allocator")
		}
	}
	name, _, _ := strings.Cut(b.text("sw_allocator"), "(")
	torus := b.text("topology") == "torus"
	switch {
	case channels == 1: // an input port has one request
	case name == "separable_input_first" && b.piggyback() && !torus:
	case name != "islip" && b.piggyback():
		b.lose("sw_allocator", "BookSim grants the switch to other flits before head flits that have "+
			"no virtual channel, and latencies are 3 to 7% shorter than here: give islip")
	case name == "separable_input_first" && !b.piggyback():
		b.lose("sw_allocator", "input ports of BookSim request one output each, in turn. On a 4-ary "+
			"2-tree with 8 virtual channels and packets of 1 flit latencies are 36% longer here at 95% of "+
			"saturation: give islip, separable_output_first or select")
	case !slices.Contains(separable, name):
		b.lose("sw_allocator", "this program allocates the switch as islip does, and latencies differ "+
			"by up to 8%: give islip")
	}
	b.channels(channels)
	b.early(channels)
}

// channels notes allocators of virtual channels that grant more than one iteration of iSLIP does.
func (b *reader) channels(channels int) {
	name, _, _ := strings.Cut(b.text("vc_allocator"), "(")
	if channels > 1 && b.text("speculative") == "0" && !slices.Contains(separable, name) &&
		name != "piggyback" {
		b.lose("vc_allocator", "this program allocates virtual channels as islip does. With "+
			"wavefront on a 6x6 mesh with 4 of them and packets of 1 flit latencies are 10% shorter here "+
			"at 80% of saturation: give islip")
	}
}

// shortPacket is the least length in flits of packets of which BookSim's speculation with two
// virtual channels is within 10% of this program.
const shortPacket = 4

// early says how virtual channels that BookSim allocates with the switch differ from those here,
// which a head flit gets in the cycle in which it asks for the switch. Measured on an 8x8 mesh and
// a 4-ary 3-tree, with packets of 1 to 8 flits.
func (b *reader) early(channels int) {
	note := func(text string) { b.out.Notes = append(b.out.Notes, b.path+": "+text) }
	tornado := b.text("topology") == "torus" && b.text("traffic") == "tornado"
	switch {
	case channels == 1:
	case b.piggyback() && tornado && channels > 2:
		note("tornado with vc_allocator = piggyback: past saturation BookSim accepts more, since a " +
			"virtual channel is held from when its head flit wins the switch, here from when it asks for " +
			"it. On an 8x8 torus with 8 virtual channels at load 0.3 it accepts 0.146, here 0.120")
	case b.piggyback() || b.text("speculative") == "0":
	case channels > 2:
		b.lose("speculative", "with more than 2 virtual channels and without vc_allocator = piggyback "+
			"BookSim's latencies are 1 to 8% longer than here at 60% of saturation")
	case b.number("packet_size", 1) < shortPacket:
		b.lose("speculative", "without vc_allocator = piggyback BookSim may refuse a head flit a free "+
			"virtual channel, and with 2 of them packets of less than 4 flits saturate it earlier. On a "+
			"4-ary 3-tree with packets of 1 flit latencies at load 0.6 are 22 cycles here, there 56")
	}
}

// piggyback reports whether virtual channels are allocated with the switch.
func (b *reader) piggyback() bool {
	return b.text("vc_allocator") == "piggyback" && b.text("speculative") != "0"
}
