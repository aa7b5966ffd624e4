// Package routes has the routings of the built-in topologies: meshes, tori and hypercubes
// (dimorder.go, gridtwophase.go, turnmodel.go and others), trees and fat trees (tree*.go),
// dragonflies (dragonfly*.go), HyperX networks (hyperx*.go) and any connected graph (graph*.go,
// lash.go). Builtin lists them.
//
// Routings embed one of three frames: one rule without a choice of links (fixed.go), a choice of
// links by the router's view (adaptive.go, selection.go), two phases over a router drawn for each
// packet (phases.go, ugal.go). outputs.go has the VCs that leave the routers.
package routes
