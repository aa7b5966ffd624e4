package tree

import (
	"contend/allocation"
	"contend/internal/call"
)

// Allocators lists the entries of allocators by routers, groups and subtrees, in node order and at
// random.
func Allocators() []allocation.Entry {
	return []allocation.Entry{
		{Name: "random", Draws: true, CountDecides: true,
			Doc: "processors drawn uniformly from the free ones (Lo et al. 1994, sec. 3.1)",
			New: func(_ call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewRandom(s.Machine, s.Stream), nil
			}},
		{Name: "sequential", CountDecides: true,
			Doc: "the first free processors in node order, on any machine (Pascual et al. " +
				"2009, sec. 3)",
			New: func(_ call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewSequential(s.Machine), nil
			}},
		{Name: "contiguous", Contiguous: true, New: allocation.On(NewContiguous),
			Doc: "tree, fat-tree: the first subtree of the job's level with enough free " +
				"processors (Pascual et al. 2009, sec. 3)"},
		{Name: "quasi-contiguous", Display: "Quasi-contiguous", Contiguous: true,
			Doc: "tree, fat-tree: as contiguous, else up to that percentage of the " +
				"job one level up: quasi-contiguous:20 (Pascual et al. 2009, sec. 3)",
			Parameters: []call.Parameter{{Name: "qct", Type: call.Integer, Default: "0", Min: "0",
				Max: "100", Bare: true, Unit: "%", Source: "pascual2009 Eq. 1",
				Doc: "share of a job's processes that may use one level of the tree more"}},
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewQuasiContiguous("quasi-contiguous", s.Machine, v.Int("qct"))
			}},
		{Name: "isolated", New: allocation.On(NewIsolated),
			Doc: "tree, fat-tree: nodes whose links between routers no other job uses under " +
				"d-mod-k and s-mod-k: the same positions in several subtrees, with tapers together with " +
				"all that share links with them (after Smith and Lowenthal 2021)"},
		{Name: "by-router", Display: "Fewest routers", CountDecides: true,
			New: allocation.On(NewByRouter),
			Doc: "as few routers as possible, whole ones first, on any machine (compact " +
				"placement, Kaplan et al. 2017)"},
		{Name: "by-group", Display: "Fewest groups", CountDecides: true, New: allocation.On(NewByGroup),
			Doc: "machine of groups, such as a dragonfly, or tree, whose groups are the subtrees " +
				"below its top level: as few groups as possible, and in each as few routers (compact " +
				"placement, Kaplan et al. 2017)"},
		{Name: "level-spread", Display: "Level-spread", CountDecides: true,
			New: allocation.On(NewLevelSpread),
			Doc: "machine of groups or tree: the emptiest router that holds the job, else spread " +
				"over the routers of the emptiest group that does, else over all groups (Zhang et al. " +
				"2018)"},
		{Name: "random-routers", Draws: true, CountDecides: true,
			New: allocation.Drawing(NewRandomRouters),
			Doc: "all free processors of routers drawn uniformly, on any machine (Yang " +
				"et al. 2016)"},
		{Name: "random-groups", Draws: true, CountDecides: true,
			New: allocation.Drawing(NewRandomGroups),
			Doc: "machine of groups or tree: all free processors of groups drawn uniformly (Yang " +
				"et al. 2016)"},
		{Name: "rows", CountDecides: true, New: allocation.On(NewHyperRows),
			Doc: "HyperX: as few rows of the first dimension as possible, and in each as few " +
				"routers (after Cano et al. 2026)"},
		{Name: "diagonal", CountDecides: true, New: allocation.On(NewDiagonal),
			Doc: "HyperX: as few diagonals as possible, whose routers have no coordinate in " +
				"common, and in each as few routers (after Cano et al. 2026)"},
	}
}
