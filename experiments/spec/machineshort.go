package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/netsim/topology"
)

// MachineKeys are the keys a short form of a machine stands for: a topology and
// its size, such as mesh:16x16, torus:8x8x4, hypercube:6 or, arity by levels,
// tree:4x4, and tree:4x4:2 with two ports up; fat-tree:4x4x4:2:b2r2, dragonfly:a4h2p2g9,
// hyperx:4x4:p4w2 and graph:FILE. A topology alone has the size the
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
	name, size, sized := strings.Cut(short, ":")
	keys := map[string]any{"machine.topology": name}
	known := slices.Clone(builtinTopologyNames())
	if r != nil {
		for i := range r.Topologies {
			if !r.Topologies[i].builtin {
				known = append(known, r.Topologies[i].Name)
			}
		}
	}
	if !slices.Contains(known, name) {
		return nil, &InputError{Where: "--machine " + short,
			Problem: fmt.Sprintf("machine.topology is %q", name), Right: OneOf(name, known)}
	}
	if !sized {
		return keys, nil
	}
	bad := &InputError{Where: "--machine " + short, Problem: fmt.Sprintf("%q is not the size of a %s",
		size, name), Right: "give " + machineExample(name)}
	if set, is := shortNetwork(name, size); is {
		for key, value := range set {
			keys[key] = value
		}
		if len(set) == 0 {
			return nil, bad
		}
		return keys, nil
	}
	size, up, slim := strings.Cut(size, ":")
	numbers, ok := wholeNumbers(size)
	ports, also := wholeNumbers(up)
	switch {
	case !ok || slim && !also:
		return nil, bad
	case name == "tree":
		if len(numbers) != 2 || len(ports) > 1 {
			return nil, bad
		}
		keys["machine.arity"], keys["machine.levels"] = numbers[0], numbers[1]
		if slim {
			keys["machine.up_ports"] = ports
		}
	case slim || name == "hypercube" && len(numbers) != 1:
		return nil, bad
	default:
		keys["machine.dims"] = numbers
	}
	return keys, nil
}

// shortNetwork are the keys that the size of a fat tree, dragonfly or HyperX or the file of a
// graph stands for, none if it is no size. It reports false for other topologies.
func shortNetwork(name, size string) (keys map[string]any, is bool) {
	switch name {
	case "fat-tree":
		c, ok := topology.ParseFatTree(size)
		if !ok {
			return nil, true
		}
		keys = map[string]any{"machine.children": tomlNumbers(c.Children),
			"machine.rails": int64(max(1, c.Rails))}
		if len(c.Parents) > 0 {
			keys["machine.parents"] = tomlNumbers(c.Parents)
		}
		if len(c.Bundle) > 0 {
			keys["machine.bundle"] = tomlNumbers(c.Bundle)
		}
		return keys, true
	case "dragonfly":
		c, ok := topology.ParseDragonfly(size)
		if !ok {
			return nil, true
		}
		keys = map[string]any{"machine.group_routers": int64(c.GroupRouters),
			"machine.global_links": int64(c.GlobalLinks), "machine.groups": int64(c.Groups),
			"machine.concentration": int64(max(1, c.Concentration))}
		if strings.Contains(size, ":") {
			keys["machine.arrangement"] = c.Arrangement.String()
		}
		return keys, true
	case "hyperx":
		c, ok := topology.ParseHyperX(size)
		if !ok {
			return nil, true
		}
		keys = map[string]any{"machine.dims": tomlNumbers(c.Dims),
			"machine.concentration": int64(max(1, c.Concentration))}
		if len(c.Width) > 0 {
			keys["machine.width"] = tomlNumbers(c.Width)
		}
		return keys, true
	case "graph":
		return map[string]any{"machine.file": size}, true
	}
	return nil, false
}

// tomlNumbers returns numbers as a TOML list holds them.
func tomlNumbers(numbers []int) (list []any) {
	for _, n := range numbers {
		list = append(list, int64(n))
	}
	return list
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
	case "fat-tree":
		return "the subtrees below a router of each level, nodes first, behind a colon the routers " +
			"above it, and behind another one links of a bundle and rails, such as " +
			"fat-tree:4x4x4:2:b2r2"
	case "dragonfly":
		return "routers of a group, global links and nodes of a router and groups, such as " +
			"dragonfly:a4h2p2g9 or dragonfly:a4h2p2g9:relative"
	case "hyperx":
		return "the routers along each dimension, and behind a colon nodes of a router and parallel " +
			"links, such as hyperx:4x4:p4w2"
	}
	return "the routers along each dimension, such as " + topology + ":16x16"
}
