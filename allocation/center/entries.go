package center

import (
	"contend/allocation"
	"contend/internal/call"
)

// Allocators returns the registry entries of mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc.
func Allocators() []allocation.Entry {
	return []allocation.Entry{
		ofCenter("mc", "MC",
			"the free processors with the least sum of shell numbers, in shells around a "+
				"submesh of the job's shape at one of them; mc:greedy and mc:node-order choose otherwise "+
				"in the last shell (Mache, Lo and Windisch 1997)"),
		ofCenter("mc1x1", "MC1x1",
			"as mc, in shells around a single processor, whatever the job's shape "+
				"(Bender et al. 2005, sec. 1)"),
		{Name: "mc1x1-tie", Display: "MC1x1-tie", CountDecides: true, CountsTies: true,
			Doc: "as mc1x1; among equal sums the set that leaves the machine in the best " +
				"state by scan radius, available, wall and border factor: mc1x1-tie:2,13,20,6 (Johnson, " +
				"Bunde and Leung 2010, sec. II)",
			Parameters: append(tieFactors(), lastShell(LastShells(), "in shells"), corners()),
			New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
				return NewTieBreaking(s.Machine, v.Word("last_shell"), TieFactors{
					ScanRadius: v.Int("scan_radius"), Available: v.Int("available"),
					Wall: v.Int("wall"), Border: v.Int("border"),
					Corners: v.Word("corners") == CornersTwice})
			}},
		ofMedian("gen-alg", "Gen-Alg",
			"the processors nearest to a free one, in L1 or, on machines without "+
				"coordinates, in hops, with the least sum of pairwise distances; gen-alg:node-order and "+
				"gen-alg:greedy choose otherwise among equally near ones (Krumke et al. 1997)"),
		ofMedian("mm", "MM", "the processors nearest to a crossing of coordinates of free ones or, on "+
			"machines without coordinates, to any router with nodes, with the least sum of pairwise "+
			"distances; mm:node-order and mm:greedy choose otherwise among equally near ones (Bender "+
			"et al. 2005, sec. 2.1)"),
		ofMedian("mm-inc", "MM+Inc",
			"as mm, followed by exchanges of one processor as long as they reduce the "+
				"sum (Bender et al. 2005, sec. 5)"),
	}
}

// ofCenter returns the entry of an allocator of New.
func ofCenter(name, display, doc string) allocation.Entry {
	return allocation.Entry{Name: name, Display: display, Doc: doc, CountDecides: true,
		CountsTies: true,
		Parameters: []call.Parameter{lastShell(LastShells(), "in shells")},
		New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
			return New(name, s.Machine, v.Word("last_shell"))
		}}
}

// ofMedian returns the entry of an allocator of NewMedian. Its shells have equal L1 distance.
func ofMedian(name, display, doc string) allocation.Entry {
	return allocation.Entry{Name: name, Display: display, Doc: doc, CountDecides: true,
		CountsTies: true, ByHops: true,
		Parameters: []call.Parameter{lastShell(MedianShells(), "in L1")},
		New: func(v call.Values, s allocation.Site) (allocation.Allocator, error) {
			return NewMedian(name, s, v.Word("last_shell"))
		}}
}

// lastShell returns the parameter that chooses processors of the last shell.
func lastShell(words []allocation.Info, far string) call.Parameter {
	doc := "which of the processors equally far from the center, " + far + ", are taken last: "
	for i, w := range words {
		if i > 0 {
			doc += "; or "
		}
		doc += w.Doc
	}
	return call.Parameter{Name: "last_shell", Type: call.Word, Default: words[0].Name, Bare: true,
		Choices: allocation.NamesOf(words), Doc: doc}
}

// tieFactors returns the parameters SR, AF, WF and BF. The default weights are the ones that
// [Johnson et al. 2010, sec. III] found to improve all logs.
func tieFactors() []call.Parameter {
	factor := func(name, standard, unit, doc string) call.Parameter {
		return call.Parameter{Name: name, Type: call.Integer, Default: standard, Min: "0",
			Max: "1000000", Bare: true, Unit: unit, Doc: doc, Source: "johnson2010 sec. II"}
	}
	return []call.Parameter{
		factor("scan_radius", "2", "shells", "SR: how far beyond the last shell free processors count"),
		factor("available", "13", "", "AF: weight of free processors left nearby"),
		factor("wall", "20", "", "WF: weight of walls bordered"),
		factor("border", "6", "", "BF: weight of other jobs bordered"),
	}
}

// corners returns the parameter that says how often a processor in a corner counts in the wall
// score.
func corners() call.Parameter {
	return call.Parameter{Name: "corners", Type: call.Word, Default: CornersOnce, Bare: true,
		Choices: []string{CornersOnce, CornersTwice}, Source: "johnson2010 sec. II b",
		Doc: "a processor that borders two walls counts for the wall score once, or once for each " +
			"wall as the paper's text has it"}
}
