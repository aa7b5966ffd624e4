package booksim

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// neutralValues are the values of further settings with which BookSim works as this program does,
// by setting.
var neutralValues = map[string][]string{
	"spec_sw_allocator": {"prio"}, "spec_check_elig": {"1"}, "spec_check_cred": {"1"},
	"spec_mask_by_reqs": {"0"}, "vc_shuffle_requests": {"0"}, "vc_priority_donation": {"0"},
	"arb_type": {"round_robin"}, "router": {"iq"}, "subnets": {"1"}, "classes": {"1"},
	"output_speedup": {"1"}, "internal_speedup": {"1", "1.0"},
	"output_buffer_size": {"-1"}, "buf_size": {"-1"}, "buffer_policy": {"private"},
	"vc_busy_when_full": {"0"}, "vc_prioritize_empty": {"0"},
	"hold_switch_for_packet": {"0"}, "noq": {"0"}, "vct": {"0"}, "priority": {"none"},
	"class_priority": {"0"}, "packet_size_rate": {"1"}, "use_read_write": {"0"},
	"sim_type": {"latency", "throughput"}, "link_failures": {"0"}, "sim_power": {"0"},
}

// ignoredSettings are settings without an effect on results: those of the measurement and of the
// places of routers on a chip; alloc_iters, which BookSim's routers do not pass to their
// allocators; and those that act only with another setting that neutralValues excludes: of
// requests and replies, of batches, of shared buffers, of failed links and of the power model.
var ignoredSettings = []string{
	"warmup_periods", "sample_period", "max_samples", "sim_count", "latency_thres",
	"warmup_thres", "acc_warmup_thres", "stopping_thres", "acc_stopping_thres", "measure_stats",
	"pair_stats", "seed", "include_queuing", "print_activity", "print_csv_results",
	"deadlock_warn_timeout", "viewer_trace", "watch_out", "watch_file", "watch_flits",
	"watch_packets", "watch_transactions", "stats_out", "injected_flits_out",
	"received_flits_out", "stored_flits_out", "sent_flits_out", "outstanding_credits_out",
	"ejected_flits_out", "active_packets_out", "used_credits_out", "free_credits_out",
	"max_credits_out", "sent_packets_out",
	"read_request_begin_vc", "read_request_end_vc", "write_request_begin_vc",
	"write_request_end_vc", "read_reply_begin_vc", "read_reply_end_vc", "write_reply_begin_vc",
	"write_reply_end_vc", "read_request_subnet", "read_reply_subnet", "write_request_subnet",
	"write_reply_subnet", "read_request_size", "write_request_size", "read_reply_size",
	"write_reply_size", "write_fraction", "batch_size", "batch_count", "max_outstanding_requests",
	"alloc_iters", "private_bufs", "private_buf_size", "private_buf_start_vc", "private_buf_end_vc",
	"max_held_slots", "feedback_aging_scale", "feedback_offset", "fail_seed", "in_ports",
	"out_ports", "power_output_file", "tech_file", "channel_width", "channel_sweep",
	"x", "y", "yr", "perm_seed", "output_delay",
}

// conditionalSettings are settings that act, and are read, on some topologies or in bursts only.
var conditionalSettings = []string{"k", "n", "c", "xr", "use_noc_latency", "network_file",
	"burst_alpha", "burst_beta", "burst_r1"}

// neutralHere reports whether BookSim works as this program does with any value of a setting,
// since what it acts with is off: speculation, allocation of virtual channels before the switch,
// several virtual channels, priorities of packets, body flits, speedup or separable allocators.
var neutralHere = map[string]func(b *reader) bool{
	"spec_check_elig": (*reader).waits, "spec_check_cred": (*reader).waits,
	"spec_sw_allocator":      (*reader).waits,
	"spec_mask_by_reqs":      func(b *reader) bool { return b.waits() || b.value("spec_sw_allocator") == "prio" },
	"vc_busy_when_full":      (*reader).piggyback,
	"vc_shuffle_requests":    func(b *reader) bool { return b.piggyback() || b.value("num_vcs") == "1" },
	"vc_prioritize_empty":    func(b *reader) bool { return b.value("num_vcs") == "1" },
	"vc_priority_donation":   func(b *reader) bool { return b.value("priority") == "none" },
	"hold_switch_for_packet": func(b *reader) bool { return b.value("packet_size") == "1" },
	"output_buffer_size": func(b *reader) bool {
		return b.value("output_speedup") == "1" && b.float("internal_speedup") == 1 &&
			b.float("output_buffer_size") >= 1
	},
	"arb_type": func(b *reader) bool {
		separable := func(key string) bool { return strings.HasPrefix(b.value(key), "separable") }
		return !separable("sw_allocator") && (b.piggyback() || !separable("vc_allocator"))
	},
}

// waits reports whether head flits request the switch after they have their virtual channel.
func (b *reader) waits() bool { return b.value("speculative") == "0" }

// float returns a setting as a number, 0 if it is none.
func (b *reader) float(name string) float64 {
	value, _ := strconv.ParseFloat(b.value(name), 64)
	return value
}

// reportUnread reports the settings that have not been read and may have an effect as lost.
func (b *reader) reportUnread() {
	var left []setting
	for name, s := range b.settings {
		here := neutralHere[name]
		if !b.used[name] && (here == nil || !here(b)) && !slices.Contains(neutralValues[name], s.Value) &&
			!slices.Contains(ignoredSettings, name) && !slices.Contains(conditionalSettings, name) {
			left = append(left, s)
		}
	}
	slices.SortFunc(left, func(a, b setting) int {
		return cmp.Or(a.Line-b.Line, cmp.Compare(a.Name, b.Name))
	})
	for _, s := range left {
		b.reportLost(s.Name, "this program has nothing for it")
	}
}
