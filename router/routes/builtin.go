package routes

import (
	"slices"

	"contend/router"
	"contend/router/routes/dragonfly"
	"contend/router/routes/graph"
	"contend/router/routes/grid"
	"contend/router/routes/hyperx"
	"contend/router/routes/tree"
)

// Builtin returns the routings of this program.
func Builtin() []router.Maker {
	return slices.Concat(grid.Makers(), tree.Makers(), dragonfly.Makers(), hyperx.Makers(),
		graph.Makers())
}
