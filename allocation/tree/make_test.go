package tree

import (
	"math/rand/v2"
	"testing"

	"contend/allocation"
	"contend/router/topology"
)

// makeTree makes an allocator of this package by its name, with a stream of its own.
func makeTree(t testing.TB, name string, machine topology.Topology,
	stream *rand.Rand) (a allocation.Allocator) {
	t.Helper()
	if stream == nil {
		stream = rand.New(rand.NewPCG(1, 2))
	}
	var err error
	switch name {
	case "isolated":
		a, err = NewIsolated(machine)
	case "by-router":
		a, err = NewByRouter(machine)
	case "by-group":
		a, err = NewByGroup(machine)
	case "level-spread":
		a, err = NewLevelSpread(machine)
	case "rows":
		a, err = NewHyperRows(machine)
	case "diagonal":
		a, err = NewDiagonal(machine)
	case "random-routers":
		a, err = NewRandomRouters(machine, stream)
	case "random-groups":
		a, err = NewRandomGroups(machine, stream)
	default:
		a = NewRandom(machine, stream)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}
