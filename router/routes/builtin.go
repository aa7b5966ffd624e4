package routes

import (
	"slices"

	"contend/router"
)

// Builtin returns the routings of this program.
func Builtin() []router.Maker {
	return slices.Concat(gridMakers(), treeMakers(), dragonflyMakers(), hyperxMakers(),
		graphMakers())
}
