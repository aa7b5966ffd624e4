// Package grid has the routings of meshes, tori and hypercubes.
package grid

import (
	"slices"

	"contend/router"
)

// Makers are the routings.
func Makers() []router.Maker {
	return slices.Concat([]router.Maker{dimensionOrder, dateline, balanced}, turnModels,
		[]router.Maker{oddEven, o1turn, valiant, romm, minimalAdaptive, minAdapt})
}
