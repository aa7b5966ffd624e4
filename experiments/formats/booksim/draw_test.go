package booksim

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// drawn is a folder for drawn configurations, to run BookSim 2 with.
var drawn = flag.String("drawn", "", "write drawn configurations of BookSim to this `folder`")

// drawSeed draws other configurations.
var drawSeed = flag.Uint64("draw-seed", 1, "seed of drawn configurations of BookSim")

// drawer draws a configuration that BookSim 2 runs.
type drawer struct {
	*rand.Rand
	settings map[string]string
}

// pick returns one of several values.
func (d *drawer) pick(values ...string) string { return values[d.IntN(len(values))] }

// mostly returns the first of several values in the given percentage of cases, else another one.
func (d *drawer) mostly(percent int, first string, others ...string) string {
	if d.IntN(100) < percent {
		return first
	}
	return d.pick(others...)
}

// set sets settings from a text such as "k = 4; n = 2".
func (d *drawer) set(text string) {
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		d.settings[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
}

// drawnMachines are the topologies with their sizes.
var drawnMachines = map[string][]string{
	"mesh": {"k = 4; n = 2", "k = 8; n = 1", "k = 6; n = 2", "k = 8; n = 2", "k = 3; n = 3"},
	"torus": {"k = 4; n = 2", "k = 8; n = 1", "k = 5; n = 2", "k = 8; n = 2", "k = 4; n = 3",
		"k = 9; n = 1"},
	"cmesh":   {"k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2"},
	"fattree": {"k = 4; n = 2", "k = 2; n = 3", "k = 4; n = 3", "k = 3; n = 2", "k = 2; n = 4"},
	"flatfly": {"k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2",
		"k = 4; n = 2; c = 1; x = 4; y = 4"},
	"dragonflynew": {"k = 2; n = 1"},
}

// drawnRoutings are the routings of each topology: the commonest twice.
var drawnRoutings = map[string][]string{
	"mesh":    {"dor", "dim_order", "romm", "valiant", "xy_yx", "adaptive_xy_yx", "min_adapt"},
	"torus":   {"dim_order", "dim_order", "dim_order_bal", "dim_order_bal", "min_adapt"},
	"cmesh":   {"dor_no_express", "dor_no_express", "dor", "xy_yx_no_express"},
	"fattree": {"nca", "nca", "anca"}, "dragonflynew": {"min", "min", "ugal"},
	"flatfly": {"ran_min", "ran_min", "valiant", "ugal", "xyyx"},
}

// leastChannels are the virtual channels that routings need, if they are not 1.
var leastChannels = map[string]int{"torus dim_order": 2, "torus dim_order_bal": 2,
	"torus min_adapt": 4, "mesh romm": 2, "mesh valiant": 2, "mesh xy_yx": 2,
	"mesh adaptive_xy_yx": 2, "mesh min_adapt": 2, "cmesh xy_yx_no_express": 2, "dragonflynew min": 2,
	"flatfly valiant": 2, "flatfly ugal": 2, "flatfly xyyx": 2}

// draw draws a configuration with ordinary settings, and with all some of the others too.
func (d *drawer) draw(all bool) string {
	d.settings = map[string]string{}
	machine := d.pick("mesh", "mesh", "torus", "torus", "cmesh", "fattree", "fattree", "flatfly",
		"dragonflynew")
	routing := d.pick(drawnRoutings[machine]...)
	if machine == "mesh" && d.IntN(3) == 0 {
		routing = "dor"
	}
	d.set("topology = " + machine + "; routing_function = " + routing)
	d.set(d.pick(drawnMachines[machine]...))
	least := max(1, leastChannels[machine+" "+routing])
	channels := least + d.IntN(9-least)
	if machine+routing == "dragonflynewugal" {
		channels = 3
	}
	d.set(fmt.Sprint("num_vcs = ", channels))
	d.set("vc_buf_size = " + d.pick("2", "3", "4", "5", "6", "8", "8", "12", "16", "32"))
	d.set("packet_size = " + d.pick("1", "1", "2", "3", "4", "5", "8", "10", "20"))
	d.set("use_noc_latency = " + d.pick("0", "1"))
	d.drawStages()
	d.drawTraffic(machine)
	if all {
		d.drawOthers(channels)
	}
	return d.text()
}

// drawStages draws delays, speculation and allocators.
func (d *drawer) drawStages() {
	d.set("credit_delay = " + d.mostly(60, "0", "1", "2", "3"))
	d.set("routing_delay = " + d.pick("0", "1"))
	d.set("speculative = " + d.pick("0", "1"))
	// As often as in the examples that come with BookSim 2.
	allocators := append(slices.Repeat([]string{"islip"}, 9), "separable_input_first",
		"separable_input_first", "separable_input_first", "separable_input_first",
		"separable_output_first", "select", "wavefront")
	d.set("sw_allocator = " + d.pick(allocators...))
	d.set("vc_allocator = " + d.mostly(50, d.settings["sw_allocator"], allocators...))
	if d.settings["speculative"] == "1" && d.IntN(2) == 0 {
		d.set("vc_allocator = piggyback")
	}
}

// drawTraffic draws a pattern that the number of nodes allows, and the process of injection.
func (d *drawer) drawTraffic(machine string) {
	patterns := []string{"randperm", "hotspot({{0,3}})", "uniform"}
	nodes := 1
	var k, n, c int
	fmt.Sscan(d.settings["k"], &k)
	fmt.Sscan(d.settings["n"], &n)
	fmt.Sscan(d.settings["c"], &c)
	for range n {
		nodes *= k
	}
	nodes *= max(c, 1)
	if machine == "dragonflynew" {
		nodes = 72
		patterns = append(patterns, "bad_dragon", "bad_dragon", "bad_dragon")
	}
	if nodes&(nodes-1) == 0 {
		patterns = append(patterns, "bitcomp", "bitrev", "shuffle")
		if nodes == 16 || nodes == 64 {
			patterns = append(patterns, "transpose", "transpose")
		}
	}
	if machine == "mesh" || machine == "torus" {
		patterns = append(patterns, "tornado", "neighbor")
	}
	d.set("traffic = uniform; injection_rate = 0.1; injection_rate_uses_flits = 1")
	if d.IntN(5) < 2 {
		d.set("traffic = " + d.pick(patterns...))
	}
	if d.IntN(8) == 0 {
		d.set("injection_process = on_off; burst_alpha = " + d.pick("0.02", "0.1") +
			"; burst_beta = " + d.pick("0.05", "0.2"))
	}
}

// otherSettings are the further settings with other values than their defaults, and what they need.
var otherSettings = []string{
	"input_speedup = 2", "input_speedup = 2", "input_speedup = 2", "wait_for_tail_credit = 1",
	"wait_for_tail_credit = 1", "wait_for_tail_credit = 1", "routing_delay = 2", "vc_alloc_delay = 2",
	"sw_alloc_delay = 2", "st_final_delay = 2", "st_final_delay = 0; st_prepare_delay = 1",
	"spec_check_elig = 0", "spec_check_cred = 0", "spec_mask_by_reqs = 1",
	"spec_sw_allocator = islip", "spec_sw_allocator = separable_input_first",
	"buf_size = 24", "buffer_policy = shared", "vc_busy_when_full = 1", "vc_prioritize_empty = 1",
	"vc_priority_donation = 1", "vc_shuffle_requests = 1", "hold_switch_for_packet = 1",
	"output_speedup = 2", "internal_speedup = 2.0", "output_buffer_size = 8", "noq = 1",
	"arb_type = matrix", "sw_allocator = pim", "sw_allocator = loa", "sw_allocator = max_size",
	"sw_allocator = rr_wavefront", "vc_allocator = pim", "vc_allocator = max_size",
	"vc_allocator = rr_wavefront", "vc_allocator = loa", "alloc_iters = 2", "classes = 2",
	"subnets = 2", "priority = age", "priority = network_age", "packet_size = {1,5}",
	"use_read_write = 1", "include_queuing = 0", "traffic = diagonal", "traffic = asymmetric",
	"output_delay = 1", "link_failures = 1", "burst_r1 = 0.5", "batch_count = 2", "print_activity = 1",
	"deadlock_warn_timeout = 512", "write_fraction = 0.3", "seed = 5", "perm_seed = 3",
	"warmup_periods = 5",
}

// drawOthers sets a few of the other settings.
func (d *drawer) drawOthers(channels int) {
	for range d.IntN(4) {
		d.set(d.pick(otherSettings...))
	}
}

// text returns the configuration.
func (d *drawer) text() string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(d.settings)) {
		fmt.Fprintf(&out, "%s = %s;\n", name, d.settings[name])
	}
	return out.String()
}

// number matches a number, which reasons of one kind may have differently.
var number = regexp.MustCompile(`\d+(\.\d+)?`)

// Of drawn configurations no more than a share is refused.
func TestShareRefused(t *testing.T) {
	for _, c := range []struct {
		name  string
		all   bool
		share float64
	}{{"ordinary", false, 0.48}, {"all", true, 0.78}} {
		t.Run(c.name, func(t *testing.T) {
			d := drawer{Rand: rand.New(rand.NewPCG(*drawSeed, 0))}
			const count = 1000
			refused, reasons, alone := 0, map[string]int{}, map[string]int{}
			path := filepath.Join(t.TempDir(), "config")
			for i := range count {
				text := d.draw(c.all)
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				b, err := Read(path)
				var why []string
				if err != nil {
					why = []string{err.Error()}
				} else {
					why = b.Lost
				}
				if *drawn != "" {
					name := filepath.Join(*drawn, fmt.Sprintf("%s-%d-%04d", c.name, *drawSeed, i))
					text += "// " + strings.Join(why, "; ") + "\n"
					if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				if len(why) == 0 {
					continue
				}
				refused++
				for j, r := range why {
					_, r, _ = strings.Cut(strings.TrimPrefix(r, path), ": ")
					name, reason, _ := strings.Cut(r, ": ")
					name, _, _ = strings.Cut(name, " = ")
					why[j] = number.ReplaceAllString(name+": "+reason[:min(len(reason), 90)], "N")
				}
				slices.Sort(why)
				why = slices.Compact(why)
				for _, r := range why {
					reasons[r]++
					if len(why) == 1 {
						alone[r]++
					}
				}
			}
			share := float64(refused) / count
			t.Logf("%s: %.1f%% of %d configurations are refused", c.name, 100*share, count)
			for _, r := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
				return reasons[b] - reasons[a]
			}) {
				t.Logf("%5.1f%% (alone %4.1f%%) %s", 100*float64(reasons[r])/count,
					100*float64(alone[r])/count, r)
			}
			if share > c.share {
				t.Errorf("at most %.0f%% are wanted", 100*c.share)
			}
		})
	}
}
