package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SetMachine sets the keys of [machine] that a short form stands for: a
// topology and its size, such as mesh:16x16, torus:8x8x4, hypercube:6 or, arity
// by levels, tree:4x4. A topology alone has the size the keys have by default.
func (st *Study) SetMachine(short string, names Names) error {
	where := "--machine " + short
	topology, size, sized := strings.Cut(short, ":")
	if err := st.Set("machine.topology", topology, names); err != nil {
		err := err.(*InputError)
		err.Where = where
		return err
	}
	if !sized {
		return nil
	}
	sides := strings.Split(size, "x")
	if slices.ContainsFunc(sides, func(s string) bool { n, err := strconv.Atoi(s); return err != nil || n < 1 }) {
		return &InputError{Where: where, Problem: fmt.Sprintf("%q is not a size", size), Right: "give " + machineExample(topology)}
	}
	values := map[string]string{"machine.dims": "[" + strings.Join(sides, ", ") + "]"}
	switch {
	case topology == "tree" && len(sides) == 2:
		values = map[string]string{"machine.arity": sides[0], "machine.levels": sides[1]}
	case topology == "tree" || topology == "hypercube" && len(sides) != 1:
		return &InputError{Where: where, Problem: fmt.Sprintf("%s is not the size of a %s", size, topology), Right: "give " + machineExample(topology)}
	}
	for _, key := range sortedKeys(values) {
		if err := st.Set(key, values[key], names); err != nil {
			err := err.(*InputError)
			err.Where = where
			return err
		}
	}
	return nil
}

// machineExample is a short form of a topology in words.
func machineExample(topology string) string {
	switch topology {
	case "tree":
		return "arity and levels, such as tree:4x4"
	case "hypercube":
		return "the number of dimensions, such as hypercube:6"
	}
	return "the routers along each dimension, such as " + topology + ":16x16"
}
