//go:build long

package netsim_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contend/netsim"
	"contend/router"
	"contend/router/routes"
	"contend/router/topology/topologytest"
)

func TestLongEngineAgreesWithReference(t *testing.T) { engineAgrees(t, 300) }

// Where queues are long a packet that may take a detour in each dimension often does. The engine
// and the plain model agree on that too.
func TestLongDALAgreesWithReference(t *testing.T) {
	makers := routes.Builtin()
	i := slices.IndexFunc(makers, func(k router.Maker) bool { return k.Name == "dal" })
	rapid.Check(t, func(r *rapid.T) {
		m := topologytest.Machine(r, rapid.SampledFrom([]string{"hyperx:4:p2", "hyperx:3x3:p1",
			"hyperx:3x2:w2p1"}).Draw(r, "machine"))
		compare(r, routed(r, m, makers[i]))
	})
}

// Parts that stand still catch up, in many more draws.
func TestLongFrozenPartsCatchUp(t *testing.T) { partsCatchUp(t, fewerOfSlow(500)) }

func TestLongFrozenPartsCatchUpWhereLinksFail(t *testing.T) {
	partsCatchUpWhereLinksFail(t, fewerOfSlow(500))
}

// fewerOfSlow returns a number of draws, or a fifth of it where every cycle is checked.
func fewerOfSlow(draws int) int {
	if netsim.Slow {
		return draws / 5
	}
	return draws
}
