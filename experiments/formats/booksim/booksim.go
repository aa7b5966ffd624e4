// Package booksim reads configurations of BookSim 2: what each setting means in the keys of this
// program, which settings it has nothing for, and which results differ by how much.
package booksim

import (
	"fmt"
	"strconv"

	"contend/internal/input"
)

// Config is a configuration of BookSim 2 in the terms of this program.
type Config struct {
	// Keys are keys of a spec and their values in TOML, in the order to set them.
	Keys [][2]string
	// Traffic is the pattern.
	Traffic string
	// Load is the offered load in flits per node and cycle, above 0 and at most 1.
	Load float64
	// Lost are the settings that have no equivalent in this program, with file, line and reason.
	Lost []string
	// Notes say where results differ from those of BookSim, and by how much.
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

// Read reads a configuration of BookSim 2. Settings that are not given have BookSim's
// defaults. The times are those of its input-queued router: a header takes
// routing_delay cycles, and without speculation vc_alloc_delay more; a flit takes
// sw_alloc_delay, st_prepare_delay, st_final_delay and the link's cycles from router to router.
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

// text returns a setting, or BookSim's default.
func (b *reader) text(name string) string {
	b.used[name] = true
	return b.value(name)
}

// value is text for a setting that has to be read elsewhere too.
func (b *reader) value(name string) string {
	if s, given := b.settings[name]; given {
		return s.Value
	}
	return defaults[name]
}

// bad reports an error about a setting.
func (b *reader) bad(name, right, problem string, args ...any) {
	where, _ := b.where(name)
	b.fail(&input.Error{Where: where, Problem: fmt.Sprintf(problem, args...), Right: right})
}

// where returns file and line of a setting and " = VALUE", or the file and "" for a default.
func (b *reader) where(name string) (place, assignment string) {
	if s, given := b.settings[name]; given {
		return fmt.Sprintf("%s:%d", b.path, s.Line), " = " + s.Value
	}
	return b.path, ""
}

// fail keeps the first error. Reading continues with defaults, and its result is dropped.
func (b *reader) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// number returns a setting as a whole number, and refuses one below the lowest.
func (b *reader) number(name string, lowest int) int {
	text := b.text(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < lowest || n > 1<<20 {
		b.bad(name, fmt.Sprintf("give a number from %d to %d", lowest, 1<<20), "%s is %s", name, text)
		return lowest
	}
	return n
}

// reportLost adds a setting to Config.Lost.
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
