package study

import (
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
)

// pin reports whether the override is a pin: one that a run writes into its
// resolved study. A pin sets the digest of a log and, if the study leaves out
// machine.dims, the machine for which the log's header asks. It ties the results
// to the bytes of the log, and a folder can be read, drawn and resumed without
// the log. Only pins set the digest in an override.
func (o *Override) pin() bool {
	_, ok := o.Set["workload.trace_sha256"]
	return ok
}

// applies reports whether the override belongs to a point. Its When is compared
// with the point before any override. That of a pin is compared with the spec
// now, after earlier overrides, since these may name logs and machines.
func (o *Override) applies(p *Point, now *config.Spec, names config.Names) bool {
	if !o.pin() {
		return Matches(p, o.When, names)
	}
	when := map[string]any{}
	for path, want := range o.When {
		if path != "machine.dims" {
			when[path] = want
		} else if len(now.Machine.Dims) > 0 { // in a pin this key means: not given
			return false
		}
	}
	return Matches(&Point{Variant: p.Variant, Spec: *now}, when, names)
}

// dropPins removes the settings of pins that a key given for all points changes.
func (st *Study) dropPins(path string) {
	switch path {
	case "workload.trace", "workload.trace_sha256", "workload.source":
		pin := func(o Override) bool { return o.pin() }
		st.Overrides = slices.DeleteFunc(slices.Clone(st.Overrides), pin)
	case "machine.topology", "machine.concentration", "machine.service_rows":
		for i := range st.Overrides {
			if o := &st.Overrides[i]; o.pin() {
				delete(o.Set, "machine.dims")
			}
		}
	}
}

// PinAs takes over the pins of a resolved study, so that points have the hashes of its runs.
func (st *Study) PinAs(resolved *Study) {
	st.Base.Workload.TraceSHA256 = resolved.Base.Workload.TraceSHA256
	for _, o := range resolved.Overrides {
		if o.pin() {
			st.Overrides = append(st.Overrides, o)
		}
	}
}

// usedLog is a log with the points that run it.
type usedLog struct {
	name   string
	points []*Point
	shared bool // the study also has points without a log, which may name it too
}

// usedLogs lists the logs of a study in the order of its points.
func usedLogs(points []Point) []*usedLog {
	var logs []*usedLog
	byName := map[string]*usedLog{}
	for i := range points {
		w := &points[i].Spec.Workload
		u := byName[input.LogName(w.Trace)]
		if u == nil && w.HasTrace() {
			u = &usedLog{name: w.Trace}
			byName[input.LogName(w.Trace)], logs = u, append(logs, u)
		}
		if w.HasTrace() {
			u.points = append(u.points, &points[i])
		}
	}
	if slices.ContainsFunc(points, func(p Point) bool { return !p.Spec.Workload.HasTrace() }) {
		for _, u := range logs {
			u.shared = true
		}
	}
	return logs
}

// PinTrace writes the digests of the study's logs into the study, and their
// machines where machine.dims is not given. Inputs says so in words. PinTrace
// refuses a log that differs from the one with which a resolved study was made.
// It leaves missing logs to the runner if the study has several logs, or if the
// log was pinned before: finished runs do not need it any more.
func (st *Study) PinTrace(folders []string, names config.Names) error {
	points, err := st.expand(names)
	if err != nil {
		return err
	}
	var inputs []string
	for _, u := range usedLogs(points) {
		path, err := input.FindTrace(u.name, folders)
		if err != nil {
			if len(u.points) == len(points) && u.points[0].Spec.Workload.TraceSHA256 == "" {
				return err
			}
			inputs = append(inputs, st.InputsOf(u.name)...)
			continue
		}
		said, err := st.pinLog(u, path, folders)
		if err != nil {
			return err
		}
		inputs = append(inputs, said...)
	}
	st.Inputs = inputs
	return nil
}

// InputsOf returns the sentences of Inputs about a log.
func (st *Study) InputsOf(name string) []string {
	var said []string
	for _, s := range st.Inputs {
		if strings.HasPrefix(s, input.BaseName(name)+": ") {
			said = append(said, s)
		}
	}
	return said
}

// pinLog pins one log whose file is path, and returns the sentences for Inputs.
func (st *Study) pinLog(u *usedLog, path string, folders []string) (said []string, err error) {
	sum := ""
	for _, p := range u.points {
		if err := sameFile(u.name, p.Spec.Workload.Trace, path, folders); err != nil {
			return nil, err
		}
		if known := p.Spec.Workload.TraceSHA256; sum == "" || known != "" && known != sum {
			if sum, err = input.Pinned(path, known); err != nil {
				return nil, err
			}
		}
	}
	if instead := input.TakenInstead(u.name, path); instead != "" {
		said = append(said, instead+
			"; figures published for the one asked for are of another version")
	}
	open := st.pinDigest(u, sum)
	machines, err := st.pinMachines(u, path, sum, open)
	return append(said, machines...), err
}

// sameFile refuses two logs of one name, because tables and pins could not tell
// them apart.
func sameFile(first, other, path string, folders []string) error {
	if first == other {
		return nil
	}
	if found, err := input.FindTrace(other, folders); err != nil || found != path {
		return input.Bad("workload.trace", "give one of them another name",
			"the logs %s and %s have the same name", first, other)
	}
	return nil
}

// pinDigest writes the digest into the base spec if the log is that of the base.
// It reports whether some points still need a pin with the digest.
func (st *Study) pinDigest(u *usedLog, sum string) (open bool) {
	b := &st.Base.Workload
	if b.HasTrace() && input.LogName(b.Trace) == input.LogName(u.name) && !u.shared {
		b.TraceSHA256 = sum
	}
	for _, p := range u.points {
		open = open || p.Spec.Workload.TraceSHA256 == ""
	}
	return open && b.TraceSHA256 != sum
}

// pinMachines writes a pin for each kind of machine among the points of a log
// that have no machine.dims, and one for the digest if that is still open. It
// returns sentences about the machines that this run or an earlier one chose.
func (st *Study) pinMachines(u *usedLog, path, sum string, open bool) (said []string, err error) {
	var kinds []config.MachineSpec // kinds of machine without given dims
	var bare []config.MachineSpec  // those of kinds that have no pin yet
	given := false                 // some points have given dims
	for _, p := range u.points {
		m := &p.Spec.Machine
		kind := config.MachineSpec{Topology: m.Topology, Concentration: m.Concentration}
		switch {
		case !kind.IsGrid():
			given = true
		case len(m.Dims) == 0:
			if err := m.CheckLogMachine(u.name); err != nil {
				return nil, err
			}
			kinds, bare = addKind(kinds, kind), addKind(bare, kind)
		case st.pinnedDims(u.name, m.Dims):
			kinds = addKind(kinds, kind)
		default:
			given = true
		}
	}
	apart := given || len(bare) > 1
	if open && (apart || bare == nil) {
		st.addPin(u, map[string]any{}, sum, nil)
	}
	if kinds == nil {
		return nil, nil
	}
	l, err := config.ReadLog(path, u.points[0].Spec.Workload.Format())
	if err != nil {
		return nil, err
	}
	size := config.SizeOf(l)
	for _, kind := range kinds {
		said = append(said, size.Sentence(u.name, kind))
	}
	for _, kind := range bare {
		when := map[string]any{}
		if apart {
			when["machine.topology"] = kind.Topology
			when["machine.concentration"] = int64(kind.Concentration)
			when["machine.dims"] = []any{}
		}
		st.addPin(u, when, sum, size.Dims(&kind))
	}
	return said, nil
}

// addKind appends a kind of machine if the list does not have it.
func addKind(kinds []config.MachineSpec, kind config.MachineSpec) []config.MachineSpec {
	same := func(k config.MachineSpec) bool {
		return k.Topology == kind.Topology && k.Concentration == kind.Concentration
	}
	if slices.ContainsFunc(kinds, same) {
		return kinds
	}
	return append(kinds, kind)
}

// pinnedDims reports whether a pin gave points of a log these dimensions.
func (st *Study) pinnedDims(name string, dims []int) bool {
	return slices.ContainsFunc(st.Overrides, func(o Override) bool {
		trace, _ := o.When["workload.trace"].(string)
		list, _ := o.Set["machine.dims"].([]any)
		return o.pin() && input.LogName(trace) == input.LogName(name) &&
			slices.EqualFunc(list, dims, sameNumber)
	})
}

// sameNumber compares an element of a list in TOML with a number.
func sameNumber(a any, b int) bool {
	n, ok := a.(int64)
	return ok && n == int64(b)
}

// addPin appends a pin, so that it follows all overrides that name logs.
func (st *Study) addPin(u *usedLog, when map[string]any, sum string, dims []int) {
	when["workload.trace"] = input.BaseName(u.name)
	if u.shared {
		when["workload.source"] = string(u.points[0].Spec.Workload.Source)
	}
	set := map[string]any{"workload.trace_sha256": sum}
	if dims != nil {
		var list []any
		for _, d := range dims {
			list = append(list, int64(d))
		}
		set["machine.dims"] = list
	}
	st.Overrides = append(st.Overrides, Override{When: when, Set: set})
}
