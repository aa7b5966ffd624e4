// Package bynametest makes allocators of their short forms, for tests.
package bynametest

import (
	"math/rand/v2"
	"testing"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/internal/must"
	"contend/router/topology"
)

// Make returns an allocator from its short form, random with a fixed seed.
func Make(t testing.TB, short string, machine topology.Topology) allocation.Allocator {
	t.Helper()
	c := must.Have(byname.Parse(short))
	return must.Have(byname.New(c, machine, rand.New(rand.NewPCG(1, 2))))
}
