package submesh

import (
	"contend/allocation"
	"contend/allocation/order"
	"contend/internal/call"
)

// Allocators lists the entries of free submeshes, pages, blocks and boxes.
func Allocators() []allocation.Entry {
	return []allocation.Entry{
		{Name: "paging", Doc: "the first free pages of side 2^page, squares or cubes, in an order: " +
			"paging:2, paging:2,snake (Lo et al. 1994, sec. 3.2)",
			Parameters: []call.Parameter{
				{Name: "page", Type: call.Integer, Default: "0", Min: "0", Max: "12", Bare: true,
					Doc:    "pages are squares, in n dimensions cubes, of side two to this power",
					Source: "lo1994 sec. 3.2"},
				{Name: "order", Type: call.Word, Default: order.RowMajor, Bare: true,
					Choices: allocation.NamesOf(order.Orders()), Doc: "the order of the pages"},
				{Name: "page_ranks", Type: call.Word, Default: RowMajorRanks, Choices: pageRanks(),
					Source: "lo1994 sec. 4.2", Doc: "the order of the processors within a page: along its " +
						"rows, along its rows backwards, or all backwards"}},
			CountDecidesFor: func(v call.Values) bool { return v.Int("page") == 0 },
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				a, err := NewPaging(s.Machine, v.Int("page"), v.Word("order"))
				if err != nil {
					return nil, err
				}
				return a.rankedBy(v.Word("page_ranks"))
			}},
		{Name: "buddy2d", Display: "2D buddy", Contiguous: true, New: allocation.On(NewBuddy2D),
			Doc: "the smallest free block of side 2^i that holds the job, on a square 2^n " +
				"machine, or its like in more dimensions (Li and Cheng 1991)"},
		{Name: "mbs", Display: "MBS", CountDecides: true, New: allocation.On(NewMBS),
			Doc: "multiple buddy strategy: blocks of side 2^i by the digits of the size in base 4, in " +
				"n dimensions 2^n (Lo et al. 1994, sec. 3.3)"},
		{Name: "sdsc", Display: "SDSC", CountDecides: true,
			Doc: "the allocator of SDSC's Paragon: blocks of side 2^i, each as close as possible to the " +
				"first and largest, set of nodes by set of nodes: sdsc:4 (Lo et al. 1994, sec. 2)",
			Parameters: []call.Parameter{{Name: "sets", Type: call.Integer, Default: "1", Min: "1",
				Max: "65536", Doc: "node sets, slabs of rows that are examined in order",
				Source: "lo1994 sec. 2"}},
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewSDSC(s.Machine, v.Int("sets"))
			}},
		{Name: "gabl", Display: "GABL", CountDecides: true, New: allocation.On(NewGABL),
			Doc: "greedy available busy list: a free submesh of the job's shape, else the largest one " +
				"inside it, and so on with sides of the part before (Bani-Mohammad, Ould-Khaoua and " +
				"Ababneh 2007)"},
		{Name: "anca", Display: "ANCA", CountDecides: true, New: allocation.On(NewANCA),
			Doc: "adaptive non-contiguous allocation: a free submesh of the job's shape, else one for " +
				"each of two halves of it, of four quarters, and so on (Chang and Mohapatra 1998)"},
		ofSubmesh("first-fit", "the first free submesh of the job's shape; a job with only a size "+
			"gets the most nearly square shape that fits the machine; first-fit:rotate turns the "+
			"shape, first-fit:wrap places it over the ends of a torus (Zhu 1992)"),
		ofSubmesh("best-fit", "the free submesh, of a shape as for first-fit, with the most sides "+
			"that touch a busy processor or the border; best-fit:rotate turns the shape, "+
			"best-fit:boundary counts places along the sides (Zhu 1992)",
			call.Parameter{Name: "score", Type: call.Word, Default: ScoreSides, Bare: true,
				Choices: []string{ScoreSides, ScoreBoundary}, Source: "lo1994 sec. 2",
				Doc: "take the frame with the most sides that touch busy processors or the border, or " +
					"the one with the most busy or missing places along its sides"}),
		ofSubmesh("frame-sliding", "the first free submesh, of a shape as for first-fit, at strides "+
			"of its sides; frame-sliding:rotate turns the shape, frame-sliding:free starts at any "+
			"free processor (Chuang and Tzeng 1991)",
			call.Parameter{Name: "start", Type: call.Word, Default: StartFitting, Bare: true,
				Choices: []string{StartFitting, StartFree}, Source: "lo1994 sec. 2",
				Doc: "the first frame lies at the lowest leftmost free processor where it fits into " +
					"the machine, or at the lowest leftmost free processor"}),
		{Name: "subcube", New: allocation.On(NewSubcube),
			Doc: "HyperX: the first free box of whole routers, as cubic as possible (after " +
				"Cano et al. 2026)"},
	}
}

// ofSubmesh returns the entry of an allocator of New. The parameter after rotate chooses the
// reading of its paper.
func ofSubmesh(name, doc string, reading ...call.Parameter) allocation.Entry {
	rotate := call.Parameter{Name: "rotate", Type: call.Boolean, Default: "false", Bare: true,
		Doc: "try the sides of the request in other orders too: the request turned by a quarter"}
	wrap := call.Parameter{Name: "wrap", Type: call.Boolean, Default: "false", Bare: true,
		Doc: "a submesh may lie over the joined ends of a torus", Source: "lo1994 sec. 1"}
	return allocation.Entry{Name: name, Doc: doc, Contiguous: true,
		Parameters: append(append([]call.Parameter{rotate}, reading...), wrap),
		New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
			return New(name, s.Machine, Options{v.Bool("rotate"), v.Bool("wrap"), v.TextOf("score"),
				v.TextOf("start")})
		}}
}
