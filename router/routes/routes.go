// Package routes has the routings of the built-in topologies: meshes, tori and hypercubes
// (dimorder.go, datelines.go, gridtwophase.go, gridadaptive.go), trees and fat trees (tree*.go),
// dragonflies (dragonfly*.go), HyperX networks (hyperx*.go) and any connected graph (graph*.go,
// lash.go). Builtin lists them.
//
// Routings embed one of three frames (frames.go): one rule without a choice of links (fixedRule), a
// choice of links by the router's view (adaptiveRule, selection), two phases over a router drawn
// for each packet (twoPhase, ugalPath). There, outputs has the VCs that leave the routers.
//
// Example: a packet on a mesh of 3x3 with two virtual channels (VCs) a link is at router (0,0), its
// source, and goes to (2,2). On an empty network it is offered these VCs, best first (Example):
//
//	dimension-order   (0,0)->(1,0) VCs 0 and 1
//	west-first        (0,0)->(1,0) VCs 0 and 1, (0,0)->(0,1) VCs 0 and 1
//	minimal-adaptive  (0,0)->(1,0) VC 1, (0,0)->(0,1) VC 1, (0,0)->(1,0) VC 0
//
// Dimension order leaves no choice of links. West-first offers both links of shortest paths, since
// no hop goes west. Minimal-adaptive does so with VC 1 alone; VC 0 of the link that dimension order
// takes comes last, as its escape channel.
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
