package openloop

import (
	"fmt"
	"strconv"
)

// router sets the keys of [network].
func (b *bookSim) router() error {
	pipeline, err := b.pipeline()
	if err != nil {
		return err
	}
	var n [7]int
	for i, k := range []struct {
		name            string
		standard, least int
	}{{"routing_delay", 1, 0}, {"vc_alloc_delay", 1, 1}, {"credit_delay", 0, 0},
		{"num_vcs", 16, 1}, {"vc_buf_size", 8, 1}, {"packet_size", 1, 1}, {"input_speedup", 1, 1}} {
		if n[i], err = b.number(k.name, k.standard, k.least); err != nil {
			return err
		}
	}
	if err := b.allocators(n[3]); err != nil {
		return err
	}
	speculative := b.text("speculative", "0") != "0"
	if err := b.stages(speculative); err != nil {
		return err
	}
	routing := n[0]
	if !speculative {
		routing += n[1]
	}
	b.set("network.routing_cycles", routing)
	b.links(pipeline)
	b.set("network.credit_cycles", n[2]+2)
	b.set("network.virtual_channels", n[3])
	b.set("network.buffer_flits", n[4])
	// A node's flit is in the buffer of its router after two cycles, and its credit back after two
	// more. Channels of nodes take pipeline+1 cycles here, so their credits take what is left.
	if n[4] < pipeline+1+n[2]+2 {
		b.set("network.node_credit_cycles", max(1, 3-pipeline))
	}
	b.set("network.packet_flits", n[5])
	b.set("job.flits", n[5])
	b.set("network.arbiter", "round-robin")
	b.nodes(pipeline+n[2]+3, n[3]*n[4])
	if n[3] > 1 {
		b.set("network.vc_select", "round-robin")
		b.set("network.input_speedup", n[6]) // an input of one virtual channel has nothing to share
		b.set("network.headers_yield", speculative)
		b.set("network.node_virtual_channels", 0)
	}
	return nil
}

// nodes notes where BookSim's nodes, which have the buffers of a router, cannot take a flit in
// every cycle: they return a credit so many cycles after the flit that used it was granted.
func (b *bookSim) nodes(cycles, places int) {
	if places < cycles {
		b.lose("vc_buf_size", fmt.Sprintf("BookSim's nodes take %d flits in %d cycles from their "+
			"buffers, here they take one in every cycle", places, cycles))
	}
}

// pipeline returns the cycles that a flit takes from an input buffer to the link.
func (b *bookSim) pipeline() (cycles int, err error) {
	for _, k := range []struct {
		name            string
		standard, least int
	}{{"sw_alloc_delay", 1, 1}, {"st_prepare_delay", 0, 0}, {"st_final_delay", 1, 0}} {
		n, err := b.number(k.name, k.standard, k.least)
		if err != nil {
			return 0, err
		}
		cycles += n
	}
	return cycles, nil
}

// stages refuses delays with which BookSim does not run, and notes those that it does not
// pipeline: a stage of several cycles takes no flit while another one is in it.
func (b *bookSim) stages(speculative bool) error {
	piggyback := b.text("vc_allocator", "islip") == "piggyback"
	if piggyback && !speculative {
		return b.bad("vc_allocator", "give speculative = 1, or another vc_allocator",
			"vc_allocator is piggyback, which needs speculative switch allocation")
	}
	names := []string{"routing_delay", "sw_alloc_delay"}
	if !piggyback {
		names = append(names, "vc_alloc_delay")
	}
	const reason = "BookSim lets nothing into a stage of several cycles while another flit of the " +
		"router is in it; here stages are pipelined"
	for _, name := range names {
		if n, _ := strconv.Atoi(b.text(name, "1")); n > 1 {
			b.lose(name, reason)
		}
	}
	prepare, _ := strconv.Atoi(b.text("st_prepare_delay", "0"))
	last, _ := strconv.Atoi(b.text("st_final_delay", "1"))
	switch {
	case prepare+last == 0:
		return b.bad("st_final_delay", "give at least 1 for both together",
			"st_prepare_delay and st_final_delay are 0")
	case prepare > 0 && prepare+last > 1:
		b.lose("st_prepare_delay", reason)
	case last > 1:
		b.lose("st_final_delay", reason)
	}
	return nil
}
