package openloop

// In BookSim a head flit of a speculative router with piggyback allocation gets a virtual channel
// with the switch. Each entry of its set of outputs that has a free virtual channel with space
// requests the switch. But an entry that has none takes back what the others are granted, and that
// grant is wasted. The only sets of several entries are those of min_adapt: with two virtual
// channels its escape channel is then never taken.

// piggyback reports whether virtual channels are allocated with the switch.
func (b *bookSim) piggyback() bool {
	return b.text("vc_allocator", "islip") == "piggyback" && b.text("speculative", "0") != "0"
}

// adaptive returns the routing that stands for min_adapt on a mesh.
func (b *bookSim) adaptive() string {
	if !b.piggyback() { // measured on a mesh of 4x4 under transpose, at loads from 0.1 to 0.3
		b.lose("routing_function", "BookSim's set of outputs keeps the next link of dimension order "+
			"only, here packets take any shortest way, and under transpose latencies are 2 to 38% shorter")
		return "min-adapt"
	}
	if b.text("num_vcs", "16") != "2" {
		b.lose("num_vcs", "with more than 2 virtual channels BookSim refuses a head flit the switch "+
			"while one of its outputs has no free one, here it takes what is free")
		return "min-adapt"
	}
	b.wasteful = true
	return "booksim-min-adapt"
}

// requests sets the key of requests in vain. The allocator islip does not look at priorities, so
// that it grants such requests before others. Those that look grant them what is left.
func (b *bookSim) requests(channels int) {
	if !b.piggyback() || b.text("sw_allocator", "islip") != "islip" {
		return
	}
	unchecked := b.value("spec_check_elig") == "0" && b.value("spec_check_cred") == "0"
	if unchecked {
		b.used["spec_check_elig"], b.used["spec_check_cred"] = true, true
		if channels > 1 {
			b.lose("spec_check_elig", "BookSim gives a head flit its virtual channel with the switch, "+
				"here it holds one before, and latencies are higher from 60% of saturation on")
		}
	}
	if unchecked || b.wasteful {
		b.set("network.speculative_requests", true)
	}
}

// value returns a setting without noting that it has been read.
func (b *bookSim) value(name string) string { return b.settings[name].Value }
