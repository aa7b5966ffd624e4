// Package dragonfly has the routings of dragonflies.
package dragonfly

import (
	"slices"

	"contend/router"
)

// Makers are the routings.
func Makers() []router.Maker { return slices.Concat([]router.Maker{minimal, ascending}, detours) }
