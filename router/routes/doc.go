// Package routes has the routings of the built-in topologies: meshes, tori and hypercubes
// (grid.go), trees and fat trees (tree.go), dragonflies (dragonfly.go), HyperX networks (hyperx.go)
// and any connected graph (graph.go). Each of these files lists the routings of its topology.
//
// Phases of a packet's path (phases.go), the choice between links by what a router sees
// (selection.go, adaptive.go, ugal.go) and the number of virtual channels that a routing needs
// (needs.go) are common to them.
package routes
