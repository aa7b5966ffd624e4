package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"contend/internal/input"
	"contend/router/topology"
	"contend/scheduler"
)

// Failure is a row of machine.failures: what fails, when and for how long.
type Failure struct {
	// Kind is nodes, routers or links.
	Kind string
	// Numbers are nodes or routers, Pairs the routers that links join, and Class is the name of a
	// class of links (topology.Classed). Without any of these it is all.
	Numbers []int
	Pairs   [][2]int
	Class   string
	// Share is the share of all that fails, drawn once; 0 if nothing is drawn.
	Share float64
	// At is when they fail, and For for how long, 0 for ever, in the unit of the run's clock. MTBF
	// and MTTR are mean times of each from a repair to the next failure, and to its repair, or 0.
	At, For, MTBF, MTTR float64
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
var failureFields = []string{FailingNodes, FailingRouters, FailingLinks, "share", "at", "for",
	"mtbf", "mttr", "bandwidth"}

// failuresRight shows what rows look like.
const failuresRight = `give rows such as { nodes = "3-7,12", at = "2 s", for = "1 h" }, ` +
	`{ nodes = "all", mtbf = "30 d", mttr = "4 h" }, { routers = "2" }, ` +
	`{ links = "all", share = 0.05 } or { links = "3-7", bandwidth = 0.5 }`

// minBandwidth is the least bandwidth of a slow link.
const minBandwidth = 1.0 / 65536

// maxFailing is the largest number of nodes or routers in a range.
const maxFailing = 1 << 24

// ParseFailure reads a row.
func ParseFailure(text string) (f Failure, err error) {
	fields, err := rowOf(text, failureFields)
	for _, name := range failureFields {
		value, given := fields[name]
		if !given || err != nil {
			continue
		}
		f.text += "; " + name + " = " + value
		switch to := f.number(name); {
		case to == nil && f.Kind != "":
			err = fmt.Errorf("with %s and %s: give a row each", f.Kind, name)
		case to == nil:
			f.Kind = name
			err = f.parseComponents(value)
		case name == "share" || name == "bandwidth":
			*to, err = strconv.ParseFloat(value, 64)
			if err != nil || !(*to > 0 && *to < 1) {
				err = fmt.Errorf("where %s is %q: give a share above 0 and below 1", name, value)
			} else if name == "bandwidth" && *to < minBandwidth {
				err = fmt.Errorf("where %s is %q: give a share of at least 1/65536", name, value)
			}
		default:
			var inSeconds bool
			if *to, inSeconds, err = rowTime(name, value); *to == 0 && name != "at" {
				err = fmt.Errorf("where %s is %q: give a time above 0", name, value)
			}
			if inSeconds {
				f.inSeconds = append(f.inSeconds, name)
			}
		}
	}
	f.text = strings.TrimPrefix(f.text, "; ")
	switch {
	case err != nil:
		return f, err
	case f.Kind == "":
		err = fmt.Errorf("which has neither nodes nor routers nor links")
	case f.Share > 0 && (f.Numbers != nil || f.Pairs != nil):
		err = fmt.Errorf("where a share is of some %s: give it with %s = all", f.Kind, f.Kind)
	case f.Bandwidth > 0 && f.Kind != FailingLinks:
		err = fmt.Errorf("where %s have a bandwidth: give it with links", f.Kind)
	case (f.MTBF > 0) != (f.MTTR > 0):
		err = fmt.Errorf("with one of mtbf and mttr: give both")
	case f.MTBF > 0 && f.At+f.For > 0:
		err = fmt.Errorf("with mtbf and at or for, and both say when: leave one of them out")
	}
	return f, err
}

// number returns the field of a number, or nil.
func (f *Failure) number(name string) *float64 {
	return map[string]*float64{"share": &f.Share, "at": &f.At, "for": &f.For, "mtbf": &f.MTBF,
		"mttr": &f.MTTR, "bandwidth": &f.Bandwidth}[name]
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
		if !isRange {
			to = from
		}
		a, bad := strconv.ParseUint(from, 10, 31)
		b, worse := strconv.ParseUint(to, 10, 31)
		switch {
		case bad != nil || worse != nil:
			return fmt.Errorf("where %s is %q: give all, or numbers such as 3-7,12", f.Kind, value)
		case f.Kind == FailingLinks && a == b:
			return fmt.Errorf("where %s is %q: give all, or pairs of routers such as 3-7,7-9", f.Kind, value)
		case f.Kind == FailingLinks:
			f.Pairs = append(f.Pairs, [2]int{int(min(a, b)), int(max(a, b))})
		case b < a || b-a >= maxFailing:
			return fmt.Errorf("where %s has %q, which is no range of at most %d", f.Kind, part, maxFailing)
		}
		for n := a; f.Kind != FailingLinks && n <= b; n++ {
			f.Numbers = append(f.Numbers, int(n))
		}
	}
	slices.Sort(f.Numbers)
	f.Numbers = slices.Compact(f.Numbers)
	return nil
}

// String returns the row in canonical form.
func (f Failure) String() string { return f.text }

// Drawn returns how many of some things fail by a share that is drawn: at least 1.
func (f *Failure) Drawn(of int) int { return max(1, int(math.Round(f.Share*float64(of)))) }

// draws reports whether something of the row is drawn.
func (f Failure) draws() bool { return f.Share > 0 || f.MTBF > 0 }

// failsNodes reports whether the row is of nodes, or of routers with theirs, and failsLinks whether
// links fail, of their own or with routers.
func (f Failure) failsNodes() bool { return f.Kind != FailingLinks }
func (f Failure) failsLinks() bool { return f.Kind != FailingNodes && f.Bandwidth == 0 }

// linksFail is the condition that links fail.
var linksFail = when("machine.failures of links or routers",
	func(s *Spec) bool { return slices.ContainsFunc(s.Failures, Failure.failsLinks) })

// nodesFail is the condition that nodes fail.
var nodesFail = when("machine.failures of nodes or routers",
	func(s *Spec) bool { return slices.ContainsFunc(s.Failures, Failure.failsNodes) })

// FailsNodes reports whether nodes fail in runs, and FailsLinks whether links do.
func (p *Plan) FailsNodes() bool { return slices.ContainsFunc(p.Failures, Failure.failsNodes) }
func (p *Plan) FailsLinks() bool { return slices.ContainsFunc(p.Failures, Failure.failsLinks) }

// refuser returns an error for a row that gives the reason.
type refuser func(right, why string, args ...any) *input.Error

// refuse returns the refuser of row i.
func (s *Spec) refuse(i int) refuser {
	at := input.Field(fmt.Sprintf("%s[%d]", FieldFailures, i))
	return func(right, why string, args ...any) *input.Error {
		return at.Bad(right, "%s is %q, and %s", at, s.Failures[i].text, fmt.Sprintf(why, args...))
	}
}

// checkFailures refuses failures that a run cannot have or would not depend on.
func (s *Spec) checkFailures() *input.Error {
	sends := messages.Holds(s)
	for i, f := range s.Failures {
		bad := s.refuse(i)
		switch {
		case s.FastForward > 0:
			return bad("take runs.fast_forward = 0, which simulates every flit",
				"jumps over time know of no failures")
		case f.failsNodes() && !queued.Holds(s):
			return bad("give links, or another workload.source",
				"with workload.source = %s no job can be killed and queue again", s.Workload.Source)
		case f.Kind == FailingLinks && !sends:
			return bad("give nodes or routers, or job.run = messages", "jobs send no messages over links")
		case f.Kind != FailingNodes && sends && s.Alone:
			return bad("leave out runs.alone", "runs.alone measures jobs on a network without failures")
		case sends && s.Network.Engine == "worm":
			return bad("take network.engine = auto or cycle", "the worm engine knows of no failures")
		case len(f.inSeconds) > 0 && s.scale().timeUnit == nil:
			return bad(`set network.cycle, such as "1 ns", or give a number`,
				"%s has a unit, and a cycle has no length", f.inSeconds[0])
		}
	}
	return nil
}

// failuresPlan returns the rows with times in the unit of the clock. It refuses what the machine
// does not have.
func (s *Spec) failuresPlan(machine topology.Topology) ([]Failure, error) {
	rows := slices.Clone(s.Failures)
	for i := range rows {
		f := &rows[i]
		for _, name := range f.inSeconds {
			seconds, _ := s.scale().timeUnit.Float64()
			*f.number(name) /= seconds
		}
		if err := f.checkTimes(s.unitCycles(), s.refuse(i)); err != nil {
			return nil, err
		}
		if err := f.checkMachine(machine, s.refuse(i)); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// unitCycles returns how many cycles a unit of the run's clock has; the most that it may have where
// jobs have run times alone.
func (s *Spec) unitCycles() float64 {
	switch rate := float64(s.cyclesPerSecond()); {
	case s.ClockUnit() == "cycles":
		return 1
	case s.Job.Run == RunMessages && rate > 0:
		return rate
	}
	return UnitCycles
}

// checkTimes refuses times that would act as others: spans of less than a cycle, and times beyond
// the last one. A unit of time has some cycles.
func (f *Failure) checkTimes(unit float64, bad refuser) *input.Error {
	for _, name := range []string{"at", "for", "mtbf", "mttr"} {
		switch cycles := *f.number(name) * unit; {
		case cycles >= float64(scheduler.MaxCycle):
			return bad(fmt.Sprintf("give less than %.3g", float64(scheduler.MaxCycle)/unit),
				"%s is after all time", name)
		case cycles > 0 && cycles < 1 && name != "at":
			return bad(fmt.Sprintf("give %.3g or more", 1/unit), "%s is less than a cycle", name)
		}
	}
	return nil
}

// checkMachine refuses what a machine does not have.
func (f *Failure) checkMachine(machine topology.Topology, bad refuser) *input.Error {
	count, last := machine.Routers(), -1
	if f.Kind == FailingNodes {
		count = machine.Nodes()
	}
	for _, n := range f.Numbers {
		last = max(last, n)
	}
	for _, pair := range f.Pairs {
		last = max(last, pair[1])
	}
	if last >= count {
		return bad(fmt.Sprintf("give 0 to %d", count-1), "the machine has no %d", last)
	}
	for _, pair := range f.Pairs {
		linked := false
		for p := range topology.Port(machine.Ports()) {
			r, _, ok := machine.Peer(topology.Router(pair[0]), p)
			linked = linked || ok && int(r) == pair[1]
		}
		if !linked {
			return bad("", "no link joins the routers %d and %d", pair[0], pair[1])
		}
	}
	classed, _ := machine.(topology.Classed)
	if f.Class != "" && (classed == nil || !slices.Contains(classed.LinkClasses(), f.Class)) {
		return bad("give all, or one of the classes that network.class_link_cycles knows of",
			"the machine has no such class of links")
	}
	return nil
}
