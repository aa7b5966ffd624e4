package spec

// allocatorKeys are the keys of [allocator].
var allocatorKeys = []Key{
	{Path: "allocator.name", Default: `"first-fit"`, Names: "allocators", when: all(queued),
		Doc: "which processors a job gets"},
	{Path: "allocator.page", Default: "0", Min: "0", Max: "12", when: all(queued, takes("page")),
		Source: "lo1994 sec. 3.2",
		Doc:    "of paging: pages are squares of side two to this power"},
	{Path: "allocator.order", Default: `"row-major"`, when: all(queued, takes("order")),
		Doc: "one of the orders: of the pages of paging, or of the processors, for free-list, " +
			"first-fit-1d, best-fit-1d and sum-of-squares; a curve may be turned: hilbert/yx " +
			"exchanges x and y, hilbert/x-y begins at the far end of y"},
	{Path: "allocator.span", Default: `"ring"`, Choices: []string{"ring", "linear"},
		when: all(queued, takes("span")), Source: "leung2002 sec. 2.3",
		Doc: "of packers, if no free interval is long enough: the order is closed to a ring, " +
			"or a line"},
	{Path: "allocator.qct", Default: "0", Min: "0", Max: "100", Unit: "%",
		when: all(queued, takes("qct")), Source: "pascual2009 Eq. 1",
		Doc: "of quasi-contiguous: share of a job's processes that may use one level of the " +
			"tree more"},
	{Path: "allocator.rotate", Default: "false", when: all(queued, takes("rotate")),
		Doc: "of submesh allocators: try the request turned by a quarter too"},
	{Path: "allocator.last_shell", Default: `"previous"`,
		Choices: []string{"previous", "l1", "greedy", "node-order"},
		when:    all(queued, takes("last_shell")),
		Doc: "of mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc: which of the processors equally " +
			"far from the center, in shells or (gen-alg, mm, mm-inc) in L1, are taken last: " +
			"nearest to the center tried before, then to the one before that, and so on, as " +
			"one list sorted stably for one center after the other has them; nearest to the " +
			"center in L1 (not of gen-alg, mm and mm-inc, where all are); one by one those " +
			"nearest to all taken so far; or in the order of nodes"},
	{Path: "allocator.scan_radius", Default: "2", Min: "0", Max: "1000000", Unit: "shells",
		when: all(queued, takes("scan_radius")), Source: "johnson2010 sec. II",
		Doc: "SR of mc1x1-tie: how far beyond the last shell free processors count"},
	{Path: "allocator.available", Default: "13", Min: "0", Max: "1000000",
		when: all(queued, takes("available")), Source: "johnson2010 sec. II",
		Doc: "AF of mc1x1-tie: weight of free processors left nearby"},
	{Path: "allocator.wall", Default: "20", Min: "0", Max: "1000000",
		when: all(queued, takes("wall")), Source: "johnson2010 sec. II",
		Doc: "WF of mc1x1-tie: weight of walls bordered"},
	{Path: "allocator.border", Default: "6", Min: "0", Max: "1000000",
		when: all(queued, takes("border")), Source: "johnson2010 sec. II",
		Doc: "BF of mc1x1-tie: weight of other jobs bordered"},
	{Path: "allocator.corners", Default: `"once"`, Choices: []string{"once", "twice"},
		when: all(queued, takes("corners")), Source: "johnson2010 sec. II b",
		Doc: "of mc1x1-tie: a processor that borders two walls counts for the wall score once, " +
			"or once for each wall as the paper's text has it"},
	{Path: "allocator.score", Default: `"sides"`, Choices: []string{"sides", "boundary"},
		when: all(queued, takes("score")), Source: "lo1994 sec. 2",
		Doc: "of best-fit: take the frame with the most sides that touch busy processors or " +
			"the border, or the one with the most busy or missing places along its sides"},
	{Path: "allocator.start", Default: `"fitting"`, Choices: []string{"fitting", "free"},
		when: all(queued, takes("start")), Source: "lo1994 sec. 2",
		Doc: "of frame-sliding: the first frame lies at the lowest leftmost free processor " +
			"where it fits into the machine, or at the lowest leftmost free processor"},
	{Path: "allocator.limit", Default: "1000000", Min: "1", when: all(queued, takes("limit")),
		Doc: "of optimal: nodes of the search tree after which the search ends with the best " +
			"set found so far"},
	{Path: "allocator.m", Default: "3", Min: "1", Max: "32", when: all(queued, takes("m")),
		Source: "bender2005 sec. 3",
		Doc:    "of ptas: strips each way, at least 2"},
}
