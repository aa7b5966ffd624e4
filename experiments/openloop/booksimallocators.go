package openloop

import (
	"slices"
	"strings"
)

// bookSimAllocators are the allocators of BookSim 2. Its vc_allocator may be piggyback too.
var bookSimAllocators = []string{"islip", "separable_input_first", "separable_output_first",
	"select", "wavefront", "rr_wavefront", "max_size", "pim", "loa"}

// bookSimSeparable are those that take one round of requests and grants, as this program does.
var bookSimSeparable = bookSimAllocators[:4]

// allocators refuses what is no allocator of BookSim's, and notes those with which its latencies
// are not within the 3% of the study booksim. Measured on meshes of 8x8 with packets of 8 flits,
// up to 60% of saturation: without speculation allocators of virtual channels differ by at most
// 3%, as do the separable ones of the switch; others of the switch by up to 8%. With piggyback
// allocation the separable ones but islip, which look at priorities, are 3 to 7% faster. With
// speculation and an allocator of virtual channels BookSim is slower with 4 of them than with 2.
func (b *bookSim) allocators(channels int) {
	for _, key := range []string{"vc_allocator", "sw_allocator"} {
		text := b.text(key)
		name, _, given := strings.Cut(text, "(")
		known := bookSimAllocators
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
	switch {
	case channels == 1: // an input port has one request
	case name != "islip" && b.piggyback():
		b.lose("sw_allocator", "BookSim grants the switch to other flits before head flits that have "+
			"no virtual channel, and latencies are 3 to 7% shorter than here: give islip")
	case !slices.Contains(bookSimSeparable, name):
		b.lose("sw_allocator", "this program allocates the switch as islip does, and latencies differ "+
			"by up to 8%: give islip")
	}
	b.early(channels)
}

// early says how virtual channels that BookSim allocates before the switch, or with it, differ from
// those here, which a head flit gets in the cycle in which it asks for the switch. Measured on an
// 8x8 mesh and a 4-ary 3-tree, with packets of 1 to 8 flits.
func (b *bookSim) early(channels int) {
	note := func(text string) { b.out.Notes = append(b.out.Notes, b.path+": "+text) }
	tornado := b.text("topology") == "torus" && b.text("traffic") == "tornado"
	switch {
	case channels == 1:
	case b.piggyback() && tornado && channels > 2:
		note("tornado with vc_allocator = piggyback: past saturation BookSim accepts more, since a " +
			"virtual channel is held from when its head flit wins the switch, here from when it asks for " +
			"it. On an 8x8 torus with 8 virtual channels at load 0.3 it accepts 0.146, here 0.120")
	case b.piggyback():
	case b.text("speculative") != "0" && channels > 2:
		b.lose("speculative", "with more than 2 virtual channels and without vc_allocator = piggyback "+
			"BookSim's latencies are 1 to 8% longer than here at 60% of saturation")
	case b.text("speculative") != "0":
		note("speculative without vc_allocator = piggyback: BookSim may refuse a head flit a free " +
			"virtual channel, and with 2 of them short packets saturate it earlier. On a 4-ary 3-tree with " +
			"packets of 1 flit latencies are 3% shorter here at load 0.4; at 0.6 they are 22 cycles, there 56")
	case b.number("packet_size", 1) == 1:
		note("speculative = 0: a virtual channel is held a cycle longer in BookSim. With packets of 1 " +
			"flit latencies here are 1% shorter at 60% of saturation and 4 to 8% at 80%")
	}
}

// piggyback reports whether virtual channels are allocated with the switch.
func (b *bookSim) piggyback() bool {
	return b.text("vc_allocator") == "piggyback" && b.text("speculative") != "0"
}
