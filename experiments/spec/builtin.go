package spec

import (
	"slices"
	"strings"
	"sync"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/allocation/order"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/router/routes"
	"contend/scheduler"
)

// BuiltinNames returns the names of everything that is built in.
func BuiltinNames() Names { return Builtin().Names() }

// Builtin returns a registry of everything that is built in except the metrics, which
// belong to the package that measures them. The parameters of built-in entries are keys
// of a study, which describe them.
func Builtin() *Registry {
	r := &Registry{Topologies: builtinTopologies(), Routings: builtinRoutings(),
		Policies: builtinPolicies()}
	for _, a := range byname.Names() {
		r.Allocators = append(r.Allocators, builtinAllocator(a))
	}
	for _, p := range patterns.Names() {
		r.Patterns = append(r.Patterns, builtinPattern(p))
	}
	return r
}

func builtinTopologies() []Topology {
	grid := []string{"auto", "dimension-order", "dateline", "balanced-dateline", "valiant", "romm",
		"minimal-adaptive", "min-adapt"}
	mesh := append(slices.Clone(grid), "west-first", "north-last", "negative-first", "odd-even",
		"o1turn")
	tree := []string{"auto", "d-mod-k", "s-mod-k", "random", "adaptive", "adaptive-credits"}
	sides := []string{"dims", "concentration", "service_rows"}
	return []Topology{
		builtinTopology("mesh", "neighbours along each dimension are joined", "",
			mesh, append(sides, "wrap")),
		builtinTopology("torus", "a mesh whose ends are joined in every dimension", "",
			grid, append(sides, "wrap")),
		builtinTopology("hypercube", "a mesh of twos; machine.dims is its number of dimensions", "",
			mesh, sides),
		builtinTopology("tree", "a k-ary n-tree: machine.arity, levels, nodes, up_ports",
			"Petrini and Vanneschi 1997", tree, []string{"arity", "levels", "nodes", "up_ports"}),
		builtinTopology("fat-tree", "a fat tree with levels of its own sizes, tapers, bundles of links "+
			"and rails: machine.children, parents, bundle, rails, nodes", "Zahavi 2010", tree,
			[]string{"children", "parents", "bundle", "rails", "nodes"}),
		builtinTopology("dragonfly", "groups of routers that are all joined, and every "+
			"two groups joined: machine.group_routers, global_links, concentration, groups",
			"Kim et al. 2008", []string{"auto", "minimal", "minimal-ascending", "valiant", "ugal-l",
				"ugal-g", "par"},
			[]string{"group_routers", "global_links", "concentration", "groups", "arrangement"}),
		builtinTopology("hyperx", "a grid in which all routers of a row are joined, in every "+
			"dimension; of width 1 a flattened butterfly", "Ahn et al. 2009",
			[]string{"auto", "dimension-order", "minimal-adaptive", "valiant", "ugal", "dal"},
			[]string{"dims", "width", "concentration"}),
		builtinTopology("graph", "any connected graph, from machine.file or machine.graph", "",
			[]string{"auto", "up-down", "lash", "shortest"}, []string{"graph"}),
	}
}

// builtinTopologyNames returns the names of the built-in topologies.
var builtinTopologyNames = sync.OnceValue(func() (list []string) {
	for _, t := range builtinTopologies() {
		list = append(list, t.Name)
	}
	return list
})

func builtinTopology(name, doc, source string, routings, keys []string) Topology {
	parameters := keyParameters("machine.", keys)
	made := func(v Values) (topology.Topology, error) {
		s := v.settings("machine.")
		s.Spec.Machine.Topology = name
		return NewMachine(&s.Spec.Machine)
	}
	return Topology{name, doc, source, parameters, routings, made, true}
}

// builtinRoutings have no constructors: package netsim makes them by name.
func builtinRoutings() []Routing {
	list := []Routing{{Name: "auto",
		Doc: "dimension-order, dateline where a dimension wraps, d-mod-k on " +
			"trees, minimal on a dragonfly, up-down on a graph", builtin: true}}
	for _, m := range routes.Builtin() {
		known := slices.ContainsFunc(list, func(x Routing) bool { return x.Name == m.Name })
		if !known {
			list = append(list, Routing{Name: m.Name, Doc: m.Doc, Source: m.Source, builtin: true})
		}
	}
	return list
}

func builtinPolicies() []Policy {
	policy := func(name, doc, source string, keys ...string) Policy {
		return Policy{name, doc, source, keyParameters("scheduler.", keys), name == "fcfs",
			func(v Values, a allocation.Allocator) (scheduler.Policy, error) {
				s := v.settings("scheduler.")
				s.Spec.Scheduler.Policy = name
				return s.Spec.NewPolicy(a)
			}, true}
	}
	return []Policy{
		policy("fcfs", "first come, first served: a job that does not fit holds up all behind it",
			"lo1994 App. A"),
		policy("easy", "aggressive backfilling: jobs go ahead where that does not delay the first"+
			" of the queue, by what users estimate", "Mu'alem and Feitelson 2001",
			"kill_at_reservation", "backfill", "reservation"),
		policy("conservative", "conservative backfilling: jobs go ahead where that delays none of"+
			" those before them", "Mu'alem and Feitelson 2001"),
		policy("sjf", "shortest estimate first: while that job does not fit, all wait",
			"pascual2009 sec. 3"),
		policy("cplant", "fewest processors first, of equals the shortest estimate, looked at every"+
			" scheduler.poll_seconds: while that job does not fit, all wait", "leung2002 sec. 3",
			"poll_seconds"),
	}
}

func builtinAllocator(a allocation.Info) Allocator {
	return Allocator{
		Name: a.Name, Doc: a.Doc, builtin: true, Draws: byname.Draws(a.Name),
		Parameters:   keyParameters("allocator.", byname.Parameters(a.Name)),
		CountDecides: byname.Config{Name: a.Name}.CountDecides(),
		New: func(v Values, site allocation.Site) (allocation.Allocator, error) {
			s := v.settings("allocator.")
			s.Spec.Allocator.Name = a.Name
			return byname.NewAt(s.Spec.Allocator.Config(), site)
		},
	}
}

// builtinPattern has no constructor for a pattern that is a program with more than
// phases. Package patterns makes those by name.
func builtinPattern(i patterns.Info) Pattern {
	fields := []string{"order", "flits", "repeat", "grid", "cycle", "bits", "bodies", "levels",
		"class", "bytes", "scale"}
	fields = slices.DeleteFunc(fields, func(f string) bool { return !patterns.Uses(i.Name, f) })
	p := Pattern{Name: i.Name, Doc: i.Doc, Parameters: keyParameters("job.", fields), builtin: true,
		Draws: patterns.Draws(i.Name), OwnLengths: !patterns.OneLength(i.Name)}
	if patterns.OwnSizes(i.Name) {
		return p
	}
	p.New = func(v Values, j PatternJob) (patterns.Pattern, error) {
		s := v.settings("job.")
		k := &s.Spec.Job
		c := patterns.Config{Name: i.Name, Order: k.Order, Flits: int(j.Flits), Repeat: k.Repeat,
			Grid: k.Grid, Cycle: k.Cycle, Bits: k.Bits, Bodies: k.Bodies, Levels: k.Levels}
		return patterns.NewPattern(c, j.Processes, j.Shape, j.Stream)
	}
	return p
}

// keyParameters describes keys of one section as parameters.
func keyParameters(section string, keys []string) []Parameter {
	var list []Parameter
	for _, name := range keys {
		k, ok := FindKey(section + name)
		if !ok {
			panic("spec: there is no key " + section + name)
		}
		list = append(list, Parameter{Name: name, Type: k.Type, Default: strings.Trim(k.Default, `"`),
			Min: k.Min, Max: k.Max, Above: k.Above, Below: k.Below, Choices: k.Choices,
			Unit: k.Unit, Doc: k.Doc, Source: k.Source})
	}
	return list
}

// settings has the keys of a section that the values stand for.
func (v Values) settings(section string) Settings {
	s := Defaults()
	for i, p := range v.parameters {
		if err := s.Assign(section+p.Name, asTOML(v.list[i]), nil); err != nil {
			panic("spec: " + err.Error())
		}
	}
	return s
}

// asTOML returns a value as the TOML library gives it.
func asTOML(value any) any {
	list := []any{}
	switch value := value.(type) {
	case []int:
		for _, n := range value {
			list = append(list, int64(n))
		}
	case []bool:
		for _, b := range value {
			list = append(list, b)
		}
	case []string:
		for _, text := range value {
			list = append(list, text)
		}
	default:
		return value
	}
	return list
}

// nodeOrders are the orders of nodes, which no registry has: allocators know
// them by name.
func nodeOrders() []Name {
	var list []Name
	for i, o := range order.NodeOrders() {
		if i >= len(order.Orders()) {
			o.Doc += "; of processors, not of the pages of paging"
		}
		list = append(list, Name{Name: o.Name, Doc: o.Doc})
	}
	return list
}
