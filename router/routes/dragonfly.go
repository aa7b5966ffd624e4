package routes

import (
	"slices"

	"contend/router"
)

// dragonflyMakers are the routings.
func dragonflyMakers() []router.Maker {
	return slices.Concat([]router.Maker{minimal, ascending}, detours)
}
