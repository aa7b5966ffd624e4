package mapping_test

import (
	"math/rand/v2"
	"testing"

	"contend/allocation/mapping"
	"contend/router/topology/topologytest"
)

// BenchmarkMapping maps 1024 processes of a grid, and 256 that all exchange with all.
func BenchmarkMapping(b *testing.B) {
	m := topologytest.Machine(b, "torus:16x16x16")
	all := make([]int64, 256*256)
	for i := range all {
		all[i] = 1
	}
	for name, traffic := range map[string]mapping.Traffic{"grid": gridTraffic(32, 32),
		"all-to-all": mapping.NewTraffic(256, all)} {
		p := placesOf(m, drawNodes(m, len(traffic), rand.New(rand.NewPCG(1, 1))))
		b.Run("bisection/"+name, func(b *testing.B) {
			for b.Loop() {
				p.Bisect(traffic)
			}
		})
		b.Run("greedy/"+name, func(b *testing.B) {
			for b.Loop() {
				p.Grow(traffic)
			}
		})
	}
}
