package spec

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"contend/allocation"
	"contend/experiments/spec/input"
	"contend/experiments/spec/machine"
	"contend/netsim/topology"
	"contend/patterns"
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
	for _, a := range allocation.Names() {
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
		"o1turn", "booksim-min-adapt")
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
		s := specWith(v)
		s.Machine.Topology = name
		return machine.New(&s.Machine)
	}
	return Topology{name, doc, source, parameters, routings, made}
}

// builtinRoutings have no constructors: package netsim makes them by name.
func builtinRoutings() []Routing {
	list := [][3]string{
		{"auto", "dimension-order, dateline where a dimension wraps, d-mod-k on trees, minimal on a" +
			" dragonfly, up-down on a graph", ""},
		{"dimension-order", "x first, then y, and so on; on a hyperx one hop in each",
			"Dally and Seitz 1987"},
		{"dateline", "dimension order with a second virtual channel behind the wrap-around link",
			"Dally and Seitz 1987"},
		{"balanced-dateline", "dateline, but of two ways round that are as long one is drawn for each" +
			" packet, and a packet keeps its half of the virtual channels until it turns; fitted to" +
			" BookSim 2 in the study booksim",
			"Jiang et al. 2013"},
		{"west-first", "mesh: shortest paths; a packet goes down in all dimensions but the last" +
			" before it goes elsewhere, and of several links takes that with most credits",
			"Glass and Ni 1992"},
		{"north-last", "mesh: shortest paths; a packet goes up in all dimensions but the first" +
			" last, and of several links takes that with most credits", "Glass and Ni 1992"},
		{"negative-first", "mesh: shortest paths; a packet goes down in all dimensions before it" +
			" goes up, and of several links takes that with most credits", "Glass and Ni 1992"},
		{"odd-even", "mesh of two dimensions: shortest paths that turn where the parity of the" +
			" column allows it; of several links that with most credits", "Chiu 2000"},
		{"o1turn", "mesh of two dimensions: x first or y first, drawn for each packet; 2 virtual" +
			" channels", "Seo et al. 2005"},
		{"valiant", "dimension order to a router drawn for each packet, then to its destination; 2" +
			" virtual channels, 4 where a dimension wraps. On a dragonfly minimal to a drawn group," +
			" then to the destination; 3 virtual channels", "Valiant and Brebner 1981"},
		{"romm", "valiant by a router drawn from those on shortest paths", "Nesson and Johnsson 1995"},
		{"minimal-adaptive", "any shortest path, by the link with most credits, and dimension order" +
			" to escape to; 2 virtual channels, 3 where a dimension wraps; on a hyperx too",
			"Duato 1993"},
		{"min-adapt", "minimal-adaptive; a packet that escapes stays on the escape channels, as the" +
			" source of BookSim 2 has it", "Jiang et al. 2013"},
		{"booksim-min-adapt", "mesh: what min_adapt of BookSim 2 comes to with speculative piggyback" +
			" allocation: dimension order on all virtual channels but the first of a link, which stays" +
			" idle, see the study booksim; 2 virtual channels", "Jiang et al. 2013"},
		{"d-mod-k", "tree, fat-tree: up by the digits of the destination, then down", "Zahavi 2010"},
		{"s-mod-k", "tree, fat-tree: up by the digits of the source, then down", ""},
		{"random", "tree, fat-tree: up by ports drawn for each packet and router, then down", ""},
		{"adaptive", "tree, fat-tree: up by any port that is free, that of d-mod-k first, then down", ""},
		{"adaptive-credits", "tree, fat-tree: up by the port with most credits of those that are free," +
			" then down", ""},
		{"minimal", "dragonfly: over one global link at most, with other virtual channels in the last" +
			" group", "Kim et al. 2008"},
		{"minimal-ascending", "dragonfly: minimal, with other virtual channels from the global link" +
			" on, as in BookSim 2", "Jiang et al. 2013"},
		{"ugal", "hyperx: valiant, or straight to the destination where hops times queue are no more" +
			" by what the first router sees; 2 virtual channels", "Singh 2005"},
		{"dal", "hyperx: dimensions in any order, in each straight on or once over another coordinate" +
			" where hops times queue are less by what each router sees, and dimension order to escape" +
			" to; 2 virtual channels", "Ahn et al. 2009"},
		{"ugal-l", "dragonfly: valiant, or minimal where hops times queue are no more by what the" +
			" first router sees; 3 virtual channels", "Kim et al. 2008"},
		{"ugal-g", "dragonfly: ugal-l by the queues of the global links, wherever they begin, which" +
			" no router could see: an ideal", "Kim et al. 2008"},
		{"par", "dragonfly: ugal-l that decides again where the global link begins; 4 virtual" +
			" channels", "Jiang et al. 2009"},
		{"lash", "graph: shortest paths, of several one by a hash, spread over layers of virtual" +
			" channels, as few as a greedy search finds", "Skeie et al. 2002"},
		{"shortest", "graph: shortest paths, of several links one drawn for each packet and router; a" +
			" virtual channel for each hop of the longest", "Günther 1981"},
		{"up-down", "graph: towards a root, then away from it, the shortest such way",
			"Schroeder et al. 1991"},
	}
	var routings []Routing
	for _, r := range list {
		routings = append(routings, Routing{Name: r[0], Doc: r[1], Source: r[2]})
	}
	return routings
}

func builtinPolicies() []Policy {
	return []Policy{
		{Name: "fcfs", Source: "lo1994 App. A", IgnoresEstimates: true,
			New: func(Values, allocation.Allocator) (scheduler.Policy, error) {
				return scheduler.FCFS{}, nil
			},
			Doc: "first come, first served: a job that does not fit holds up all behind it"},
		{Name: "easy", Source: "Mu'alem and Feitelson 2001",
			Doc: "aggressive backfilling: jobs go ahead where that does not delay the first" +
				" of the queue, by what users estimate",
			Parameters: keyParameters("scheduler.", []string{"kill_at_reservation", "backfill",
				"reservation"}),
			New: func(v Values, _ allocation.Allocator) (scheduler.Policy, error) {
				return &scheduler.EASY{KillAtReservation: v.Bool("kill_at_reservation"),
					CountReservations: v.Word("reservation") == "count",
					NoExtraNodes:      v.Word("backfill") == "ending"}, nil
			}},
		{Name: "conservative", Source: "Mu'alem and Feitelson 2001", New: newConservative,
			Doc: "conservative backfilling: jobs go ahead where that delays none of" +
				" those before them"},
		{Name: "sjf", Source: "pascual2009 sec. 3",
			Doc: "shortest estimate first: while that job does not fit, all wait",
			New: func(Values, allocation.Allocator) (scheduler.Policy, error) {
				return &scheduler.SJF{}, nil
			}},
		{Name: "cplant", Source: "leung2002 sec. 3",
			Doc: "fewest processors first, of equals the shortest estimate, looked at every" +
				" scheduler.poll_seconds: while that job does not fit, all wait",
			Parameters: keyParameters("scheduler.", []string{"poll_seconds"}),
			New: func(v Values, _ allocation.Allocator) (scheduler.Policy, error) {
				return &scheduler.Cplant{PollSeconds: v.Float("poll_seconds")}, nil
			}},
	}
}

func newConservative(_ Values, a allocation.Allocator) (scheduler.Policy, error) {
	if !allocation.CountDecides(a) {
		return nil, input.Bad("scheduler.policy",
			"use easy, or an allocator such as mbs, random or paging:0",
			"scheduler.policy is conservative, which plans with numbers of nodes,"+
				" and the allocator may refuse a job although enough nodes are free")
	}
	return &scheduler.Conservative{}, nil
}

func builtinAllocator(a allocation.Info) Allocator {
	return Allocator{
		Name: a.Name, Doc: a.Doc, Draws: allocation.Draws(a.Name),
		Parameters:   keyParameters("allocator.", allocation.Parameters(a.Name)),
		CountDecides: allocation.Config{Name: a.Name}.CountDecides(),
		New: func(v Values, site allocation.Site) (allocation.Allocator, error) {
			s := specWith(v)
			s.Allocator.Name = a.Name
			return allocation.NewAt(s.Allocator.Config(), site)
		},
	}
}

// builtinPattern has no constructor for a pattern that is a program with more than
// phases. Package patterns makes those by name.
func builtinPattern(i patterns.Info) Pattern {
	fields := []string{"order", "flits", "repeat", "grid", "cycle", "bits", "bodies",
		"class", "bytes", "scale"}
	fields = slices.DeleteFunc(fields, func(f string) bool { return !patterns.Uses(i.Name, f) })
	p := Pattern{Name: i.Name, Doc: i.Doc, Parameters: keyParameters("job.", fields),
		Draws: patterns.Draws(i.Name), OwnLengths: !patterns.OneLength(i.Name)}
	if patterns.OwnSizes(i.Name) {
		return p
	}
	p.New = func(v Values, j PatternJob) (patterns.Pattern, error) {
		k := &specWith(v).Job
		c := patterns.Config{Name: i.Name, Order: k.Order, Flits: int(j.Flits), Repeat: k.Repeat,
			Grid: k.Grid, Cycle: k.Cycle, Bits: k.Bits, Bodies: k.Bodies}
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
		list = append(list, Parameter{Name: name, key: &k, Type: k.Type,
			Default: strings.Trim(k.Default, `"`), Min: k.Min, Max: k.Max, Above: k.Above,
			Below: k.Below, Choices: k.Choices,
			Unit: k.Unit, Doc: k.Doc, Source: k.Source})
	}
	return list
}

// specWith is a spec that has values whose parameters are keys.
func specWith(v Values) *Spec {
	s := DefaultSpec()
	for i, p := range v.parameters {
		p.key.value(&s).Set(reflect.ValueOf(v.list[i]).Convert(p.key.value(&s).Type()))
	}
	return &s
}

// nodeOrders are the orders of nodes, which no registry has: allocators know
// them by name.
func nodeOrders() []Name {
	var list []Name
	for i, o := range allocation.NodeOrders() {
		if i >= len(allocation.Orders()) {
			o.Doc += "; of processors, not of the pages of paging"
		}
		list = append(list, Name{Name: o.Name, Doc: o.Doc})
	}
	return list
}
