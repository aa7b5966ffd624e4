package byname

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"sync"

	"contend/allocation"
	"contend/allocation/center"
	"contend/allocation/exact"
	"contend/allocation/manager"
	"contend/allocation/order"
	"contend/allocation/submesh"
	"contend/allocation/tree"
	"contend/router/topology"
)

// entry is an allocator in the table of allocators.
type entry struct {
	allocation.Info
	// parameters are in the order of the short form.
	parameters []parameter
	// made constructs the allocator. What it returns with an error has no meaning.
	made func(c Config, s allocation.Site) (allocation.Allocator, error)
}

// table lists the allocators. It is made once, as checks ask for it at every point.
var table = sync.OnceValue(makeTable)

func makeTable() []entry {
	return []entry{
		{allocation.Info{Name: "random",
			Doc: "processors drawn uniformly from the free ones (Lo et al. 1994, sec. 3.1)"}, nil,
			func(_ Config, s allocation.Site) (allocation.Allocator, error) {
				return tree.NewRandom(s.Machine, s.Stream), nil
			}},
		{allocation.Info{Name: "paging",
			Doc: "the first free square pages of side 2^page in an order: paging:2, " +
				"paging:2,snake (Lo et al. 1994, sec. 3.2)"},
			[]parameter{page(), pageOrder()},
			func(c Config, s allocation.Site) (allocation.Allocator, error) {
				return submesh.NewPaging(s.Machine, c.Page, c.Order)
			}},
		{allocation.Info{Name: "buddy2d",
			Doc: "the smallest free block of side 2^i that holds the job, on a square 2^n " +
				"machine (Li and Cheng 1991)"}, nil,
			plain(submesh.NewBuddy2D)},
		{allocation.Info{Name: "mbs",
			Doc: "multiple buddy strategy: blocks of side 2^i by the base-4 digits of the size " +
				"(Lo et al. 1994, sec. 3.3)"}, nil,
			plain(submesh.NewMBS)},
		{allocation.Info{Name: "gabl",
			Doc: "greedy available busy list: a free submesh of the job's shape, else the largest one " +
				"inside it, and so on with sides of the part before (Bani-Mohammad, Ould-Khaoua and Ababneh " +
				"2007)"}, nil,
			plain(submesh.NewGABL)},
		{allocation.Info{Name: "anca",
			Doc: "adaptive non-contiguous allocation: a free submesh of the job's shape, else one for " +
				"each of two halves of it, of four quarters, and so on (Chang and Mohapatra 1998)"}, nil,
			plain(submesh.NewANCA)},
		{allocation.Info{Name: "first-fit",
			Doc: "the first free submesh of the job's shape; a job with only a size gets " +
				"the most nearly square shape that fits the machine; first-fit:rotate turns the shape (Zhu " +
				"1992)"},
			[]parameter{rotate()}, ofSubmesh},
		{allocation.Info{Name: "best-fit",
			Doc: "the free submesh, of a shape as for first-fit, with the most sides that " +
				"touch a busy processor or the border; best-fit:rotate turns the shape, best-fit:boundary " +
				"counts places along the sides (Zhu 1992)"},
			[]parameter{rotate(), score()}, ofSubmesh},
		{allocation.Info{Name: "frame-sliding",
			Doc: "the first free submesh, of a shape as for first-fit, at strides of " +
				"its sides; frame-sliding:rotate turns the shape, frame-sliding:free starts at any free " +
				"processor (Chuang and Tzeng 1991)"},
			[]parameter{rotate(), start()}, ofSubmesh},
		{allocation.Info{Name: "mc",
			Doc: "the free processors with the least sum of shell numbers, in shells around a " +
				"submesh of the job's shape at one of them; mc:greedy and mc:node-order choose otherwise in " +
				"the last shell (Mache, Lo and Windisch 1997)"},
			[]parameter{lastShell()},
			ofCenter},
		{allocation.Info{Name: "mc1x1",
			Doc: "as mc, in shells around a single processor, whatever the job's shape (Bender " +
				"et al. 2005, sec. 1)"},
			[]parameter{lastShell()},
			ofCenter},
		{allocation.Info{Name: "mc1x1-tie",
			Doc: "as mc1x1; among equal sums the set that leaves the machine in the best " +
				"state by scan radius, available, wall and border factor: mc1x1-tie:2,13,20,6 (Johnson, " +
				"Bunde and Leung 2010, sec. II)"},
			ties(), ofTies},
		{allocation.Info{Name: "gen-alg",
			Doc: "the processors nearest to a free one, in L1 or, on machines without " +
				"coordinates, in hops, with the least sum of pairwise distances; gen-alg:node-order and " +
				"gen-alg:greedy choose otherwise among equally near ones (Krumke et al. 1997)"},
			[]parameter{medianShell()}, ofMedian},
		{allocation.Info{Name: "mm",
			Doc: "the processors nearest to a crossing of coordinates of free ones or, on machines " +
				"without coordinates, to any router with nodes, with the least sum of pairwise distances; " +
				"mm:node-order and mm:greedy choose otherwise among equally near ones (Bender et al. 2005, " +
				"sec. 2.1)"},
			[]parameter{medianShell()}, ofMedian},
		{allocation.Info{Name: "mm-inc",
			Doc: "as mm, followed by exchanges of one processor as long as they reduce the sum " +
				"(Bender et al. 2005, sec. 5)"},
			[]parameter{medianShell()}, ofMedian},
		{allocation.Info{Name: "optimal",
			Doc: "the processors with the least sum of pairwise distances on any machine, by " +
				"branch and bound; optimal:1000 stops after 1000 nodes of the search (Bender et al. 2005, " +
				"sec. 6)"},
			[]parameter{limit()}, ofOptimal},
		{allocation.Info{Name: "ptas",
			Doc: "approximation scheme with m strips each way, ptas:5, for meshes of a few " +
				"processors (Bender et al. 2005, sec. 3)"},
			[]parameter{strips()},
			func(c Config, s allocation.Site) (allocation.Allocator, error) {
				return exact.NewPTAS(s.Machine, c.Strips)
			}},
		packerEntry(0), packerEntry(1), packerEntry(2), packerEntry(3),
		{allocation.Info{Name: "sequential",
			Doc: "the first free processors in node order, on any machine (Pascual et al. " +
				"2009, sec. 3)"}, nil,
			func(_ Config, s allocation.Site) (allocation.Allocator, error) {
				return tree.NewSequential(s.Machine), nil
			}},
		{allocation.Info{Name: "contiguous",
			Doc: "tree, fat-tree: the first subtree of the job's level with enough free " +
				"processors (Pascual et al. 2009, sec. 3)"}, nil,
			plain(tree.NewContiguous)},
		{allocation.Info{Name: "quasi-contiguous",
			Doc: "tree, fat-tree: as contiguous, else up to that percentage of the " +
				"job one level up: quasi-contiguous:20 (Pascual et al. 2009, sec. 3)"},
			[]parameter{percent()},
			func(c Config, s allocation.Site) (allocation.Allocator, error) {
				return tree.NewQuasiContiguous(s.Machine, c.Percent)
			}},
		{allocation.Info{Name: "isolated",
			Doc: "tree, fat-tree: nodes whose links between routers no other job uses under " +
				"d-mod-k and s-mod-k: the same positions in several subtrees, with tapers together with all " +
				"that share links with them (after Smith and Lowenthal 2021)"}, nil,
			plain(tree.NewIsolated)},
		{allocation.Info{Name: "by-router",
			Doc: "as few routers as possible, whole ones first, on any machine (compact " +
				"placement, Kaplan et al. 2017)"}, nil, plain(tree.NewByRouter)},
		{allocation.Info{Name: "by-group",
			Doc: "machine of groups, such as a dragonfly: as few groups as possible, and in " +
				"each as few routers (compact placement, Kaplan et al. 2017)"}, nil, plain(tree.NewByGroup)},
		{allocation.Info{Name: "level-spread",
			Doc: "machine of groups: the emptiest router that holds the job, else spread " +
				"over the routers of the emptiest group that does, else over all groups (Zhang et al. 2018)"},
			nil, plain(tree.NewLevelSpread)},
		{allocation.Info{Name: "random-routers",
			Doc: "all free processors of routers drawn uniformly, on any machine (Yang " +
				"et al. 2016)"}, nil, drawn(tree.NewRandomRouters)},
		{allocation.Info{Name: "random-groups",
			Doc: "machine of groups: all free processors of groups drawn uniformly (Yang " +
				"et al. 2016)"}, nil, drawn(tree.NewRandomGroups)},
		{allocation.Info{Name: "rows",
			Doc: "HyperX: as few rows of the first dimension as possible, and in each as few " +
				"routers (after Cano et al. 2026)"}, nil, plain(tree.NewHyperRows)},
		{allocation.Info{Name: "diagonal",
			Doc: "HyperX: as few diagonals as possible, whose routers have no coordinate in " +
				"common, and in each as few routers (after Cano et al. 2026)"}, nil, plain(tree.NewDiagonal)},
		{allocation.Info{Name: "subcube",
			Doc: "HyperX: the first free box of whole routers, as cubic as possible (after " +
				"Cano et al. 2026)"}, nil, plain(submesh.NewSubcube)},
		{allocation.Info{Name: "slurm-tree",
			Doc: "machine of switches, such as topology.conf of Slurm: the best-fitting leaf switches, " +
				"as slurmctld's topology/tree chooses them; slurm-tree:22.05 as before 24.05.3 (SchedMD " +
				"2025)"},
			[]parameter{version()},
			func(c Config, s allocation.Site) (allocation.Allocator, error) {
				return manager.NewSlurmTree(s.Machine, c.Version)
			}},
		{allocation.Info{Name: "one-switch",
			Doc: "machine of switches: waits for a switch of the lowest level that can hold the job, and " +
				"takes the one with the fewest free processors (after Slurm's --switches=1, SchedMD 2025)"},
			nil, plain(manager.NewOneSwitch)},
		{allocation.Info{Name: "slurm-block",
			Doc: "machine of switches above base blocks, such as topology.conf of Slurm: the block with " +
				"the fewest free nodes that suffice, as slurmctld's topology/block chooses it; " +
				"slurm-block:16,4 plans with blocks of 16 nodes, for jobs of segments of 4 (SchedMD 2025)"},
			blocks(),
			func(c Config, s allocation.Site) (allocation.Allocator, error) {
				return manager.NewSlurmBlock(s.Machine, c.BlockNodes, c.Segment)
			}},
		{allocation.Info{Name: "volcano-binpack",
			Doc: "machine of switches: the fullest switch of the lowest level that can hold the job, and " +
				"below it the nearest leaf switches in order (Volcano, network-topology-aware, 2026)"},
			nil, plain(manager.NewVolcano)},
		kueueEntry(0), kueueEntry(1), kueueEntry(2),
	}
}

// packerEntry returns the entry of one of Packers.
func packerEntry(i int) entry {
	info := order.Packers()[i]
	info.Doc += ": hilbert/" + info.Name + ", " + info.Name + ":linear"
	return entry{info, []parameter{nodeOrder(), span()}, func(c Config,
		s allocation.Site) (allocation.Allocator, error) {
		if s.Order == nil {
			s.Order = order.New
		}
		line, err := s.Order(cmp.Or(c.Order, order.RowMajor), s.Machine)
		if err != nil {
			return nil, fmt.Errorf("allocator %s: %w", c.Name, err)
		}
		return order.NewPacker(c.Name, line, order.Span(c.Span))
	}}
}

// kueueEntry returns the entry of one of KueueModes.
func kueueEntry(i int) entry {
	info := manager.KueueModes()[i]
	return entry{info, nil, plain(func(m topology.Topology) (allocation.Allocator, error) {
		a, err := manager.NewKueue(info.Name, m)
		if err != nil {
			return nil, err
		}
		return a, nil
	})}
}

func ofSubmesh(c Config, s allocation.Site) (allocation.Allocator, error) {
	return submesh.New(c.Name, s.Machine, c.Rotate, c.Score, c.Start)
}

func ofCenter(c Config, s allocation.Site) (allocation.Allocator, error) {
	return center.New(c.Name, s.Machine, c.LastShell)
}

func ofTies(c Config, s allocation.Site) (allocation.Allocator, error) {
	return center.NewTieBreaking(s.Machine, c.LastShell, center.TieFactors{ScanRadius: c.ScanRadius,
		Available: c.Available, Wall: c.Wall, Border: c.Border,
		Corners: c.Corners == center.CornersTwice})
}

func ofMedian(c Config, s allocation.Site) (allocation.Allocator, error) {
	return center.NewMedian(c.Name, s, c.LastShell)
}

func ofOptimal(c Config, s allocation.Site) (allocation.Allocator, error) {
	return exact.NewOptimal(s, c.Limit)
}

// plain adapts a constructor without parameters, and drawn one that draws.
func plain[A allocation.Allocator](f func(topology.Topology) (A, error)) func(Config,
	allocation.Site) (allocation.Allocator, error) {
	return func(_ Config, s allocation.Site) (allocation.Allocator, error) { return f(s.Machine) }
}

func drawn[A allocation.Allocator](f func(topology.Topology, *rand.Rand) (A, error)) func(Config,
	allocation.Site) (allocation.Allocator, error) {
	return func(_ Config, s allocation.Site) (allocation.Allocator, error) {
		return f(s.Machine,
			s.Stream)
	}
}
