package main

// whyFailed says of each page with failed rules in one sentence what fails, and why.
var whyFailed = map[string]string{
	"lo-table2": "Absolute times and blocking fail in some patterns, and three of five complete " +
		"orders: the text leaves the order of messages and what counts as blocking open, and " +
		"n-body under Paging(1) and all-to-all are not explained.",
	"booksim": "Latencies under `min_adapt` at two low loads: BookSim 2 loses grants of head flits " +
		"that have several candidates. Accepted load of two tori at 0.02: runs created 2% more than " +
		"that, and BookSim 2's one run 2% less.",
	"booksim-channels": "Accepted load past saturation under tornado traffic on a torus: BookSim 2 " +
		"grants virtual channels with the switch, here before it.",
	"caminos": "Minimal-adaptive from a load of 0.2 on: CAMINOS holds head flits back while " +
		"another packet uses the link, here virtual channels take turns.",
	"caminos-placement": "Finish times are 2 to 9% shorter: CAMINOS draws which head flit gets a " +
		"channel, here the first that asked gets it.",
	"johnson-fig4": "Two logs are there only in later versions and two not at all; of the log that " +
		"is there, 17,610 decisions are tied for a printed 17,611.",
	"johnson-fig8": "Two logs are there only in later versions and two not at all; on the log that " +
		"is there two of four means are off by 0.001 channels.",
	"johnson-fig15": "Two logs are there only in later versions and two not at all.",
	"johnson-fig16": "Two logs are there only in later versions and two not at all; the numbers on " +
		"the log that is there are as printed.",
	"johnson-fig18": "Its log is not available.",
	"bender-procsimity": "The optimum comes before MM and not after it, and is not told apart from " +
		"MC1x1.",
	"bender-table1-kth": "MC1x1 comes after MM+Inc and MM, and the Hilbert curve last, on another " +
		"log than the paper's.",
	"bender-table1-nasa": "MC1x1 comes after MM+Inc, though before MM, and the Hilbert curve last, on " +
		"another log than the paper's.",
	"jump-accuracy": "One mean response time of 40 is 1.2% off: small errors of ends change " +
		"schedules.",
	"bully": "The light job takes longer alone in node order than at random, since its own " +
		"messages share channels there: beside heavy jobs it gains at random with minimal routing and " +
		"is level with ugal-l, though the others do harm it more at random.",
	"gabl": "Seven of ten directions: First Fit, which may not turn a job as GABL may, runs jobs " +
		"faster, but up to 78% of the machine is idle meanwhile; MBS beats GABL under FFT, whose sizes " +
		"are powers of two, and the tree; ANCA beats Paging(0) under four of five patterns.",
	"training-cluster": "Packed jobs lose 14% to each other, since routing by the destination gives " +
		"flows of two jobs one link up; so leaves drawn at random are not told apart from packed.",
	"time-scale": "The checks of 2 of 13,263 jobs of exact jumps differ: the jump is right, the " +
		"check of that program begins an iteration before what it checks.",
}
