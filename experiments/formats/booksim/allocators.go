package booksim

import (
	"slices"
	"strings"
)

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

// checkVCAllocator reports allocators of virtual channels that grant more than one iteration of
// iSLIP does.
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
