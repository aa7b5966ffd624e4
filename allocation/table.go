package allocation

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"sync"

	"contend/netsim/topology"
)

// entry is an allocator in the table of allocators.
type entry struct {
	Info
	// parameters are in the order of the short form.
	parameters []parameter
	// made constructs the allocator.
	made func(c Config, s Site) (Allocator, error)
}

// table lists the allocators. It is made once, as checks ask for it at every point.
var table = sync.OnceValue(makeTable)

func makeTable() []entry {
	tie := []parameter{scanRadius(), available(), wall(), border(), lastShell(), corners()}
	return []entry{
		{Info{"random", "processors drawn uniformly from the free ones (Lo et al. 1994, sec. 3.1)"}, nil,
			func(_ Config, s Site) (Allocator, error) { return newRandom(s.Machine, s.Stream), nil }},
		{Info{"paging", "the first free square pages of side 2^page in an order: paging:2, " +
			"paging:2,snake (Lo et al. 1994, sec. 3.2)"},
			[]parameter{page(), order()},
			with(func(c Config, m topology.Topology) (*paging, error) {
				return newPaging(m, c.Page, c.Order)
			})},
		{Info{"buddy2d", "the smallest free block of side 2^i that holds the job, on a square 2^n " +
			"machine (Li and Cheng 1991)"}, nil,
			plain(newBuddy2D)},
		{Info{"mbs", "multiple buddy strategy: blocks of side 2^i by the base-4 digits of the size " +
			"(Lo et al. 1994, sec. 3.3)"}, nil,
			plain(newMBS)},
		{Info{"first-fit", "the first free submesh of the job's shape; a job with only a size gets " +
			"the most nearly square shape that fits the machine; first-fit:rotate turns the shape (Zhu " +
			"1992)"},
			[]parameter{rotate()}, ofSubmesh},
		{Info{"best-fit", "the free submesh, of a shape as for first-fit, with the most sides that " +
			"touch a busy processor or the border; best-fit:rotate turns the shape, best-fit:boundary " +
			"counts places along the sides (Zhu 1992)"},
			[]parameter{rotate(), score()}, ofSubmesh},
		{Info{"frame-sliding", "the first free submesh, of a shape as for first-fit, at strides of " +
			"its sides; frame-sliding:rotate turns the shape, frame-sliding:free starts at any free " +
			"processor (Chuang and Tzeng 1991)"},
			[]parameter{rotate(), start()}, ofSubmesh},
		{Info{"mc", "the free processors with the least sum of shell numbers, in shells around a " +
			"submesh of the job's shape at one of them; mc:greedy and mc:node-order choose otherwise in " +
			"the last shell (Mache, Lo and Windisch 1997)"},
			[]parameter{lastShell()},
			with(func(c Config, m topology.Topology) (*center, error) {
				return newCenter(c.Name, m, c.LastShell)
			})},
		{Info{"mc1x1", "as mc, in shells around a single processor, whatever the job's shape (Bender " +
			"et al. 2005, sec. 1)"},
			[]parameter{lastShell()},
			with(func(c Config, m topology.Topology) (*center, error) {
				return newCenter(c.Name, m, c.LastShell)
			})},
		{Info{"mc1x1-tie", "as mc1x1; among equal sums the set that leaves the machine in the best " +
			"state by scan radius, available, wall and border factor: mc1x1-tie:2,13,20,6 (Johnson, " +
			"Bunde and Leung 2010, sec. II)"},
			tie, with(func(c Config, m topology.Topology) (*center, error) {
				return newTieBreaking(m, c.LastShell,
					tieFactors{c.ScanRadius, c.Available, c.Wall, c.Border, c.Corners == CornersTwice})
			})},
		{Info{"gen-alg", "the processors nearest to a free one, in L1 or, on machines without " +
			"coordinates, in hops, with the least sum of pairwise distances; gen-alg:node-order and " +
			"gen-alg:greedy choose otherwise among equally near ones (Krumke et al. 1997)"},
			[]parameter{medianShell()}, ofMedian},
		{Info{"mm", "the processors nearest to a crossing of coordinates of free ones or, on machines " +
			"without coordinates, to any router with nodes, with the least sum of pairwise distances; " +
			"mm:node-order and mm:greedy choose otherwise among equally near ones (Bender et al. 2005, " +
			"sec. 2.1)"},
			[]parameter{medianShell()}, ofMedian},
		{Info{"mm-inc", "as mm, followed by exchanges of one processor as long as they reduce the sum " +
			"(Bender et al. 2005, sec. 5)"},
			[]parameter{medianShell()}, ofMedianSwap},
		{Info{"optimal", "the processors with the least sum of pairwise distances on any machine, by " +
			"branch and bound; optimal:1000 stops after 1000 nodes of the search (Bender et al. 2005, " +
			"sec. 6)"},
			[]parameter{limit()}, ofOptimal},
		{Info{"ptas", "approximation scheme with m strips each way, ptas:5, for meshes of a few " +
			"processors (Bender et al. 2005, sec. 3)"},
			[]parameter{strips()},
			with(func(c Config, m topology.Topology) (*ptas, error) {
				return newPTAS(m, cmp.Or(c.Strips, DefaultStrips))
			})},
		packerEntry(0), packerEntry(1), packerEntry(2), packerEntry(3),
		{Info{"sequential", "the first free processors in node order, on any machine (Pascual et al. " +
			"2009, sec. 3)"}, nil,
			func(_ Config, s Site) (Allocator, error) { return newSequential(s.Machine), nil }},
		{Info{"contiguous", "tree, fat-tree: the first subtree of the job's level with enough free " +
			"processors (Pascual et al. 2009, sec. 3)"}, nil,
			plain(newContiguous)},
		{Info{"quasi-contiguous", "tree, fat-tree: as contiguous, else up to that percentage of the " +
			"job one level up: quasi-contiguous:20 (Pascual et al. 2009, sec. 3)"},
			[]parameter{percent()},
			with(func(c Config, m topology.Topology) (*quasiContiguous, error) {
				return newQuasiContiguous(m, c.Percent)
			})},
		{Info{"isolated", "tree, fat-tree: nodes whose links between routers no other job uses under " +
			"d-mod-k and s-mod-k: the same positions in several subtrees, with tapers together with all " +
			"that share links with them (after Smith and Lowenthal 2021)"}, nil,
			plain(newIsolated)},
		{Info{"by-router", "as few routers as possible, whole ones first, on any machine (compact " +
			"placement, Kaplan et al. 2017)"}, nil, plain(newByRouter)},
		{Info{"by-group", "machine of groups, such as a dragonfly: as few groups as possible, and in " +
			"each as few routers (compact placement, Kaplan et al. 2017)"}, nil, plain(newByGroup)},
		{Info{"level-spread", "machine of groups: the emptiest router that holds the job, else spread " +
			"over the routers of the emptiest group that does, else over all groups (Zhang et al. 2018)"},
			nil, plain(newLevelSpread)},
		{Info{"random-routers", "all free processors of routers drawn uniformly, on any machine (Yang " +
			"et al. 2016)"}, nil, drawn(newRandomRouters)},
		{Info{"random-groups", "machine of groups: all free processors of groups drawn uniformly (Yang " +
			"et al. 2016)"}, nil, drawn(newRandomGroups)},
		{Info{"rows", "HyperX: as few rows of the first dimension as possible, and in each as few " +
			"routers (after Cano et al. 2026)"}, nil, plain(newHyperRows)},
		{Info{"diagonal", "HyperX: as few diagonals as possible, whose routers have no coordinate in " +
			"common, and in each as few routers (after Cano et al. 2026)"}, nil, plain(newDiagonal)},
		{Info{"subcube", "HyperX: the first free box of whole routers, as cubic as possible (after " +
			"Cano et al. 2026)"}, nil, plain(newSubcube)},
	}
}

// packerEntry returns the entry of one of Packers.
func packerEntry(i int) entry {
	info := Packers()[i]
	info.Doc += ": hilbert/" + info.Name + ", " + info.Name + ":linear"
	return entry{info, []parameter{nodeOrder(), span()}, func(c Config, s Site) (Allocator, error) {
		if s.Order == nil {
			s.Order = NewOrder
		}
		order, err := s.Order(cmp.Or(c.Order, RowMajor), s.Machine)
		if err != nil {
			return nil, fmt.Errorf("allocator %s: %w", c.Name, err)
		}
		return made(newPacker(c.Name, order, Span(c.Span)))
	}}
}

// with adapts a constructor without a stream, plain one without parameters too, and drawn one
// that draws.
func with[A Allocator](f func(Config, topology.Topology) (A, error)) func(Config,
	Site) (Allocator, error) {
	return func(c Config, s Site) (Allocator, error) { return made(f(c, s.Machine)) }
}

func plain[A Allocator](f func(topology.Topology) (A, error)) func(Config,
	Site) (Allocator, error) {
	return func(_ Config, s Site) (Allocator, error) { return made(f(s.Machine)) }
}

func drawn[A Allocator](f func(topology.Topology, *rand.Rand) (A, error)) func(Config,
	Site) (Allocator, error) {
	return func(_ Config, s Site) (Allocator, error) { return made(f(s.Machine, s.Stream)) }
}

// made prevents a nil pointer from becoming an Allocator that is not nil.
func made[A Allocator](a A, err error) (Allocator, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}
