package config

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"contend/internal/input"
	"contend/router/topology"
)

// Failure is a row of machine.failures: what fails, when and for how long.
type Failure struct {
	// Kind is nodes, routers or links.
	Kind string
	// Numbers are nodes or routers, Pairs the routers that links join, and Class is the name of a class
	// of links (topology.Classed). Without any of these it is all.
	Numbers []int
	Pairs   [][2]int
	Class   string
	// Share is the share of all that fails, drawn once; 0 if nothing is drawn.
	Share float64
	// At is when they fail, and For for how long, 0 for ever, in the unit of the run's clock.
	At, For float64
	// MTBF and MTTR are mean times between the end of a repair and the next failure of each, and of its
	// repair, in the same unit. They are 0 where At and For say when.
	MTBF, MTTR float64
	// Bandwidth is the share of their bandwidth that links have; 0 if they fail.
	Bandwidth float64

	text      string
	inSeconds []string // fields that are given with a unit
}

// The kinds of failures.
const (
	FailingNodes   = "nodes"
	FailingRouters = "routers"
	FailingLinks   = "links"
)

// failuresPath is the key of the rows.
const failuresPath = string(FieldFailures)

// failureFields are the fields of a row, in the order in which a spec has them.
var failureFields = []string{FailingNodes, FailingRouters, FailingLinks, "share", "at", "for", "mtbf",
	"mttr", "bandwidth"}

// failuresRight shows what a row looks like.
const failuresRight = `give rows such as { nodes = "3-7,12", at = "2 s", for = "1 h" }, { routers = "2" }, ` +
	`{ links = "3-7", bandwidth = 0.5 }, { links = "all", share = 0.05 } or ` +
	`{ nodes = "all", mtbf = "30 d", mttr = "4 h" }`

// maxFailing is the largest number of nodes or routers in a row.
const maxFailing = 1 << 24

// ParseFailure reads a row.
func ParseFailure(text string) (f Failure, err error) {
	fields, err := rowOf(text, failureFields)
	if err != nil {
		return f, err
	}
	for _, name := range failureFields {
		value, given := fields[name]
		if !given || err != nil {
			continue
		}
		f.text += "; " + name + " = " + value
		switch name {
		case FailingNodes, FailingRouters, FailingLinks:
			if f.Kind != "" {
				return f, fmt.Errorf("with %s and %s: give a row each", f.Kind, name)
			}
			f.Kind = name
			err = f.parseComponents(value)
		case "share", "bandwidth":
			x, bad := strconv.ParseFloat(value, 64)
			if bad != nil || !(x > 0 && x <= 1) || name == "bandwidth" && x == 1 {
				err = fmt.Errorf("where %s is %q: give a share above 0 and below 1", name, value)
			}
			*map[string]*float64{"share": &f.Share, "bandwidth": &f.Bandwidth}[name] = x
		default:
			err = f.parseTime(name, value)
		}
	}
	f.text = strings.TrimPrefix(f.text, "; ")
	if err == nil {
		err = f.check()
	}
	return f, err
}

// times returns the field of each time.
func (f *Failure) times() map[string]*float64 {
	return map[string]*float64{"at": &f.At, "for": &f.For, "mtbf": &f.MTBF, "mttr": &f.MTTR}
}

// parseTime reads a time, above 0 unless it is at.
func (f *Failure) parseTime(name, value string) error {
	x, inSeconds, err := rowTime(name, value)
	if err == nil && x == 0 && name != "at" {
		err = fmt.Errorf("where %s is %q: give a time above 0", name, value)
	}
	if *f.times()[name] = x; inSeconds {
		f.inSeconds = append(f.inSeconds, name)
	}
	return err
}

// parseComponents reads which nodes, routers or links fail.
func (f *Failure) parseComponents(value string) error {
	if value == "all" {
		return nil
	}
	if f.Kind == FailingLinks && strings.IndexFunc(value, unicode.IsLetter) == 0 {
		f.Class = value
		return nil
	}
	for part := range strings.SplitSeq(value, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, bad := strconv.ParseUint(from, 10, 31)
		b, worse := a, bad
		if isRange {
			b, worse = strconv.ParseUint(to, 10, 31)
		}
		switch {
		case bad != nil || worse != nil:
			return fmt.Errorf("where %s is %q: give all, or numbers such as 3-7,12", f.Kind, value)
		case f.Kind == FailingLinks && (!isRange || a == b):
			return fmt.Errorf("where %s is %q: give all, or pairs of routers such as 3-7,7-9", f.Kind, value)
		case f.Kind == FailingLinks:
			f.Pairs = append(f.Pairs, [2]int{int(min(a, b)), int(max(a, b))})
		case b < a || b-a >= maxFailing:
			return fmt.Errorf("where %s has %q, which is no range of at most %d", f.Kind, part, maxFailing)
		default:
			for n := int(a); n <= int(b); n++ {
				f.Numbers = append(f.Numbers, n)
			}
		}
	}
	slices.Sort(f.Numbers)
	f.Numbers = slices.Compact(f.Numbers)
	return nil
}

// check refuses fields that do not go together.
func (f *Failure) check() error {
	switch {
	case f.Kind == "":
		return fmt.Errorf("which has neither nodes nor routers nor links")
	case f.Share > 0 && !f.all():
		return fmt.Errorf("where a share is of some %s: give it with %s = all", f.Kind, f.Kind)
	case f.Bandwidth > 0 && f.Kind != FailingLinks:
		return fmt.Errorf("where %s have a bandwidth: give it with links", f.Kind)
	case (f.MTBF > 0) != (f.MTTR > 0):
		return fmt.Errorf("with one of mtbf and mttr: give both")
	case f.MTBF > 0 && (f.At > 0 || f.For > 0):
		return fmt.Errorf("with mtbf and at or for, and both say when: leave one of them out")
	}
	return nil
}

// all reports whether the row is of all nodes, routers or links.
func (f *Failure) all() bool { return f.Numbers == nil && f.Pairs == nil }

// String returns the row in canonical form.
func (f Failure) String() string { return f.text }

// draws reports whether something of the row is drawn.
func (f Failure) draws() bool { return f.Share > 0 && f.Share < 1 || f.MTBF > 0 }

// FailsNodes reports whether nodes may fail in runs.
func (p *Plan) FailsNodes() bool { return slices.ContainsFunc(p.Failures, Failure.failsNodes) }

// FailsLinks reports whether links fail or are slow in runs.
func (p *Plan) FailsLinks() bool { return slices.ContainsFunc(p.Failures, Failure.failsLinks) }

// failsNodes reports whether the row is of nodes, or of routers with theirs.
func (f Failure) failsNodes() bool { return f.Kind != FailingLinks }

// linksFail is the condition that links fail, of their own or with routers.
var linksFail = when("machine.failures of links or routers",
	func(s *Spec) bool { return slices.ContainsFunc(s.Failures, Failure.failsLinks) })

// failsLinks reports whether the row is of links, or of routers with theirs.
func (f Failure) failsLinks() bool { return f.Kind != FailingNodes }

// checkFailures refuses failures that a run cannot have, or on which it cannot depend.
func (s *Spec) checkFailures() *input.Error {
	unit := s.scale().timeUnit
	for i, f := range s.Failures {
		at := input.Field(fmt.Sprintf("%s[%d]", FieldFailures, i))
		bad := func(right, why string) *input.Error {
			return at.Bad(right, "%s is %q, and %s", at, f, why)
		}
		nodes, links, sends := f.failsNodes(), f.failsLinks(), messages.Holds(s)
		switch {
		case s.FastForward > 0:
			return bad("take runs.fast_forward = 0, which simulates every flit",
				"jumps over time know of no failures")
		case nodes && !queued.Holds(s):
			return bad("give links, or another workload.source", fmt.Sprintf(
				"with workload.source = %s no job can be killed and queue again", s.Workload.Source))
		case f.Kind == FailingLinks && !sends:
			return bad("give nodes or routers, or job.run = messages", "jobs send no messages over links")
		case links && sends && s.Alone:
			return bad("leave out runs.alone", "runs.alone measures jobs on a network without failures")
		case sends && s.Network.Engine == "worm":
			return bad("take network.engine = auto or cycle", "the worm engine knows of no failures")
		case len(f.inSeconds) > 0 && unit == nil:
			return bad(`set network.cycle, such as "1 ns", or give a number`, fmt.Sprintf(
				"%s has a unit, and a cycle has no length", f.inSeconds[0]))
		}
	}
	return nil
}

// failuresPlan returns the rows with times in the unit of the clock. It refuses what the machine does
// not have.
func (s *Spec) failuresPlan(machine topology.Topology) ([]Failure, error) {
	rows := slices.Clone(s.Failures)
	for i := range rows {
		f := &rows[i]
		at := input.Field(fmt.Sprintf("%s[%d]", FieldFailures, i))
		for _, name := range f.inSeconds {
			unit, _ := new(big.Rat).Set(s.scale().timeUnit).Float64()
			*f.times()[name] /= unit
		}
		count := map[string]int{FailingNodes: machine.Nodes()}[f.Kind]
		if f.Kind != FailingNodes {
			count = machine.Routers()
		}
		last := -1
		if n := len(f.Numbers); n > 0 {
			last = f.Numbers[n-1]
		}
		if classed, _ := machine.(topology.Classed); f.Class != "" && (classed == nil ||
			!slices.Contains(classed.LinkClasses(), f.Class)) {
			return nil, at.Bad("give all, or a class of links of the machine, as in "+
				"network.class_link_cycles", "%s is %q, and the machine has no such class", at, *f)
		}
		for _, pair := range f.Pairs {
			if last = max(last, pair[1]); last < count && !linked(machine, pair) {
				return nil, at.Bad("", "%s is %q, and no link joins the routers %d and %d", at, *f, pair[0],
					pair[1])
			}
		}
		if last >= count {
			return nil, at.Bad(fmt.Sprintf("give 0 to %d", count-1), "%s is %q, and the machine has no %d",
				at, *f, last)
		}
	}
	return rows, nil
}

// linked reports whether a link joins two routers.
func linked(machine topology.Topology, pair [2]int) bool {
	for p := range topology.Port(machine.Ports()) {
		if r, _, ok := machine.Peer(topology.Router(pair[0]), p); ok && int(r) == pair[1] {
			return true
		}
	}
	return false
}

// Drawn returns how many of some things a share is, at least 1.
func (f *Failure) Drawn(of int) int { return max(1, int(math.Round(f.Share*float64(of)))) }
