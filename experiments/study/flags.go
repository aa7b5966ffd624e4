package study

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
)

// Set changes a key for all points of the study. The value replaces those of
// the base spec, of variants and overrides, and an axis of the key.
func (st *Study) Set(path, text string) error {
	return st.SetBy("--set "+path+"="+text, path, text)
}

// SetBy sets a key as Set does, for a flag that errors and st.Changed quote as where.
func (st *Study) SetBy(where, path, text string) error {
	if path == variantKey {
		return InFlag(input.Bad(path, "choose with --axis "+path+"="+text,
			"variant is a key of axes only"), where)
	}
	k, ok := config.FindKey(path)
	if !ok {
		return InFlag(config.UnknownKey(path), where)
	}
	if keys := machineSizeKeys(path, config.ParseFlagValue(k, text), st.Base.Registry); keys != nil {
		return st.setMachineSize(keys, where)
	}
	if err := st.conflictingFlag(path, where); err != nil {
		return InFlag(err, where)
	}
	s, value := config.Settings{Spec: st.Base, Runs: st.Runs}, config.ParseFlagValue(k, text)
	if err := s.Assign(path, value); err != nil {
		return InFlag(err, where)
	}
	if err := st.checkUnnamed(path); err != nil {
		return InFlag(err, where)
	}
	st.Base, st.Runs = s.Spec, s.Runs
	st.useDefaultMetrics()
	st.DropAxis(path)
	st.dropSettings(path)
	st.recordFlag(path, where, value)
	st.noteChange(path, where)
	return nil
}

// checkUnnamed refuses a value for all points of a key that variants or the values of an axis set:
// the names of their rows would be false.
func (st *Study) checkUnnamed(path string) *input.Error {
	for _, v := range st.usedVariants() {
		for _, over := range input.SortedKeys(v.Set) {
			if covers(path, over) {
				return input.Bad(path,
					"choose variants with --axis variant=..., or write a study of your own",
					"the variant %s sets %s itself, so the name of its row would be false", v.Name, over)
			}
		}
	}
	for _, a := range st.Axes {
		if config.IsParameterOf(path, a.Key) {
			return input.Bad(path,
				"give values with their parameters, such as --axis allocator=first-fit:rotate,mbs",
				"the axis %s sets %s at every point", a.Key, path)
		}
	}
	return nil
}

// setMachineSize sets each of the given keys to its value, for the flag that errors quote as where.
func (st *Study) setMachineSize(keys map[string]any, where string) error {
	for _, key := range input.SortedKeys(keys) {
		text := strings.ReplaceAll(fmt.Sprint(keys[key]), " ", ", ")
		if err := st.Set(key, text); err != nil {
			return InFlag(err.(*input.Error), where)
		}
	}
	return nil
}

// UseTrace makes a log the input of the study in place of its own.
func (st *Study) UseTrace(file string) error {
	where := "--trace " + file
	if own := st.Base.Workload.Trace; own != "" {
		where += " in place of " + own
	}
	if err := st.SetBy(where, "workload.trace", strconv.Quote(file)); err != nil {
		return err
	}
	st.Base.Workload.TraceSHA256 = ""
	st.dropSettings("workload.trace_sha256")
	return nil
}

// SetAxis replaces or adds an axis. Commas separate its values. Overrides no
// longer set the key.
func (st *Study) SetAxis(path, text string) error {
	return st.SetAxisBy("--axis "+path+"="+text, path, text)
}

// SetAxisBy sets an axis as SetAxis does, for a flag that errors and st.Changed quote as where.
func (st *Study) SetAxisBy(where, path, text string) error {
	k, ok := FindAxisKey(path)
	if !ok {
		return InFlag(config.UnknownKey(path), where)
	}
	if err := st.conflictingFlag(path, where); err != nil {
		return InFlag(err, where)
	}
	axis := Axis{Key: path, where: where}
	for _, part := range splitValues(k, text, st.Base.Registry) {
		axis.Values = append(axis.Values, config.ParseFlagValue(k, part))
	}
	if err := st.checkAxis(axis, "axis "+path); err != nil {
		return InFlag(err, where)
	}
	selects := st.selects(axis)
	st.putAxis(axis)
	st.dropOverrides(path)
	st.flagged = true
	if selects {
		st.Selected = append(st.Selected, where)
	} else {
		st.noteChange(path, where)
	}
	return nil
}

// conflictingFlag refuses a flag for a key that another flag than --quick has set: one would hide
// the other. Of two --set the last one counts, so that scripts can add to a command.
func (st *Study) conflictingFlag(path, where string) *input.Error {
	right := "leave one of them out"
	for _, g := range st.given {
		if g.path == path && g.where != "" && g.where != quickFlag &&
			!(strings.HasPrefix(g.where, "--set ") && strings.HasPrefix(where, "--set ")) {
			return input.Bad(path, right, "%s sets %s too", g.where, path)
		}
	}
	for _, a := range st.Axes {
		if a.where != "" && covers(path, a.Key) {
			return input.Bad(path, "give one --axis all values, separated by commas", "%s sets %s too",
				a.where, a.Key)
		}
	}
	return nil
}

// selects reports whether the study already has all values of an axis. The new
// points are then a selection of the old ones.
func (st *Study) selects(axis Axis) bool {
	i := st.AxisOf(axis.Key)
	if i < 0 {
		return false
	}
	have := st.labelsOn(&st.Axes[i])
	return !slices.ContainsFunc(st.labelsOn(&axis), func(l string) bool {
		return !slices.Contains(have, l)
	})
}

// quickFlag selects the small version of a study.
const quickFlag = "--quick"

// UseQuick turns the study into its small version (--quick).
func (st *Study) UseQuick() error {
	s := config.Settings{Spec: st.Base, Runs: st.Runs}
	for _, path := range config.InOrder(st.Quick.Set) {
		if err := s.Assign(path, st.Quick.Set[path]); err != nil {
			return InFlag(err, quickFlag)
		}
		st.dropSettings(path)
		st.DropAxis(path)
		st.recordFlag(path, quickFlag, st.Quick.Set[path])
	}
	st.Base, st.Runs = s.Spec, s.Runs
	for _, a := range st.Quick.Axes {
		st.putAxis(a)
	}
	if st.Quick.Metrics != nil {
		st.Table.Metrics = st.Quick.Metrics
	}
	st.Quick, st.Title = Quick{}, strings.TrimSpace(st.Title+" (small version)")
	st.flagged, st.Changed = true, append(st.Changed, quickFlag)
	return nil
}

// noteChange records the flag in st.Changed, unless its key leaves the study what it is.
func (st *Study) noteChange(path, where string) {
	st.flagged = true
	if k, _ := config.FindKey(path); !k.Quiet {
		st.Changed = append(st.Changed, input.Printable(where))
	}
}

// putAxis replaces the axis of the same key, keeping its Until if a has none, or appends a and
// removes the axes that a covers.
func (st *Study) putAxis(a Axis) {
	if i := st.AxisOf(a.Key); i >= 0 {
		a.Until = cmp.Or(a.Until, st.Axes[i].Until)
		st.Axes[i] = a
		return
	}
	st.DropAxis(a.Key)
	st.fixAmong()
	st.Axes = append(st.Axes, a)
}

// fixAmong sets Among to the key of the last axis in each tolerance that relies on this default, so
// that appending an axis does not change it.
func (st *Study) fixAmong() {
	if len(st.Axes) == 0 {
		return
	}
	st.Tolerances = slices.Clone(st.Tolerances)
	for i := range st.Tolerances {
		if t := &st.Tolerances[i]; t.Among == "" &&
			(t.Relative != "" || t.Of != "" || t.Rule == "ranking") {
			t.Among = st.Axes[len(st.Axes)-1].Key
		}
	}
}

// DropAxis removes every axis whose key is path, a parameter of it, or an alternative to it.
func (st *Study) DropAxis(path string) {
	st.Axes = slices.DeleteFunc(slices.Clone(st.Axes), func(a Axis) bool {
		return covers(path, a.Key)
	})
}

// DropValues removes from the axis of a key the values with the given labels, and returns false and
// removes none if no value would remain.
func (st *Study) DropValues(path string, labels []string) bool {
	i := st.AxisOf(path)
	if i < 0 {
		return true
	}
	a := &st.Axes[i]
	kept := slices.DeleteFunc(slices.Clone(a.Values), func(v any) bool {
		label, _ := st.valueLabel(a.Key, v)
		return slices.Contains(labels, label)
	})
	if len(kept) > 0 {
		a.Values = kept
	}
	return len(kept) > 0
}

// dropSettings removes a key, and the keys that it covers, from variants and overrides.
func (st *Study) dropSettings(path string) {
	for _, v := range st.Variants {
		dropKeys(v.Set, path)
	}
	st.dropOverrides(path)
}

// dropOverrides removes a key, and the keys that it covers, from overrides.
func (st *Study) dropOverrides(path string) {
	for _, o := range st.Overrides {
		dropKeys(o.Set, path)
	}
}

// dropKeys removes the keys that a value of path replaces.
func dropKeys(set map[string]any, path string) {
	maps.DeleteFunc(set, func(over string, _ any) bool { return covers(path, over) })
}

// covers reports whether a value of path replaces everything that other sets.
func covers(path, other string) bool {
	if path == other || config.IsParameterOf(other, path) {
		return true
	}
	k, _ := config.FindKey(path)
	o, _ := config.FindKey(other)
	return k.OneOf != "" && k.OneOf == o.OneOf
}
