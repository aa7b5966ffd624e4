package machine

import (
	"strings"

	"contend/netsim/topology"
)

// Keys returns the keys that the size in a short form of a topology stands for, nil for what is
// no size of it.
func Keys(name, size string) map[string]any {
	keys := map[string]any{}
	list := func(key string, numbers []int) {
		if len(numbers) > 0 {
			keys["machine."+key] = TOML(numbers)
		}
	}
	number := func(key string, n int) { keys["machine."+key] = int64(n) }
	shape, more, colon := strings.Cut(size, ":")
	dims, ok := topology.ParseDims(shape)
	switch {
	case name == "graph":
		return map[string]any{"machine.file": size}
	case name == "fat-tree":
		var c topology.FatTreeConfig
		c, ok = topology.ParseFatTree(size)
		list("children", c.Children)
		list("parents", c.Parents)
		list("bundle", c.Bundle)
		number("rails", max(1, c.Rails))
	case name == "dragonfly":
		var c topology.DragonflyConfig
		c, ok = topology.ParseDragonfly(size)
		number("group_routers", c.GroupRouters)
		number("global_links", c.GlobalLinks)
		number("groups", c.Groups)
		number("concentration", max(1, c.Concentration))
		if colon {
			keys["machine.arrangement"] = c.Arrangement.String()
		}
	case name == "hyperx":
		var c topology.HyperXConfig
		c, ok = topology.ParseHyperX(size)
		list("dims", c.Dims)
		list("width", c.Width)
		number("concentration", max(1, c.Concentration))
	case name == "tree":
		ports, also := topology.ParseDims(more)
		if ok = ok && len(dims) == 2 && colon == also && len(ports) <= 1; ok {
			number("arity", dims[0])
			number("levels", dims[1])
			list("up_ports", ports)
		}
	default:
		ok = ok && !colon && (name != "hypercube" || len(dims) == 1)
		list("dims", dims)
	}
	if !ok {
		return nil
	}
	return keys
}

// TOML returns numbers as a TOML list holds them.
func TOML(numbers []int) (list []any) {
	for _, n := range numbers {
		list = append(list, int64(n))
	}
	return list
}

// Example is a short form of a topology in words.
func Example(name string) string {
	switch name {
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
	return "the routers along each dimension, such as " + name + ":16x16"
}
