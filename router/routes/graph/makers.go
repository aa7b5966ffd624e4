// Package graph has the routings of any connected graph.
package graph

import "contend/router"

// Makers are the routings.
func Makers() []router.Maker { return []router.Maker{upDown, lash, shortest, ecmp} }
