package spec

// allocatorKeys are the keys of [allocator].
var allocatorKeys = []Key{
	{
		Path:    "allocator.name",
		of:      func(s *Spec) any { return &s.Allocator.Name },
		Default: `"first-fit"`,
		Names:   "allocators",
		Doc:     "which processors a job gets",
		when:    []condition{queued},
	},
	{
		Path:    "allocator.page",
		of:      func(s *Spec) any { return &s.Allocator.Page },
		Default: "0", Min: "0", Max: "12",
		Doc:    "of paging: pages are squares of side two to this power",
		Source: "lo1994 sec. 3.2",
		when:   []condition{queued, takes("page")},
	},
	{
		Path:    "allocator.order",
		of:      func(s *Spec) any { return &s.Allocator.Order },
		Default: `"row-major"`,
		Doc: "one of the orders: of the pages of paging, or of the processors, for free-list, " +
			"first-fit-1d, best-fit-1d and sum-of-squares; a curve may be turned: hilbert/yx " +
			"exchanges x and y, hilbert/x-y begins at the far end of y",
		when: []condition{queued, takes("order")},
	},
	{
		Path:    "allocator.span",
		of:      func(s *Spec) any { return &s.Allocator.Span },
		Default: `"ring"`,
		Choices: []string{"ring", "linear"},
		Doc: "of packers, if no free interval is long enough: the order is closed to a ring, or " +
			"a line",
		Source: "leung2002 sec. 2.3",
		when:   []condition{queued, takes("span")},
	},
	{
		Path:    "allocator.qct",
		of:      func(s *Spec) any { return &s.Allocator.Percent },
		Default: "0", Min: "0", Max: "100", Unit: "%",
		Doc: "of quasi-contiguous: share of a job's processes that may use one level of the " +
			"tree more",
		Source: "pascual2009 Eq. 1",
		when:   []condition{queued, takes("qct")},
	},
	{
		Path:    "allocator.rotate",
		of:      func(s *Spec) any { return &s.Allocator.Rotate },
		Default: "false",
		Doc:     "of submesh allocators: try the request turned by a quarter too",
		when:    []condition{queued, takes("rotate")},
	},
	{
		Path:    "allocator.last_shell",
		of:      func(s *Spec) any { return &s.Allocator.LastShell },
		Default: `"previous"`,
		Choices: []string{"previous", "l1", "greedy", "node-order"},
		Doc: "of mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc: which of the processors equally " +
			"far from the center, in shells or (gen-alg, mm, mm-inc) in L1, are taken last: " +
			"nearest to the center tried before, then to the one before that, and so on, as " +
			"one list sorted stably for one center after the other has them; nearest to the " +
			"center in L1 (not of gen-alg, mm and mm-inc, where all are); one by one those " +
			"nearest to all taken so far; or in the order of nodes",
		when: []condition{queued, takes("last_shell")},
	},
	{
		Path:    "allocator.scan_radius",
		of:      func(s *Spec) any { return &s.Allocator.ScanRadius },
		Default: "2", Min: "0", Max: "1000000", Unit: "shells",
		Doc:    "SR of mc1x1-tie: how far beyond the last shell free processors count",
		Source: "johnson2010 sec. II",
		when:   []condition{queued, takes("scan_radius")},
	},
	{
		Path:    "allocator.available",
		of:      func(s *Spec) any { return &s.Allocator.Available },
		Default: "13", Min: "0", Max: "1000000",
		Doc:    "AF of mc1x1-tie: weight of free processors left nearby",
		Source: "johnson2010 sec. II",
		when:   []condition{queued, takes("available")},
	},
	{
		Path:    "allocator.wall",
		of:      func(s *Spec) any { return &s.Allocator.Wall },
		Default: "20", Min: "0", Max: "1000000",
		Doc:    "WF of mc1x1-tie: weight of walls bordered",
		Source: "johnson2010 sec. II",
		when:   []condition{queued, takes("wall")},
	},
	{
		Path:    "allocator.border",
		of:      func(s *Spec) any { return &s.Allocator.Border },
		Default: "6", Min: "0", Max: "1000000",
		Doc:    "BF of mc1x1-tie: weight of other jobs bordered",
		Source: "johnson2010 sec. II",
		when:   []condition{queued, takes("border")},
	},
	{
		Path:    "allocator.corners",
		of:      func(s *Spec) any { return &s.Allocator.Corners },
		Default: `"once"`,
		Choices: []string{"once", "twice"},
		Doc: "of mc1x1-tie: a processor that borders two walls counts for the wall score once, " +
			"or once for each wall as the paper's text has it",
		Source: "johnson2010 sec. II b",
		when:   []condition{queued, takes("corners")},
	},
	{
		Path:    "allocator.score",
		of:      func(s *Spec) any { return &s.Allocator.Score },
		Default: `"sides"`,
		Choices: []string{"sides", "boundary"},
		Doc: "of best-fit: take the frame with the most sides that touch busy processors or the " +
			"border, or the one with the most busy or missing places along its sides",
		Source: "lo1994 sec. 2",
		when:   []condition{queued, takes("score")},
	},
	{
		Path:    "allocator.start",
		of:      func(s *Spec) any { return &s.Allocator.Start },
		Default: `"fitting"`,
		Choices: []string{"fitting", "free"},
		Doc: "of frame-sliding: the first frame lies at the lowest leftmost free processor " +
			"where it fits into the machine, or at the lowest leftmost free processor",
		Source: "lo1994 sec. 2",
		when:   []condition{queued, takes("start")},
	},
	{
		Path:    "allocator.limit",
		of:      func(s *Spec) any { return &s.Allocator.Limit },
		Default: "1000000", Min: "1",
		Doc: "of optimal: nodes of the search tree after which the search ends with the best " +
			"set found so far",
		when: []condition{queued, takes("limit")},
	},
	{
		Path:    "allocator.m",
		of:      func(s *Spec) any { return &s.Allocator.M },
		Default: "3", Min: "1", Max: "32",
		Doc:    "of ptas: strips each way, at least 2",
		Source: "bender2005 sec. 3",
		when:   []condition{queued, takes("m")},
	},
}
