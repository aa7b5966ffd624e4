package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/internal/input"
)

// given is a value that the study or a flag gives a key at all points.
type given struct {
	path  string
	where string // the flag that set it; "" for the study's own TOML
	value any    // what the flag gave it
}

// recordFlag notes that a flag set a key, in place of earlier values of the key.
func (st *Study) recordFlag(path, where string, value any) {
	st.given = slices.DeleteFunc(st.given, func(g given) bool { return covers(path, g.path) })
	st.given = append(st.given, given{path, where, value})
}

// checkFlags refuses flags whose value a point does not have where the key acts: an axis, an
// override, or a preset of a later flag sets it otherwise. A value of --quick gives way.
func (st *Study) checkFlags() *input.Error {
	var points []Point // before they are calibrated, for each other's sake
	for _, g := range st.given {
		k, _ := config.FindKey(g.path)
		if g.where == "" || g.where == quickFlag || k.Shorthand || !k.Identity || st.refines(g.path) {
			continue
		}
		if points == nil {
			points, _ = st.expand() // which Points has done without an error
		}
		for i := range points {
			p := &points[i]
			if k.Acts(&p.Spec) && !hasValue(p, g.path, g.value) {
				return input.Bad(g.path, "leave one of them out; a flag for a preset goes first",
					"%s sets %s otherwise%s", st.overriddenBy(g, p), g.path, atPoint(p)).By(g.where)
			}
		}
	}
	return nil
}

// refines reports whether a flag, an axis or an override sets a parameter of what a key names.
func (st *Study) refines(owner string) bool {
	of := func(path string) bool { return config.IsParameterOf(path, owner) }
	return slices.ContainsFunc(st.given, func(g given) bool { return of(g.path) }) ||
		slices.ContainsFunc(st.Axes, func(a Axis) bool { return of(a.Key) }) ||
		slices.ContainsFunc(st.Overrides, func(o Override) bool {
			return slices.ContainsFunc(input.SortedKeys(o.Set), of)
		})
}

// atPoint returns " at " and the labels of a point, to end a sentence.
func atPoint(p *Point) string {
	if len(p.Labels) == 0 {
		return ""
	}
	return " at " + strings.Join(p.Labels, ", ")
}

// overriddenBy names the axis, flag or override that replaces the value of a flag at a point.
func (st *Study) overriddenBy(g given, p *Point) string {
	changes := func(path string, value any) bool {
		with := Point{Spec: st.Base}
		return st.Assign(&with, g.path, g.value) == nil &&
			st.Assign(&with, path, value) == nil && !hasValue(&with, g.path, g.value)
	}
	for _, a := range st.Axes {
		if slices.ContainsFunc(a.Values, func(v any) bool { return changes(a.Key, v) }) {
			return "the axis " + a.Key
		}
	}
	for _, other := range st.given {
		if other.where != "" && changes(other.path, other.value) {
			return other.where
		}
	}
	return "an override"
}

// checkActing refuses keys that were set and act at no point, because a user
// would believe that they were simulated. A key of the study's own TOML that
// flags made ineffective is dropped, and Remarks say so.
func (st *Study) checkActing(points []Point) *input.Error {
	var kept []given
	var left []string
	for _, g := range st.given {
		reason := st.idleAt(points, g.path, func(*Point) bool { return true })
		switch {
		case reason == "":
			kept = append(kept, g)
		case g.where == "" && st.flagged && !st.idle.is(g.path):
			left = append(left, g.path)
		case st.atDefault(g.path):
		default:
			return st.refuseIdle(g.path, idleKey(g.path, g.path, reason).By(g.where))
		}
	}
	if st.given = kept; len(left) > 0 {
		verb := "is"
		if len(left) > 1 {
			verb = "are"
		}
		st.Remarks = append(st.Remarks, fmt.Sprintf("%s of the study cannot act here and %s left out",
			strings.Join(left, ", "), verb))
	}
	for i, v := range st.usedVariants() {
		for _, path := range input.SortedKeys(v.Set) {
			reason := st.idleAt(points, path, func(p *Point) bool { return p.Variant == v.Name })
			if reason != "" && !st.isDefault(path, v.Set[path]) {
				return idleKey(fmt.Sprintf("variants[%d].set.%s", i, path),
					"the variant "+v.Name+", with "+path+",", reason)
			}
		}
	}
	for i, o := range st.Overrides {
		for _, path := range input.SortedKeys(o.Set) {
			reason := st.idleAt(points, path, func(p *Point) bool {
				return Matches(p, o.When)
			})
			switch {
			case reason == "" || st.isDefault(path, o.Set[path]):
			case st.flagged:
				delete(o.Set, path)
			default:
				return idleKey(fmt.Sprintf("overrides[%d].set.%s", i, path), path, reason)
			}
		}
	}
	return nil
}

// atDefault reports whether the base spec has the default of a key. To state it does no harm where
// the key cannot act.
func (st *Study) atDefault(path string) bool {
	k, ok := config.FindKey(path)
	now, standard := config.Settings{Spec: st.Base, Runs: st.Runs}, config.Defaults()
	return ok && !k.Shorthand && !now.Overwritten(path, &standard)
}

// defaults returns settings of the study's registry with every key at its default.
func (st *Study) defaults() config.Settings {
	s := config.Defaults()
	s.Spec.Registry = st.Base.Registry
	return s
}

// isDefault is like atDefault for a value that a variant or an override sets.
func (st *Study) isDefault(path string, raw any) bool {
	s := st.defaults()
	err := s.Assign(path, raw)
	return err == nil && (&Study{Base: s.Spec, Runs: s.Runs}).atDefault(path)
}

// idleError says that a key or an axis of the study's own TOML acts at no point. Flags may make it
// act.
type idleError struct {
	what string // the key, or "axis " and its key
	*input.Error
}

// is reports whether the error is about a key or an axis.
func (e *idleError) is(what string) bool { return e != nil && e.what == what }

// refuseIdle returns the error for a key, or for an axis. It keeps the error of the study without
// flags, which has the place in the file.
func (st *Study) refuseIdle(what string, err *input.Error) *input.Error {
	switch {
	case st.idle.is(what):
		return st.idle.Error
	case !st.flagged && st.idle == nil:
		st.idle = &idleError{what, err}
	}
	return err
}

// idleKey returns the error for a key that cannot act.
func idleKey(at, what, reason string) *input.Error {
	return input.Bad(at, "leave it out", "%s has no effect: it %s", what, reason)
}

// idleAt returns the reason why a key, or everything that a shorthand sets, acts
// at none of the points that at selects. It returns "" if the key acts at one of
// them or at selects none.
func (st *Study) idleAt(points []Point, path string, at func(*Point) bool) string {
	if path == variantKey {
		return ""
	}
	k, _ := config.FindKey(path)
	reason := ""
	for i := range points {
		if !at(&points[i]) {
			continue
		}
		why := k.Idle(&points[i].Spec)
		if why == "" {
			return ""
		}
		reason = cmp.Or(reason, why)
	}
	return reason
}

// checkAxes refuses axes that act at no point, because their rows would be
// equal. It drops an axis of the study's own TOML that flags made ineffective,
// and reports whether there was one.
func (st *Study) checkAxes(points []Point) (dropped bool, err *input.Error) {
	var kept []Axis
	for i, a := range st.Axes {
		reason := st.idleAt(points, a.Key, func(*Point) bool { return true })
		switch {
		case reason == "":
			kept = append(kept, a)
		case a.where == "" && st.flagged && !st.idle.is("axis "+a.Key):
			st.Remarks = append(st.Remarks, fmt.Sprintf(
				"the axis %s of the study cannot act here and is left out", a.Key))
		default:
			at := fmt.Sprintf("axes[%d].key", i)
			return false, st.refuseIdle("axis "+a.Key,
				idleKey(at, "the axis "+a.Key, reason).By(a.where))
		}
	}
	dropped = len(kept) < len(st.Axes)
	st.Axes = kept
	return dropped, nil
}

// actingAt returns the keys that act at one of the points, and those that say what the
// quantities of a resolved study are. A resolved study states these keys only.
func (st *Study) actingAt(points []Point) map[string]bool {
	acts, remain := map[string]bool{}, st.quantitiesRemain()
	for _, k := range config.Keys() {
		for i := range points {
			if s := &points[i].Spec; k.Acts(s) || remain && k.Idle(s) == "" {
				acts[k.Path] = true
				break
			}
		}
	}
	return acts
}

// checkLabels refuses a study in which an override or a variant contradicts the
// axis that names a row.
func (st *Study) checkLabels(points []Point) *input.Error {
	for i, a := range st.Axes {
		for _, v := range st.usedVariants() {
			for _, path := range input.SortedKeys(v.Set) {
				if covers(a.Key, path) || covers(path, a.Key) {
					const problem = "the axis %s and the variant %s both set %s, " +
						"so names of rows would be false"
					return input.Bad(fmt.Sprintf("axes[%d].key", i), "leave one of them out",
						problem, a.Key, v.Name, path).By(a.where)
				}
			}
		}
		if a.Key == variantKey {
			continue
		}
		k, _ := config.FindKey(a.Key)
		for n := range points {
			if p := &points[n]; k.Acts(&p.Spec) &&
				!hasValue(p, a.Key, a.Values[st.valueAt(n, i)]) {
				return input.Bad(fmt.Sprintf("axes[%d].key", i),
					"leave one of them out",
					"the axis %s is %s at the point %s, but %s sets it too",
					a.Key, p.Labels[i], strings.Join(p.Labels, " "), st.axisOverriddenBy(n, i)).By(a.where)
			}
		}
	}
	return nil
}

// axisOverriddenBy names the axis or override that replaces the value of axis i at the n-th point.
func (st *Study) axisOverriddenBy(n, i int) string {
	a := st.Axes[i]
	for j, other := range st.Axes[i+1:] {
		p := Point{Spec: st.Base}
		st.Assign(&p, a.Key, a.Values[st.valueAt(n, i)]) // both were checked as axes
		st.Assign(&p, other.Key, other.Values[st.valueAt(n, i+1+j)])
		if !hasValue(&p, a.Key, a.Values[st.valueAt(n, i)]) {
			return "the axis " + other.Key
		}
	}
	return "an override"
}

// usedVariants returns the variants that are values of the axis variant.
func (st *Study) usedVariants() []Variant {
	var used []Variant
	for _, a := range st.Axes {
		if a.Key != variantKey {
			continue
		}
		for _, v := range st.Variants {
			if slices.ContainsFunc(a.Values, func(x any) bool { return x == v.Name }) {
				used = append(used, v)
			}
		}
	}
	return used
}

// valueAt returns the index of the value that axis i has at the n-th point. The
// first axis varies slowest.
func (st *Study) valueAt(n, i int) int {
	for _, a := range st.Axes[i+1:] {
		n /= len(a.Values)
	}
	return n % len(st.Axes[i].Values)
}

// CheckUse resolves the base spec and refuses keys that a command does not use. The
// command looks at the base spec alone; uses lists its keys, as paths or as sections such
// as "machine.", and what names the command in errors. A key has to act in the base spec
// or in one of the others.
func (st *Study) CheckUse(what string, uses []string, others ...config.Spec) error {
	if err := st.Base.Resolve(); err != nil {
		return err
	}
	for _, g := range st.given {
		k, _ := config.FindKey(g.path)
		reason := k.Idle(&st.Base)
		for i := range others {
			if reason != "" {
				reason = k.Idle(&others[i])
			}
		}
		used := slices.ContainsFunc(uses, func(u string) bool {
			return u == g.path || strings.HasSuffix(u, ".") && strings.HasPrefix(g.path, u)
		})
		switch {
		case st.atDefault(g.path):
		case !used:
			return idleKey(g.path, g.path, "does not act in "+what).By(g.where)
		case reason != "" && g.path != "runs.seed":
			return idleKey(g.path, g.path, reason).By(g.where)
		}
	}
	return nil
}
