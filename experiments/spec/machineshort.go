package spec

import (
	"fmt"
	"maps"
	"strings"

	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
)

// MachineKeys are the keys a short form of a machine stands for: a topology and
// its size, such as mesh:16x16, torus:8x8x4, hypercube:6 or, arity by levels,
// tree:4x4, and tree:4x4:2 with two ports up; fat-tree:4x4x4:2:b2r2, dragonfly:a4h2p2g9,
// hyperx:4x4:p4w2 and graph:FILE. A topology alone has the size the
// keys have by default.
func MachineKeys(short string) (map[string]any, *input.Error) {
	var r *Registry
	return r.MachineKeys(short)
}

// MachineKeys does so for what a registry adds too. The short form of that is its
// call, such as ring-of-rings:rings=4,size=8.
func (r *Registry) MachineKeys(short string) (map[string]any, *input.Error) {
	name, size, sized := strings.Cut(short, ":")
	keys := map[string]any{"machine.topology": name}
	if e, ok := r.find("topologies", name); ok && len(e.keys) == 0 {
		call, err := r.canonical("topologies", short)
		if err != nil {
			err.Where = "--machine " + short
			return nil, err
		}
		keys["machine.topology"] = call
		return keys, nil
	} else if !ok {
		var known []string
		for _, x := range r.registered().Topologies {
			known = append(known, x.Name)
		}
		return nil, &input.Error{Where: "--machine " + short,
			Problem: fmt.Sprintf("machine.topology is %q", name), Right: input.OneOf(name, known)}
	}
	if !sized {
		return keys, nil
	}
	set := machine.Keys(name, size)
	if set == nil {
		return nil, &input.Error{Where: "--machine " + short, Problem: fmt.Sprintf(
			"%q is not the size of a %s", size, name), Right: "give " + machine.Example(name)}
	}
	maps.Copy(keys, set)
	return keys, nil
}
