package allocation

// Readings of papers that are ambiguous. The first of each list reproduces the printed
// figures.
const (
	// CornersOnce counts a processor that borders several walls once in the wall score.
	// CornersTwice counts it once for each wall [Johnson et al. 2010, sec. II b].
	CornersOnce, CornersTwice = "once", "twice"
	// ScoreSides makes best-fit count the sides of a frame that touch a busy processor
	// or the border. ScoreBoundary makes it count the places along its sides that are
	// busy or outside [Lo et al. 1994, sec. 2].
	ScoreSides, ScoreBoundary = "sides", "boundary"
	// StartFitting makes frame-sliding start at the lowest leftmost free processor at
	// which the frame lies in the machine. StartFree makes it start at the lowest
	// leftmost free processor [Lo et al. 1994, sec. 2].
	StartFitting, StartFree = "fitting", "free"
)

// Corners lists the ways to count walls.
func Corners() []Info {
	return []Info{{CornersOnce, "a processor in a corner counts once"},
		{CornersTwice, "a processor counts once for each wall it borders"}}
}

// Scores lists the counts that best-fit can use.
func Scores() []Info {
	return []Info{{ScoreSides, "sides that touch something busy or the border"},
		{ScoreBoundary, "places along the sides that are busy or outside of the machine"}}
}

// Starts lists the places at which frame-sliding can start.
func Starts() []Info {
	return []Info{{StartFitting, "at the lowest leftmost free processor at which the frame fits " +
		"the machine"},
		{StartFree, "at the lowest leftmost free processor"}}
}
