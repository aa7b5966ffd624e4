package study

import (
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/internal/input"
)

// unitKeys say how long a cycle and a time unit of the workload are, and how large a flit.
var unitKeys = []string{"network.cycle", "network.flit_bytes", "network.preset",
	"job.cycles_per_second", "job.run", "workload.source"}

// rateKeys say at which rate a node sends.
var rateKeys = []string{"network.flit_cycles", "network.node_flit_cycles",
	"network.injection_flit_cycles"}

// vary reports whether something beside the base spec sets one of some keys, so that a quantity of
// the base spec that depends on them may be another number at each point.
func (st *Study) vary(keys []string) bool {
	return st.anyValue(func(path string, _ any) bool { return slices.Contains(keys, path) })
}

// quantitiesRemain reports whether a resolved study has values with units that the points turn
// into numbers.
func (st *Study) quantitiesRemain() bool {
	if len(st.Base.Given) > 0 && (st.vary(unitKeys) || st.vary(rateKeys)) {
		return true
	}
	return st.anyValue(func(path string, raw any) bool {
		return isQuantity(path, raw) || st.Base.Registry.HasQuantity(path, raw)
	})
}

// isQuantity reports whether a value of a key, as the TOML library gives it, is one with a unit.
// The length of a cycle always is, and is no number in a spec either.
func isQuantity(path string, raw any) bool {
	k, _ := config.FindKey(path)
	text, is := raw.(string)
	return is && text != "auto" && path != "network.cycle" && len(k.Takes()) > 0
}

// HasUnits reports whether an axis has values with units, so that its labels are no numbers.
func (st *Study) HasUnits(key string) bool {
	i := st.AxisOf(key)
	return i >= 0 && slices.ContainsFunc(st.Axes[i].Values, func(raw any) bool {
		return isQuantity(key, raw)
	})
}

// eachValue passes the values that axes, variants, overrides and the small version give to keys
// to a function, and stores what it returns.
func (st *Study) eachValue(visit func(path string, value any) any) {
	sets := []map[string]any{st.Quick.Set}
	for _, v := range st.Variants {
		sets = append(sets, v.Set)
	}
	for _, o := range st.Overrides {
		sets = append(sets, o.When, o.Set)
	}
	for _, set := range sets {
		for path, value := range set {
			set[path] = visit(path, value)
		}
	}
	for _, a := range slices.Concat(st.Axes, st.Quick.Axes) {
		for i, value := range a.Values {
			a.Values[i] = visit(a.Key, value)
		}
	}
}

// ChoosesPairs reports whether runs of the study have pairs in series.csv.
func (st *Study) ChoosesPairs() bool {
	return len(st.Base.SeriesPairs) > 0 || st.anyValue(func(path string, _ any) bool {
		return path == string(config.FieldSeriesPairs)
	})
}

// anyValue reports whether a condition holds for a value of a key beside the base spec.
func (st *Study) anyValue(holds func(path string, raw any) bool) (met bool) {
	st.eachValue(func(path string, value any) any {
		met = met || holds(path, value)
		return value
	})
	return met
}

// blame turns an error about a quantity of a point into one about the part of the study that
// gave it: an override, an axis, a variant, or a preset.
func (st *Study) blame(err *input.Error, p *Point) *input.Error {
	key := err.Key
	if st.sets(key) {
		return err
	}
	if slices.ContainsFunc(st.given, func(g given) bool { return g.path == "network.preset" }) {
		err.Key = "network.preset"
	}
	for i, v := range st.Variants {
		if _, set := v.Set[key]; set && v.Name == p.Variant {
			err.Key = fmt.Sprintf("variants[%d].set.%s", i, key)
		}
	}
	if i := st.AxisOf(key); i >= 0 && i < len(p.Labels) {
		for n, v := range st.Axes[i].Values {
			if labelOf(key, v, &p.Spec) == p.Labels[i] {
				err.Key = fmt.Sprintf("axes[%d].values[%d]", i, n)
			}
		}
	}
	for i, o := range st.Overrides {
		if _, set := o.Set[key]; set && Matches(p, o.When) {
			err.Key = fmt.Sprintf("overrides[%d].set.%s", i, key)
		}
	}
	return err
}

// sets reports whether the base spec alone sets a key.
func (st *Study) sets(key string) bool {
	return slices.ContainsFunc(st.given, func(g given) bool { return g.path == key }) &&
		!st.anyValue(func(path string, _ any) bool { return path == key })
}

// PinFiles writes the digests of the files of traffic matrices, patterns and commands behind their
// names, wherever the study names one. So results depend on the bytes of the files, and a folder is
// read without them.
func (st *Study) PinFiles() error {
	var bad *input.Error
	registry := st.Base.Registry
	st.eachValue(func(path string, value any) any {
		if bad == nil {
			value, bad = registry.Pinned(path, value)
		}
		return value
	})
	return InFlag(bad, "")
}
