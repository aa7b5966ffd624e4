// Package booksim converts configurations of BookSim 2 into keys of this program. It lists the
// settings that have no equivalent here, and says how far results differ from those of BookSim.
//
// Example: for the configuration
//
//	topology = torus; k = 8; n = 2; routing_function = dim_order; num_vcs = 4;
//	traffic = uniform; packet_size = 4; injection_rate = 0.15;
//
// Read returns the keys machine.topology = torus, machine.dims = [8, 8], network.routing =
// balanced-dateline, network.virtual_channels = 4 and network.packet_flits = 4, and keys for which
// BookSim has no setting, such as network.arbiter = matching. BookSim's rate is in packets, so the
// load is 0.6 flits per node and cycle.
package booksim

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/formats/netfile"
	"contend/internal/input"
)

// Config is a configuration of BookSim 2 in the terms of this program.
type Config struct {
	// Keys are pairs of a key of a spec and its value in TOML, in the order in which to set them.
	Keys [][2]string
	// Traffic is the call of the traffic pattern of this program, such as hotspot:nodes=0/9.
	Traffic string
	// Load is the offered load in flits per node and cycle, above 0 and at most 1.
	Load float64
	// Lost are the settings that have no equivalent in this program, with file, line and reason.
	Lost []string
	// Notes say how results differ from those of BookSim, with the size of the difference.
	Notes []string
}

// reader converts the settings of one configuration.
type reader struct {
	path     string
	settings map[string]setting // by name
	used     map[string]bool    // names of settings that have been read
	out      Config
	err      error // the first error
}

// Read reads a configuration of BookSim 2. Missing settings have BookSim's defaults. The times are
// those of its input-queued router: a head takes routing_delay cycles, and vc_alloc_delay cycles
// more without speculation; a flit takes sw_alloc_delay, st_prepare_delay, st_final_delay and the
// link's cycles from router to router.
func Read(path string) (*Config, error) {
	list, err := readSettings(path)
	if err != nil {
		return nil, input.Unreadable(err, "give a configuration of BookSim")
	}
	b := &reader{path: path, settings: map[string]setting{}, used: map[string]bool{}}
	for _, s := range list {
		b.settings[s.Name] = s // the last one counts, as in BookSim
	}
	b.readMachine()
	b.readRouter()
	b.readTraffic()
	b.reportUnread()
	if b.err != nil {
		return nil, b.err
	}
	return &b.out, nil
}

// defaults are BookSim's defaults of the settings that this package reads.
var defaults = map[string]string{
	"topology": "torus", "routing_function": "none", "num_vcs": "16", "use_noc_latency": "1",
	"n": "2", "k": "8", "c": "1", "speculative": "0", "vc_allocator": "islip",
	"routing_delay": "1", "vc_alloc_delay": "1", "credit_delay": "0", "vc_buf_size": "8",
	"packet_size": "1", "input_speedup": "1", "sw_alloc_delay": "1", "st_prepare_delay": "0",
	"st_final_delay": "1", "traffic": "uniform", "xr": "1", "injection_rate": "0.1",
	"injection_rate_uses_flits": "0", "injection_process": "bernoulli", "sw_allocator": "islip",
	"burst_alpha": "0.5", "burst_beta": "0.5", "burst_r1": "-1", "buf_size": "-1",
	"buffer_policy": "private", "spec_sw_allocator": "prio", "priority": "none",
	"output_speedup": "1", "wait_for_tail_credit": "0", "internal_speedup": "1.0",
}

// text returns a setting, or BookSim's default, and marks the setting as read.
func (b *reader) text(name string) string {
	b.used[name] = true
	return b.value(name)
}

// value returns a setting, or BookSim's default, without the mark: other code has to read the
// setting too.
func (b *reader) value(name string) string {
	if s, given := b.settings[name]; given {
		return s.Value
	}
	return defaults[name]
}

// bad reports an error about a setting, with its line, the problem and the remedy right.
func (b *reader) bad(name, right, problem string, args ...any) {
	where, _ := b.where(name)
	b.fail(&input.Error{Where: where, Problem: fmt.Sprintf(problem, args...), Right: right})
}

// where returns the place of a setting, FILE:LINE, and " = VALUE". For a default it returns FILE
// and "".
func (b *reader) where(name string) (place, assignment string) {
	if s, given := b.settings[name]; given {
		return fmt.Sprintf("%s:%d", b.path, s.Line), " = " + s.Value
	}
	return b.path, ""
}

// fail keeps the first error. Reading continues with defaults, and Read then returns the error
// alone.
func (b *reader) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// number returns a setting as a whole number from lowest to 2^20. For another value it reports an
// error and returns lowest.
func (b *reader) number(name string, lowest int) int {
	text := b.text(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < lowest || n > 1<<20 {
		b.bad(name, fmt.Sprintf("give a number from %d to %d", lowest, 1<<20), "%s is %s", name, text)
		return lowest
	}
	return n
}

// reportLost adds a setting to Config.Lost, with its place, value and the reason.
func (b *reader) reportLost(name, reason string) {
	where, value := b.where(name)
	b.out.Lost = append(b.out.Lost, fmt.Sprintf("%s: %s%s: %s", where, name, value, reason))
}

// note adds a text to Config.Notes.
func (b *reader) note(text string) { b.out.Notes = append(b.out.Notes, b.path+": "+text) }

// set adds a key of this program to Config.Keys.
func (b *reader) set(key string, value any) {
	b.out.Keys = append(b.out.Keys, [2]string{key, fmt.Sprint(value)})
}

// setting is an assignment of a BookSim configuration.
type setting struct {
	Name  string
	Value string // without quotes
	Line  int    // from 1
}

// settingForm matches an assignment without its semicolon.
var settingForm = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)\s*=\s*([^=;\s][^=;]*?)$`)

// readSettings reads the settings of a BookSim configuration: NAME = VALUE; with comments
// behind //. A setting may span lines.
func readSettings(path string) (list []setting, err error) {
	text, err := input.ReadFile(path, netfile.Limits)
	if err != nil {
		return nil, err
	}
	bad := func(line int, problem string) error {
		return &input.Error{File: path, Line: line, Problem: problem,
			Right: "give lines such as: topology = mesh;"}
	}
	pending, begun := "", 0 // a setting without its semicolon, and its first line
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "//")
		for part := range strings.SplitAfterSeq(line, ";") {
			part, ended := strings.CutSuffix(part, ";")
			if part = strings.TrimSpace(part); part != "" {
				if pending == "" {
					begun = i + 1
				}
				pending = strings.TrimSpace(pending + " " + part)
			}
			if !ended || pending == "" {
				continue // no semicolon yet, or one too many
			}
			found := settingForm.FindStringSubmatch(pending)
			if found == nil {
				return nil, bad(begun, "this is no setting")
			}
			list = append(list, setting{found[1], strings.Trim(found[2], `"' `), begun})
			pending = ""
		}
	}
	if pending != "" {
		return nil, bad(begun, "the setting has no semicolon at its end")
	}
	return list, nil
}

// neutralValues lists, by setting, the values with which BookSim works as this program does. The
// settings have no key here, so reportUnread reports other values.
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

// ignoredSettings are settings without an effect on results. They are settings of the measurement
// and of the layout of routers on a chip; alloc_iters, which BookSim's routers do not pass to their
// allocators; and settings that act only together with a value that neutralValues excludes: for
// requests and replies, batches, shared buffers, failed links and the power model.
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

// conditionalSettings are settings that act on some topologies or in bursts only. Code for these
// reads them, and elsewhere BookSim ignores them.
var conditionalSettings = []string{"k", "n", "c", "xr", "use_noc_latency", "network_file",
	"burst_alpha", "burst_beta", "burst_r1"}

// neutralHere has, by setting, a function that reports whether the configuration leaves off the
// mechanism on which the setting acts. BookSim then works as this program does with any value. The
// mechanisms are speculation, VC allocation before the switch, several VCs, priorities of packets,
// body flits, speedup and separable allocators.
var neutralHere = map[string]func(b *reader) bool{
	"spec_check_elig": (*reader).waits, "spec_check_cred": (*reader).waits,
	"spec_sw_allocator": (*reader).waits,
	"spec_mask_by_reqs": func(b *reader) bool {
		return b.waits() || b.value("spec_sw_allocator") == "prio"
	},
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

// waits reports whether a head requests the switch only after it has its virtual channel.
func (b *reader) waits() bool { return b.value("speculative") == "0" }

// float returns a setting as a number, or 0 if the setting is not a number.
func (b *reader) float(name string) float64 {
	value, _ := strconv.ParseFloat(b.value(name), 64)
	return value
}

// reportUnread adds the settings to Config.Lost that have not been read and may affect results.
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
