package routes

import (
	"slices"

	"contend/router"
)

// Builtin returns the built-in routings, by topology: grids, trees, dragonflies, HyperX networks,
// graphs.
func Builtin() []router.Maker {
	return slices.Concat([]router.Maker{dimensionOrderMaker, datelineMaker, balancedMaker},
		turnModelMakers,
		[]router.Maker{oddEvenMaker, o1turnMaker, gridValiantMaker, rommMaker, minimalAdaptiveMaker,
			minAdaptMaker},
		treeUpDownMakers, []router.Maker{treeByCreditsMaker},
		[]router.Maker{dragonflyMinimalMaker, ascendingMaker}, dragonflyDetourMakers,
		[]router.Maker{hyperxOrderMaker, hyperxAdaptiveMaker, hyperxValiantMaker, hyperxUGALMaker,
			dalMaker},
		[]router.Maker{graphUpDownMaker, lashMaker, shortestMaker, ecmpMaker})
}
