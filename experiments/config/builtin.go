package config

import (
	"slices"

	"contend/allocation"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/allocation/manager"
	"contend/allocation/order"
	"contend/allocation/submesh"
	"contend/allocation/tree"
	"contend/experiments/service/external"
	"contend/internal/call"
	"contend/internal/input"
	"contend/patterns"
	"contend/router/routes"
	"contend/router/topology"
	"contend/scheduler"
)

// Builtin returns a registry of everything that is built in except the metrics, which
// belong to the package that measures them.
func Builtin() *Registry {
	r := &Registry{Topologies: builtinTopologies(), Routings: builtinRoutings(),
		Policies: builtinPolicies()}
	defer r.addExternal()
	r.Allocators = slices.Concat(submesh.Allocators(), center.Allocators(), exact.Allocators(),
		order.Allocators(), tree.Allocators(), manager.Allocators())
	for _, p := range patterns.Names() {
		r.Patterns = append(r.Patterns, builtinPattern(p))
	}
	r.Patterns = append(r.Patterns, goalPattern, trainingPattern, chakraPattern)
	return r
}

// builtinTopologies lists the topologies whose parameters are the keys of [machine].
func builtinTopologies() []Topology {
	return []Topology{
		builtinTopology("mesh", "", "neighbours along each dimension are joined", ""),
		builtinTopology("torus", "", "a mesh whose ends are joined in every dimension", ""),
		builtinTopology("hypercube", "", "a mesh of twos; machine.dims is its number of dimensions", ""),
		builtinTopology("tree", "", "a k-ary n-tree: machine.arity, levels, nodes, up_ports",
			"Petrini and Vanneschi 1997"),
		builtinTopology("fat-tree", "",
			"a fat tree with levels of its own sizes, tapers, bundles of links "+
				"and rails: machine.children, parents, bundle, rails, nodes", "Zahavi 2010"),
		builtinTopology("dragonfly", "", "groups of routers that are all joined, and every "+
			"two groups joined: machine.group_routers, global_links, concentration, groups",
			"Kim et al. 2008"),
		builtinTopology("hyperx", "HyperX", "a grid in which all routers of a row are joined, in every "+
			"dimension; of width 1 a flattened butterfly", "Ahn et al. 2009"),
		builtinTopology("graph", "", "any connected graph, from machine.file or machine.graph", ""),
	}
}

// builtinTopology returns the entry of a topology that is built from the keys of [machine].
func builtinTopology(name, display, doc, source string) Topology {
	return Topology{Name: name, Display: display, Doc: doc, Source: source,
		Routings: []string{"auto"}, Sound: true,
		sizeFromKeys: (*MachineSpec).Size,
		newFromKeys:  func(m *MachineSpec) (topology.Topology, error) { return NewMachine(m) }}
}

// builtinRoutings lists the routings of package routes under their names.
func builtinRoutings() []Routing {
	list := []Routing{{Name: "auto",
		Doc: "dimension-order, balanced-dateline where a dimension wraps, d-mod-k on " +
			"trees, minimal on a dragonfly, up-down on a graph"}}
	for _, m := range routes.Builtin() {
		i := slices.IndexFunc(list, func(x Routing) bool { return x.Name == m.Name })
		if i < 0 {
			i = len(list)
			list = append(list, Routing{Name: m.Name, Display: m.Display, Doc: m.Doc, Source: m.Source})
		}
		list[i].Makers = append(list[i].Makers, m)
	}
	return list
}

// builtinPolicies lists the policies of package scheduler under their names.
func builtinPolicies() []Policy {
	return []Policy{
		{Name: "fcfs", Display: "FCFS", Source: "lo1994 App. A", IgnoresEstimates: true,
			New: func(call.Values, PolicyRun) (scheduler.Policy, error) {
				return scheduler.FCFS{}, nil
			},
			Doc: "first come, first served: a job that does not fit holds up all behind it"},
		{Name: "easy", Display: "EASY", Source: "Mu'alem and Feitelson 2001",
			Doc: "aggressive backfilling: jobs go ahead where that does not delay the first" +
				" of the queue, by what users estimate",
			newFromKeys: func(p *SchedulerSpec) scheduler.Policy {
				return &scheduler.EASY{KillAtReservation: p.KillAtReservation,
					CountReservations: p.Reservation == "count",
					NoExtraNodes:      p.Backfill == "ending"}
			}},
		{Name: "conservative", Source: "Mu'alem and Feitelson 2001", New: newConservative,
			Doc: "conservative backfilling: jobs go ahead where that delays none of" +
				" those before them"},
		{Name: "sjf", Display: "SJF", Source: "pascual2009 sec. 3",
			Doc: "shortest estimate first: while that job does not fit, all wait",
			New: func(call.Values, PolicyRun) (scheduler.Policy, error) {
				return &scheduler.SJF{}, nil
			}},
		{Name: "cplant", Source: "leung2002 sec. 3",
			Doc: "fewest processors first, of equals the shortest estimate, considered every" +
				" scheduler.poll_seconds: while that job does not fit, all wait",
			newFromKeys: func(p *SchedulerSpec) scheduler.Policy {
				return &scheduler.Cplant{PollSeconds: p.PollSeconds}
			}},
	}
}

// newConservative returns conservative backfilling, and refuses allocators that count does not
// decide.
func newConservative(_ call.Values, r PolicyRun) (scheduler.Policy, error) {
	if !allocation.CountDecides(r.Allocator) {
		return nil, input.Bad("scheduler.policy",
			"use easy, or an allocator such as mbs, random or paging:0",
			"scheduler.policy is conservative, which plans with numbers of nodes,"+
				" and the allocator may refuse a job although enough nodes are free")
	}
	return &scheduler.Conservative{}, nil
}

// builtinPattern has no New: package patterns makes it by name.
func builtinPattern(i patterns.Info) Pattern {
	return Pattern{Name: i.Name, Display: i.Display, Doc: i.Doc, Source: i.Source,
		Parameters: i.Parameters, Draws: patterns.Draws(i.Name),
		OwnLengths: !patterns.OneLength(i.Name)}
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

// addExternal adds allocators, policies and patterns that are programs of their own.
func (r *Registry) addExternal() {
	r.Patterns = append(r.Patterns, programPattern)
	r.Allocators = append(r.Allocators, Allocator{Name: Program,
		Parameters: []call.Parameter{command(external.Canonical, "exec:python3 first_fit.py")},
		Doc:        "a program that answers lines of JSON chooses the nodes",
		New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
			return external.NewAllocator(v.Word("command"), s)
		}})
	r.Policies = append(r.Policies, Policy{Name: Program,
		Parameters: []call.Parameter{command(external.Canonical, "exec:python3 first_fit.py")},
		Doc:        "a program that answers lines of JSON chooses the jobs to start",
		New: func(v call.Values, run PolicyRun) (scheduler.Policy, error) {
			return external.NewPolicy(v.Word("command"), run.Site)
		}})
}
