package routes

import (
	"slices"

	"contend/router"
)

// gridMakers are the routings.
func gridMakers() []router.Maker {
	return slices.Concat([]router.Maker{dimensionOrder, dateline, balanced}, turnModels,
		[]router.Maker{oddEven, o1turn, gridValiant, romm, minimalAdaptive, minAdapt})
}
