package center

import (
	"contend/allocation"
)

// Readings of [Johnson et al. 2010] that are ambiguous. The first reproduces the printed
// figures.
const (
	// CornersOnce counts a processor that borders several walls once in the wall score.
	// CornersTwice counts it once for each wall [Johnson et al. 2010, sec. II b].
	CornersOnce, CornersTwice = "once", "twice"
)

// Corners lists the ways to count walls.
func Corners() []allocation.Info {
	return []allocation.Info{{Name: CornersOnce, Doc: "a processor in a corner counts once"},
		{Name: CornersTwice, Doc: "a processor counts once for each wall it borders"}}
}
