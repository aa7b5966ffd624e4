package tree

import (
	"math/rand/v2"
	"testing"

	"contend/allocation"
	"contend/internal/must"
	"contend/router/topology"
)

// makeTree makes an allocator of this package by its name, with a stream of its own.
func makeTree(t testing.TB, name string, machine topology.Topology,
	stream *rand.Rand) allocation.Allocator {
	t.Helper()
	if stream == nil {
		stream = rand.New(rand.NewPCG(1, 2))
	}
	return must.Have(allocation.Named(Allocators(), name,
		allocation.Site{Machine: machine, Stream: stream}))
}
