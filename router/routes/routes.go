// Package routes has the routings of the built-in topologies: meshes, tori and hypercubes
// (dimorder.go, datelines.go, gridtwophase.go, gridadaptive.go), trees and fat trees (tree*.go),
// dragonflies (dragonfly*.go), HyperX networks (hyperx*.go) and any connected graph (graph*.go,
// lash.go). Builtin lists them.
//
// Routings embed one of three frames (frames.go): one rule without a choice of links (fixedRule),
// a choice of links by the router's view (adaptiveRule, selection), two phases over a router drawn
// for each packet (twoPhase, ugalPath). There, outputs has the VCs that leave the routers.
package routes

import (
	"slices"

	"contend/router"
	"contend/router/topology"
)

// Builtin returns the built-in routings, by topology: grids, trees, dragonflies, HyperX networks,
// graphs.
func Builtin() []router.Maker {
	return slices.Concat([]router.Maker{dimensionOrderMaker, datelineMaker, balancedMaker,
		twoDatelinesMaker},
		turnModelMakers,
		[]router.Maker{oddEvenMaker, o1turnMaker, gridValiantMaker, rommMaker, minimalAdaptiveMaker,
			minAdaptMaker},
		treeUpDownMakers, treeByCreditsMakers, []router.Maker{treeTwoChoicesMaker},
		[]router.Maker{dragonflyMinimalMaker, ascendingMaker}, dragonflyDetourMakers,
		[]router.Maker{hyperxOrderMaker, hyperxAdaptiveMaker, hyperxValiantMaker, hyperxUGALMaker,
			dalMaker},
		[]router.Maker{graphUpDownMaker, lashMaker, shortestMaker, ecmpMaker})
}

// isKind reports whether a topology is of a type.
func isKind[T topology.Topology](t topology.Topology) bool {
	_, ok := t.(T)
	return ok
}

// needsTwo returns 2: the VCs, or classes of VCs, that a routing needs on any topology.
func needsTwo(topology.Topology) int { return 2 }
