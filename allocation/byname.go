package allocation

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"contend/netsim/topology"
)

// Config names an allocator and its parameters. It is comparable, and two
// that mean the same are equal where they come from Parse.
type Config struct {
	// Name is one of Names.
	Name string
	// Page is the size of a page of paging: its side is 2^Page.
	Page int
	// Order is the order of pages of paging, one of Orders, or of the
	// processors of a packer, one of NodeOrders, perhaps turned; empty for
	// row-major.
	Order string
	// Span is how a packer measures how far apart processors are, one of
	// Spans; empty for the first of them.
	Span string
	// Rotate lets first-fit, best-fit and frame-sliding exchange the sides of
	// a submesh that does not fit as asked for.
	Rotate bool
	// LastShell is how mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc take
	// processors of the last shell, one of LastShells; empty for the first of
	// them. The last three refuse LastShellL1.
	LastShell string
	// ScanRadius, in shells, and the weights Available, Wall and Border are
	// the parameters (SR, AF, WF, BF) of mc1x1-tie [Johnson et al. 2010].
	// With weights of 0 the first of the candidates wins; Parse gives
	// (2, 13, 20, 6) where there are none.
	ScanRadius, Available, Wall, Border int
	// Corners, Score and Start are the readings of papers that leave them open:
	// of mc1x1-tie, best-fit and frame-sliding, each one of Corners, Scores and
	// Starts; empty for the first of them.
	Corners, Score, Start string
	// Limit is the number of nodes of the search tree after which optimal
	// stops; 0 for DefaultLimit.
	Limit int
	// Strips is m of ptas, the number of strips each way; 0 for DefaultStrips.
	Strips int
	// Percent is qct of quasi-contiguous: the share of a job's processes, from
	// 0 to 100, that may use one level of the tree more.
	Percent int
}

// Site is what an allocator is made for.
type Site struct {
	Machine topology.Topology
	// Stream is what random draws from; others may do without.
	Stream *rand.Rand
	// Order puts the nodes of the machine in order, for allocators that need
	// them so; nil for NewOrder.
	Order func(name string, machine topology.Topology) ([]topology.Node, error)
}

// Info is a name and a line about it.
type Info struct{ Name, Doc string }

// entry is an allocator in the table of allocators.
type entry struct {
	Info
	// parameters are those of the short form, in its order.
	parameters []parameter
	// made makes the allocator.
	made func(c Config, s Site) (Allocator, error)
}

// table lists the allocators. It is made once: checks of a study ask for it at
// every point.
var table = sync.OnceValue(makeTable)

func makeTable() []entry {
	tie := []parameter{scanRadius(), available(), wall(), border(), lastShell(), corners()}
	return []entry{
		{Info{"random", "processors drawn uniformly from the free ones (Lo et al. 1994, sec. 3.1)"}, nil,
			func(_ Config, s Site) (Allocator, error) { return newRandom(s.Machine, s.Stream), nil }},
		{Info{"paging", "the first free square pages of side 2^page in an order: paging:2, paging:2,snake (Lo et al. 1994, sec. 3.2)"},
			[]parameter{page(), order()}, with(func(c Config, m topology.Topology) (*paging, error) { return newPaging(m, c.Page, c.Order) })},
		{Info{"buddy2d", "the smallest free block of side 2^i that holds the job, on a square 2^n machine (Li and Cheng 1991)"}, nil,
			with(func(_ Config, m topology.Topology) (*buddy2d, error) { return newBuddy2D(m) })},
		{Info{"mbs", "multiple buddy strategy: blocks of side 2^i by the base-4 digits of the size (Lo et al. 1994, sec. 3.3)"}, nil,
			with(func(_ Config, m topology.Topology) (*mbs, error) { return newMBS(m) })},
		{Info{"first-fit", "the first free submesh of the job's shape, or of the most nearly square shape that fits the machine where the job has only a size; first-fit:rotate turns it (Zhu 1992)"},
			[]parameter{rotate()}, ofSubmesh},
		{Info{"best-fit", "the free submesh, of a shape as under first-fit, with most sides that touch something busy or the border; best-fit:rotate turns it, best-fit:boundary counts places along the sides (Zhu 1992)"},
			[]parameter{rotate(), score()}, ofSubmesh},
		{Info{"frame-sliding", "the first free submesh, of a shape as under first-fit, at strides of its sides; frame-sliding:rotate turns it, frame-sliding:free starts at any free processor (Chuang and Tzeng 1991)"},
			[]parameter{rotate(), start()}, ofSubmesh},
		{Info{"mc", "the free processors around one of them, in shells about a submesh of the job's shape, that have the least sum of shell numbers; mc:greedy and mc:node-order take other ones of the last shell (Mache, Lo and Windisch 1997)"},
			[]parameter{lastShell()}, with(func(c Config, m topology.Topology) (*center, error) { return newCenter(c.Name, m, c.LastShell) })},
		{Info{"mc1x1", "mc in shells about a single processor, whatever the job's shape (Bender et al. 2005, sec. 1)"},
			[]parameter{lastShell()}, with(func(c Config, m topology.Topology) (*center, error) { return newCenter(c.Name, m, c.LastShell) })},
		{Info{"mc1x1-tie", "mc1x1, of equal sums the one that leaves the machine in the best state by scan radius, available, wall and border factor: mc1x1-tie:2,13,20,6 (Johnson, Bunde and Leung 2010, sec. II)"},
			tie, with(func(c Config, m topology.Topology) (*center, error) {
				return newTieBreaking(m, c.LastShell, tieFactors{c.ScanRadius, c.Available, c.Wall, c.Border, c.Corners == CornersTwice})
			})},
		{Info{"gen-alg", "the processors nearest to a free one in L1 that have the least sum of pairwise distances; " +
			"gen-alg:node-order and gen-alg:greedy take other ones of those equally near (Krumke et al. 1997)"},
			[]parameter{medianShell()}, ofMedian},
		{Info{"mm", "the processors nearest to a crossing of coordinates of free ones in L1 that have the least sum of pairwise distances; " +
			"mm:node-order and mm:greedy take other ones of those equally near (Bender et al. 2005, sec. 2.1)"},
			[]parameter{medianShell()}, ofMedian},
		{Info{"mm-inc", "mm, then one processor exchanged for another while that makes the sum smaller (Bender et al. 2005, sec. 5)"},
			[]parameter{medianShell()}, with(func(c Config, m topology.Topology) (*medianSwap, error) {
				return newMedianSwap(m, c.LastShell)
			})},
		{Info{"optimal", "the processors with the least sum of pairwise distances, by branch and bound; optimal:1000 stops after so many nodes of the search (Bender et al. 2005, sec. 6)"},
			[]parameter{limit()}, with(func(c Config, m topology.Topology) (*optimal, error) {
				return newOptimal(m, cmp.Or(c.Limit, DefaultLimit))
			})},
		{Info{"ptas", "approximation scheme with m strips each way, ptas:5, for meshes of a few processors (Bender et al. 2005, sec. 3)"},
			[]parameter{strips()}, with(func(c Config, m topology.Topology) (*ptas, error) { return newPTAS(m, cmp.Or(c.Strips, DefaultStrips)) })},
		packerEntry(0), packerEntry(1), packerEntry(2), packerEntry(3),
		{Info{"sequential", "the first free processors in node order, on any machine (Pascual et al. 2009, sec. 3)"}, nil,
			func(_ Config, s Site) (Allocator, error) { return newSequential(s.Machine), nil }},
		{Info{"contiguous", "tree: the first subtree of the job's level with enough free processors (Pascual et al. 2009, sec. 3)"}, nil,
			with(func(_ Config, m topology.Topology) (*quasiContiguous, error) { return newContiguous(m) })},
		{Info{"quasi-contiguous", "tree: as contiguous, else up to so many percent of the job one level up: quasi-contiguous:20 (Pascual et al. 2009, sec. 3)"},
			[]parameter{percent()}, with(func(c Config, m topology.Topology) (*quasiContiguous, error) { return newQuasiContiguous(m, c.Percent) })},
	}
}

// packerEntry is the entry of one of Packers.
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

func ofSubmesh(c Config, s Site) (Allocator, error) {
	return made(newSubmesh(c, s.Machine))
}

func ofMedian(c Config, s Site) (Allocator, error) {
	return made(newMedian(c.Name, s.Machine, c.LastShell))
}

// with adapts a function that makes an allocator without a stream.
func with[A Allocator](f func(Config, topology.Topology) (A, error)) func(Config, Site) (Allocator, error) {
	return func(c Config, s Site) (Allocator, error) { return made(f(c, s.Machine)) }
}

// made keeps a nil pointer from becoming an Allocator that is not nil.
func made[A Allocator](a A, err error) (Allocator, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Names lists the allocators.
func Names() []Info {
	var names []Info
	for _, e := range table() {
		names = append(names, e.Info)
	}
	return names
}

// find returns the entry of an allocator.
func find(name string) (entry, error) {
	all := table()
	if i := slices.IndexFunc(all, func(e entry) bool { return e.Name == name }); i >= 0 {
		return all[i], nil
	}
	return entry{}, unknown("allocator", name, Names())
}

// Parameters returns the names of the parameters an allocator has, nil for
// one that is not known.
func Parameters(allocator string) []string {
	e, _ := find(allocator)
	var names []string
	for _, p := range e.parameters {
		names = append(names, p.name)
	}
	return names
}

// New makes the allocator a configuration describes for a machine. Only random
// draws from the stream, which may be nil for the others.
func New(c Config, machine topology.Topology, stream *rand.Rand) (Allocator, error) {
	return NewAt(c, Site{Machine: machine, Stream: stream})
}

// NewAt is New for a site.
func NewAt(c Config, s Site) (Allocator, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	e, _ := find(c.Name)
	return e.made(c, s)
}

// Check returns an error unless the name is known and has all parameters
// given.
func (c Config) Check() error {
	e, err := find(c.Name)
	if err != nil {
		return err
	}
	for _, p := range e.parameters {
		if err := p.check(&c); err != nil {
			return fmt.Errorf("allocator %s: %w", c.Name, err)
		}
	}
	for _, other := range table() {
		for _, p := range other.parameters {
			if !e.has(p.name) && !p.unset(&c) {
				return fmt.Errorf("allocator %s takes no %s; %s", c.Name, p.name, Takers(p.name))
			}
		}
	}
	return nil
}

func (e *entry) has(name string) bool {
	return slices.ContainsFunc(e.parameters, func(p parameter) bool { return p.name == name })
}

// Takers says which allocators have a parameter.
func Takers(parameter string) string {
	var names []string
	for _, e := range table() {
		if e.has(parameter) {
			names = append(names, e.Name)
		}
	}
	switch last := len(names) - 1; last {
	case -1:
		return "no allocator does"
	case 0:
		return "only " + names[0] + " does"
	default:
		return strings.Join(names[:last], ", ") + " and " + names[last] + " do"
	}
}
