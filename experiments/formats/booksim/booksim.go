package booksim

import (
	"fmt"
	"strconv"

	"contend/internal/input"
)

// Config is what a configuration of BookSim 2 asks for, in the terms of this program.
type Config struct {
	// Keys are keys of a spec and their values in TOML, in the order to set them.
	Keys [][2]string
	// Traffic is the pattern.
	Traffic string
	// Load is the offered load in flits per node and cycle, above 0 and at most 1.
	Load float64
	// Lost are the settings that this program has nothing for, with file, line and reason.
	Lost []string
	// Notes say where it does otherwise, and by how much.
	Notes []string
}

// reader reads settings of one configuration.
type reader struct {
	path     string
	settings map[string]setting
	used     map[string]bool
	out      Config
	err      error // the first one
}

// Read reads a configuration of BookSim 2. Settings that it leaves out have BookSim's
// own defaults. The times are those of its input-queued router: a header takes
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
	b.machine()
	b.router()
	b.traffic()
	b.rest()
	if b.err != nil {
		return nil, b.err
	}
	return &b.out, nil
}

// defaults are BookSim's own values of the settings that are read here.
var defaults = map[string]string{
	"topology": "torus", "routing_function": "none", "num_vcs": "16", "use_noc_latency": "1",
	"n": "2", "k": "8", "c": "1", "speculative": "0", "vc_allocator": "islip",
	"routing_delay": "1", "vc_alloc_delay": "1", "credit_delay": "0", "vc_buf_size": "8",
	"packet_size": "1", "input_speedup": "1", "sw_alloc_delay": "1", "st_prepare_delay": "0",
	"st_final_delay": "1", "traffic": "uniform", "xr": "1", "injection_rate": "0.1",
	"injection_rate_uses_flits": "0", "injection_process": "bernoulli", "sw_allocator": "islip",
	"burst_alpha": "0.5", "burst_beta": "0.5", "burst_r1": "-1",
}

// text returns a setting, or BookSim's default.
func (b *reader) text(name string) string {
	b.used[name] = true
	if s, given := b.settings[name]; given {
		return s.Value
	}
	return defaults[name]
}

// bad is an error about a setting.
func (b *reader) bad(name, right, problem string, args ...any) {
	where, _ := b.where(name)
	b.fail(&input.Error{Where: where, Problem: fmt.Sprintf(problem, args...), Right: right})
}

// where returns the place of a setting and its assignment, or the file and "" for a default.
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

// number returns a setting as a whole number.
func (b *reader) number(name string, least int) int {
	text := b.text(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > 1<<20 {
		b.bad(name, fmt.Sprintf("give a number from %d to %d", least, 1<<20), "%s is %s", name, text)
		return least
	}
	return n
}

// lose notes a setting that nothing here stands for.
func (b *reader) lose(name, reason string) {
	where, value := b.where(name)
	b.out.Lost = append(b.out.Lost, fmt.Sprintf("%s: %s%s: %s", where, name, value, reason))
}

// set sets a key.
func (b *reader) set(key string, value any) {
	b.out.Keys = append(b.out.Keys, [2]string{key, fmt.Sprint(value)})
}
