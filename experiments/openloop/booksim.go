package openloop

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/netfile"
	"contend/experiments/spec"
)

// BookSim is what a configuration of BookSim 2 asks for, in the terms of this program.
type BookSim struct {
	// Keys are keys of a spec and their values in TOML, in the order to set them.
	Keys [][2]string
	// Traffic is the pattern.
	Traffic string
	// Load is the offered load in flits per node and cycle, above 0 and at most 1.
	Load float64
	// Lost are the settings that this program has nothing for, with file, line and reason.
	Lost []string
}

// bookSim reads settings of one configuration.
type bookSim struct {
	path     string
	settings map[string]netfile.Setting
	used     map[string]bool
	out      BookSim
}

// ReadBookSim reads a configuration of BookSim 2. Settings that it leaves out have BookSim's
// own defaults. The times are those of its input-queued router: a header takes
// routing_delay cycles, and without speculation vc_alloc_delay more; a flit takes
// sw_alloc_delay, st_prepare_delay, st_final_delay and the link's cycles from router to router.
func ReadBookSim(path string) (*BookSim, error) {
	list, err := netfile.ReadBookSim(path)
	if err != nil {
		return nil, spec.Unreadable(err, "give a configuration of BookSim")
	}
	b := &bookSim{path: path, settings: map[string]netfile.Setting{}, used: map[string]bool{}}
	for _, s := range list {
		b.settings[s.Name] = s // the last one counts, as in BookSim
	}
	for _, step := range []func() error{b.machine, b.router, b.traffic} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	b.rest()
	return &b.out, nil
}

// text returns a setting, or BookSim's default.
func (b *bookSim) text(name, standard string) string {
	b.used[name] = true
	if s, given := b.settings[name]; given {
		return s.Value
	}
	return standard
}

// bad is an error about a setting.
func (b *bookSim) bad(name, right, problem string, args ...any) error {
	where := b.path
	if s, given := b.settings[name]; given {
		where = fmt.Sprintf("%s:%d", b.path, s.Line)
	}
	return &spec.InputError{Where: where, Problem: fmt.Sprintf(problem, args...), Right: right}
}

// number returns a setting as a whole number.
func (b *bookSim) number(name string, standard, least int) (int, error) {
	text := b.text(name, strconv.Itoa(standard))
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > 1<<20 {
		return 0, b.bad(name, fmt.Sprintf("give a number from %d to %d", least, 1<<20), "%s is %s", name,
			text)
	}
	return n, nil
}

// lose notes a setting that nothing here stands for.
func (b *bookSim) lose(name, reason string) {
	where, value := b.path, ""
	if s, given := b.settings[name]; given {
		where, value = fmt.Sprintf("%s:%d", b.path, s.Line), " = "+s.Value
	}
	b.out.Lost = append(b.out.Lost, fmt.Sprintf("%s: %s%s: %s", where, name, value, reason))
}

// set sets a key.
func (b *bookSim) set(key string, value any) {
	b.out.Keys = append(b.out.Keys, [2]string{key, fmt.Sprint(value)})
}

// bookSimRoutings are the routings of BookSim's topologies that this program has.
var bookSimRoutings = map[string]map[string]string{
	"mesh": {"dor": "dimension-order", "dim_order": "dimension-order", "romm": "romm",
		"valiant": "valiant", "min_adapt": "min-adapt", "xy_yx": "o1turn"},
	"torus": {"dim_order": "balanced-dateline", "dim_order_bal": "balanced-dateline",
		"valiant": "valiant", "min_adapt": "min-adapt"},
	"cmesh":        {"dor_no_express": "dimension-order"},
	"fattree":      {"nca": "random", "anca": "adaptive-credits"},
	"flatfly":      {"ran_min": "dimension-order"},
	"dragonflynew": {"min": "minimal-ascending"},
	"anynet":       {},
}

// machine reads topology and routing.
func (b *bookSim) machine() error {
	name := b.text("topology", "torus")
	routings, known := bookSimRoutings[name]
	if !known {
		return b.bad("topology", "this program has mesh, torus, cmesh, fattree, flatfly, dragonflynew "+
			"and anynet", "topology is %s", name)
	}
	if err := b.shape(name); err != nil {
		return err
	}
	asked := strings.TrimSuffix(b.text("routing_function", "none"), "_"+name)
	if routing, have := routings[asked]; have {
		b.set("network.routing", routing)
	} else {
		b.lose("routing_function", "this program has no such routing on "+name+
			" and takes its own default there")
	}
	return nil
}

// shape sets the keys of [machine].
func (b *bookSim) shape(name string) error {
	if name == "anynet" {
		file := b.text("network_file", "")
		if file == "" {
			return b.bad("network_file", "name the file of the network", "network_file is not given")
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(b.path), file)
		}
		b.set("machine.topology", "graph")
		b.set("machine.file", file)
		return nil
	}
	k, err := b.number("k", 8, 1)
	if err != nil {
		return err
	}
	n, err := b.number("n", 2, 1)
	if err != nil {
		return err
	}
	if n > 24 {
		return b.bad("n", "give at most 24", "n is %d", n)
	}
	c, err := b.number("c", 1, 1)
	if err != nil {
		return err
	}
	switch name {
	case "fattree":
		b.set("machine.topology", "tree")
		b.set("machine.arity", k)
		b.set("machine.levels", n)
	case "dragonflynew":
		if n != 1 {
			return b.bad("n", "give 1", "n is %d, and groups of dragonflynew have one dimension", n)
		}
		b.set("machine.topology", "dragonfly")
		b.set("machine.group_routers", 2*k)
		b.set("machine.global_links", k)
		b.set("machine.concentration", k)
	default:
		for _, key := range []string{"x", "y", "xr", "yr"} { // how nodes and routers are laid out
			b.text(key, "")
		}
		b.set("machine.topology", map[string]string{"mesh": "mesh", "torus": "torus", "cmesh": "mesh",
			"flatfly": "hyperx"}[name])
		if name == "mesh" || name == "torus" { // BookSim does not look at c there
			c = 1
		}
		b.set("machine.dims", listOf(n, k))
		b.set("machine.concentration", c)
	}
	return nil
}

// links sets the cycles from router to router. Links take 1 cycle. Those of a folded torus on a
// chip take 2, those of a dragonfly 10 within a group and 100 between groups.
func (b *bookSim) links(pipeline int) {
	name, noc := b.text("topology", "torus"), b.text("use_noc_latency", "1") == "1"
	b.set("network.link_cycles", pipeline+1)
	switch {
	case name == "torus" && noc:
		n, _ := strconv.Atoi(b.text("n", "2")) // which shape has checked
		b.set("network.class_link_cycles", listOf(n, pipeline+2))
	case (name == "flatfly" || name == "cmesh") && noc:
		b.lose("use_noc_latency", "links have the length of their wires on a chip; here all take 1 cycle")
	case name == "dragonflynew":
		b.set("network.class_link_cycles", fmt.Sprintf("[%d, %d]", pipeline+10, pipeline+100))
	}
}

// listOf writes a TOML list of n equal numbers.
func listOf(n, value int) string {
	return strings.ReplaceAll(fmt.Sprint(slices.Repeat([]int{value}, n)), " ", ", ")
}

// router sets the keys of [network].
func (b *bookSim) router() error {
	var n [10]int
	for i, k := range []struct {
		name            string
		standard, least int
	}{{"routing_delay", 1, 0}, {"vc_alloc_delay", 1, 1}, {"sw_alloc_delay", 1, 1},
		{"st_prepare_delay", 0, 0}, {"st_final_delay", 1, 0}, {"credit_delay", 0, 0},
		{"num_vcs", 16, 1}, {"vc_buf_size", 8, 1}, {"packet_size", 1, 1}, {"input_speedup", 1, 1}} {
		var err error
		if n[i], err = b.number(k.name, k.standard, k.least); err != nil {
			return err
		}
	}
	routing := n[0]
	if b.text("speculative", "0") == "0" {
		routing += n[1]
	}
	b.set("network.routing_cycles", routing)
	b.links(n[2] + n[3] + n[4])
	b.set("network.credit_cycles", n[5]+2)
	b.set("network.virtual_channels", n[6])
	b.set("network.buffer_flits", n[7])
	b.set("network.packet_flits", n[8])
	b.set("job.flits", n[8])
	b.set("network.arbiter", "round-robin")
	if n[6] > 1 {
		b.set("network.vc_select", "round-robin")
		b.set("network.input_speedup", n[9]) // an input of one virtual channel has nothing to share
		b.set("network.headers_yield", true)
		b.set("network.node_virtual_channels", 0)
	}
	return nil
}

// bookSimTraffic are the patterns of BookSim that this program has.
var bookSimTraffic = map[string]string{"uniform": "uniform", "transpose": "transpose",
	"bitcomp": "bit-complement", "neighbor": "neighbour", "tornado": "tornado"}

// traffic reads the pattern and the load.
func (b *bookSim) traffic() error {
	name := b.text("traffic", "uniform")
	if b.out.Traffic = bookSimTraffic[name]; b.out.Traffic == "" {
		return b.bad("traffic", "this program has uniform, transpose, bitcomp, neighbor and tornado",
			"traffic is %s", name)
	}
	if name == "uniform" {
		b.set("workload.self_messages", true)
	}
	text := b.text("injection_rate", "0.1")
	rate, err := strconv.ParseFloat(text, 64)
	if err != nil || !(rate > 0) || rate > 1 {
		return b.bad("injection_rate", "give a number above 0 and at most 1", "injection_rate is %s",
			text)
	}
	if b.text("injection_rate_uses_flits", "0") == "0" {
		flits, _ := strconv.Atoi(b.text("packet_size", "1"))
		rate *= float64(flits)
	}
	if b.out.Load = rate; rate > 1 {
		return b.bad("injection_rate", "a node sends at most a flit a cycle",
			"injection_rate is %s packets, which are %v flits a cycle", text, rate)
	}
	return nil
}

// bookSimPlain are values of other settings that change nothing here: what BookSim does by
// default, allocators that differ little (see the study booksim), and "" for any value of a
// setting of the measurement.
var bookSimPlain = map[string][]string{
	"vc_allocator": {"islip", "piggyback", "separable_input_first", "separable_output_first"},
	"sw_allocator": {"islip", "separable_input_first"}, "alloc_iters": {"1"},
	"arb_type": {"round_robin"}, "router": {"iq"}, "subnets": {"1"}, "classes": {"1"},
	"output_speedup": {"1"}, "internal_speedup": {"1", "1.0"}, "output_delay": {"0"},
	"wait_for_tail_credit": {"0"}, "vc_busy_when_full": {"0"}, "vc_prioritize_empty": {"0"},
	"hold_switch_for_packet": {"0"}, "noq": {"0"}, "vct": {"0"}, "priority": {"none"},
	"injection_process": {"bernoulli"}, "use_read_write": {"0"}, "buffer_policy": {"private"},
	"sim_type": {"latency"}, "link_failures": {"0"}, "sim_power": {"0"},
	"warmup_periods": {""}, "sample_period": {""}, "max_samples": {""}, "sim_count": {""},
	"latency_thres": {""}, "warmup_thres": {""}, "acc_warmup_thres": {""}, "stopping_thres": {""},
	"acc_stopping_thres": {""}, "measure_stats": {""}, "pair_stats": {""}, "seed": {""},
	"print_activity": {""}, "print_csv_results": {""}, "deadlock_warn_timeout": {""},
	"viewer_trace": {""}, "watch_out": {""}, "watch_file": {""}, "stats_out": {""},
	"include_queuing": {""},
}

// rest notes all settings that have not been read.
func (b *bookSim) rest() {
	var left []netfile.Setting
	for name, s := range b.settings {
		plain := bookSimPlain[name]
		if !b.used[name] && !slices.Contains(plain, s.Value) && !slices.Contains(plain, "") {
			left = append(left, s)
		}
	}
	slices.SortFunc(left, func(a, b netfile.Setting) int { return a.Line - b.Line })
	for _, s := range left {
		b.lose(s.Name, "this program has nothing for it")
	}
}
