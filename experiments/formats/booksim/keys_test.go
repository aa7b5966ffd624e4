package booksim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allKeys are the keys of a configuration of BookSim 2 (commit 28f4329) with another value
// than its default, or than the network below has.
var allKeys = map[string]string{
	"channel_file": "wires", "subnets": "2", "topology": "torus", "k": "5", "n": "3", "c": "2",
	"routing_function": "romm", "use_noc_latency": "1", "x": "4", "y": "4", "xr": "2", "yr": "2",
	"link_failures": "1", "fail_seed": "5", "in_ports": "7", "out_ports": "7", "router": "event",
	"output_delay": "2", "credit_delay": "3", "internal_speedup": "2.0",
	"output_buffer_size": "4", "noq": "1", "speculative": "1", "spec_check_elig": "0",
	"spec_check_cred": "0", "spec_mask_by_reqs": "1", "spec_sw_allocator": "islip",
	"num_vcs": "3", "vc_buf_size": "5", "buf_size": "40", "buffer_policy": "shared",
	"private_bufs": "2", "private_buf_size": "3", "private_buf_start_vc": "0",
	"private_buf_end_vc": "1", "max_held_slots": "2", "feedback_aging_scale": "2",
	"feedback_offset": "1", "wait_for_tail_credit": "1", "vc_busy_when_full": "1",
	"vc_prioritize_empty": "1", "vc_priority_donation": "1", "vc_shuffle_requests": "1",
	"hold_switch_for_packet": "1", "input_speedup": "2", "output_speedup": "2",
	"routing_delay": "2", "vc_alloc_delay": "2", "sw_alloc_delay": "2", "st_prepare_delay": "1",
	"st_final_delay": "2", "vct": "1", "vc_allocator": "banana", "sw_allocator": "wavefront",
	"arb_type": "matrix", "alloc_iters": "2", "classes": "2", "traffic": "bitcomp",
	"class_priority": "1", "perm_seed": "5", "injection_rate": "0.05",
	"injection_rate_uses_flits": "0", "packet_size": "3", "packet_size_rate": "2",
	"injection_process": "on_off", "burst_alpha": "0.3", "burst_beta": "0.3", "burst_r1": "0.4",
	"priority": "age", "batch_size": "10", "batch_count": "2", "max_outstanding_requests": "1",
	"use_read_write": "1", "write_fraction": "0.2", "read_request_begin_vc": "1",
	"read_request_end_vc": "1", "write_request_begin_vc": "1", "write_request_end_vc": "1",
	"read_reply_begin_vc": "1", "read_reply_end_vc": "1", "write_reply_begin_vc": "1",
	"write_reply_end_vc": "1", "read_request_subnet": "1", "read_reply_subnet": "1",
	"write_request_subnet": "1", "write_reply_subnet": "1", "read_request_size": "3",
	"write_request_size": "3", "read_reply_size": "3", "write_reply_size": "3",
	"sim_type": "batch", "warmup_periods": "2", "sample_period": "900", "max_samples": "4",
	"measure_stats": "0", "pair_stats": "1", "latency_thres": "100", "warmup_thres": "0.01",
	"acc_warmup_thres": "0.01", "stopping_thres": "0.01", "acc_stopping_thres": "0.01",
	"sim_count": "2", "include_queuing": "0", "seed": "4", "print_activity": "1",
	"print_csv_results": "1", "deadlock_warn_timeout": "100", "viewer_trace": "1",
	"watch_file": "f", "watch_flits": "1", "watch_packets": "1", "watch_transactions": "1",
	"watch_out": "f", "stats_out": "f", "injected_flits_out": "f", "received_flits_out": "f",
	"stored_flits_out": "f", "sent_flits_out": "f", "outstanding_credits_out": "f",
	"ejected_flits_out": "f", "active_packets_out": "f", "used_credits_out": "f",
	"free_credits_out": "f", "max_credits_out": "f", "sent_packets_out": "f", "sim_power": "1",
	"power_output_file": "f", "tech_file": "f", "channel_width": "64", "channel_sweep": "1",
	"network_file": "f",
}

// actsWith are settings with which the keys act that change nothing with the others.
var actsWith = map[string]string{
	"c":               "topology = cmesh; routing_function = dor_no_express; c = 4;",
	"xr":              "topology = flatfly; routing_function = ran_min; traffic = tornado;",
	"use_noc_latency": "topology = torus; routing_function = dim_order;",
	"burst_alpha":     "injection_process = on_off;", "burst_beta": "injection_process = on_off;",
	"burst_r1": "injection_process = on_off;",
	"network_file": "topology = anynet; routing_function = min; network_file = " +
		"testdata/line.anynet;",
}

// Another value of each key of BookSim changes what it means here, is noted or refused, or the key
// is one of those without influence.
func TestEveryKeyOfBookSimActsOrIsNoted(t *testing.T) {
	const base = "topology = mesh; k = 4; n = 2; routing_function = dor; use_noc_latency = 0; " +
		"num_vcs = 4; vc_buf_size = 8; packet_size = 5; injection_rate = 0.1; " +
		"injection_rate_uses_flits = 1;"
	line, err := filepath.Abs("testdata/line.anynet")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "config")
	meaning := func(text string) string {
		text = strings.ReplaceAll(text, "testdata/line.anynet", line)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := Read(path)
		if err != nil {
			return "refused"
		}
		return fmt.Sprint(b.Keys, b.Traffic, b.Load, len(b.Lost))
	}
	// What has no influence with each router, beside ignoredSettings: the allocators are islip.
	always := []string{"spec_mask_by_reqs", "arb_type", "output_buffer_size", "vc_priority_donation"}
	for router, neutral := range map[string][]string{
		"": append([]string{"spec_check_elig", "spec_check_cred", "spec_sw_allocator"}, always...),
		"num_vcs = 2; speculative = 1; vc_allocator = piggyback;": append([]string{"vc_shuffle_requests",
			"vc_busy_when_full", "vc_alloc_delay"}, always...)} {
		for key, value := range allKeys {
			if key == "speculative" && router != "" {
				value = "0"
			}
			with := base + router + actsWith[key]
			same := meaning(with) == meaning(fmt.Sprintf("%s\n%s = %s;", with, key, value))
			ignored := slices.Contains(ignoredSettings, key) || slices.Contains(neutral, key)
			if same != ignored {
				t.Errorf("%s %s = %s: the same meaning is %v, and in the list of keys without influence it "+
					"is %v", router, key, value, same, ignored)
			}
		}
	}
	for _, key := range slices.Concat(ignoredSettings, conditionalSettings) {
		if allKeys[key] == "" {
			t.Errorf("%s is no key of BookSim's", key)
		}
	}
}
