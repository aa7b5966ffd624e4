package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MachineKeys are the keys a short form of a machine stands for: a topology and
// its size, such as mesh:16x16, torus:8x8x4, hypercube:6 or, arity by levels,
// tree:4x4, and tree:4x4:2 with two ports up. A topology alone has the size the
// keys have by default.
func MachineKeys(short string) (map[string]any, *InputError) {
	var r *Registry
	return r.MachineKeys(short)
}

// MachineKeys does so for what is not built in too. The short form of that is its
// call, such as ring-of-rings:rings=4,size=8.
func (r *Registry) MachineKeys(short string) (map[string]any, *InputError) {
	call, own, err := r.canonical("topologies", short)
	if own && err != nil {
		err.Where = "--machine " + short
		return nil, err
	}
	if own {
		return map[string]any{"machine.topology": call}, nil
	}
	topology, size, sized := strings.Cut(short, ":")
	keys := map[string]any{"machine.topology": topology}
	known := []string{"mesh", "torus", "hypercube", "tree"}
	if r != nil {
		for i := range r.Topologies {
			if !r.Topologies[i].builtin {
				known = append(known, r.Topologies[i].Name)
			}
		}
	}
	if !slices.Contains(known, topology) {
		return nil, &InputError{Where: "--machine " + short,
			Problem: fmt.Sprintf("machine.topology is %q", topology), Right: OneOf(topology, known)}
	}
	if !sized {
		return keys, nil
	}
	bad := &InputError{Where: "--machine " + short, Problem: fmt.Sprintf("%q is not the size of a %s",
		size, topology), Right: "give " + machineExample(topology)}
	size, up, slim := strings.Cut(size, ":")
	numbers, ok := wholeNumbers(size)
	ports, also := wholeNumbers(up)
	switch {
	case !ok || slim && !also:
		return nil, bad
	case topology == "tree":
		if len(numbers) != 2 || len(ports) > 1 {
			return nil, bad
		}
		keys["machine.arity"], keys["machine.levels"] = numbers[0], numbers[1]
		if slim {
			keys["machine.up_ports"] = ports
		}
	case slim || topology == "hypercube" && len(numbers) != 1:
		return nil, bad
	default:
		keys["machine.dims"] = numbers
	}
	return keys, nil
}

// wholeNumbers reads numbers from 1 with an x between.
func wholeNumbers(text string) (numbers []any, ok bool) {
	for part := range strings.SplitSeq(text, "x") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, false
		}
		numbers = append(numbers, int64(n))
	}
	return numbers, true
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
