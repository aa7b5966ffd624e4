package submesh

// Readings of papers that are ambiguous. The first of each list reproduces the printed
// figures.
const (
	// ScoreSides makes best-fit count the sides of a frame that touch a busy processor
	// or the border. ScoreBoundary makes it count the places along its sides that are
	// busy or outside [Lo et al. 1994, sec. 2].
	ScoreSides, ScoreBoundary = "sides", "boundary"
	// StartFitting makes frame-sliding start at the lowest leftmost free processor at
	// which the frame lies in the machine. StartFree makes it start at the lowest
	// leftmost free processor [Lo et al. 1994, sec. 2].
	StartFitting, StartFree = "fitting", "free"
)
