package allocation

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/internal/must"
	"contend/router/topology"
)

func meter(t testing.TB, machine topology.Topology) *Meter {
	t.Helper()
	return must.Have(NewMeter(machine))
}

// nearly allows rounding errors in the ratio of cubes.
var nearly = cmpopts.EquateApprox(1e-12, 0)

// count measures by visiting all pairs, all boxes, and all nodes of a box.
func count(cube *topology.Cube, nodes []topology.Node) Quality {
	q := Quality{Processors: len(nodes), Sides: [3]int{1, 1, 1}}
	q.PairwiseSum, q.PairwiseMean, q.Components = countPairs(cube.Distance, nodes)
	var first, sides []int
	for d, n := range cube.Dims() {
		start, side := shortest(cube, nodes, d, n)
		first, sides = append(first, start), append(sides, side)
		if d < 3 {
			q.Sides[d] = side
		}
		q.SideSum += side
	}
	for n := range topology.Node(cube.Nodes()) {
		within := true
		for d, length := range cube.Dims() {
			within = within && (cube.Coordinate(cube.RouterOf(n), d)-first[d]+length)%length < sides[d]
		}
		if within {
			q.Box++
		}
	}
	q.Dispersal = (float64(q.Box) - float64(len(nodes))) / float64(q.Box)
	q.WeightedDispersal = q.Dispersal * float64(len(nodes))
	most, dims := 0, 0.0
	for r := range topology.Router(cube.Routers()) {
		_, n := cube.NodesAt(r)
		most = max(most, n)
	}
	for _, n := range cube.Dims() {
		if n > 1 {
			dims++
		}
	}
	q.Cube = float64(most)
	for range int(dims) {
		q.Cube *= float64(slices.Max(sides))
	}
	least := 1.0
	for math.Pow(least, dims)*float64(most) < float64(len(nodes)) {
		least++
	}
	q.CubeRatio = math.Pow(float64(slices.Max(sides))/least, dims)
	return q
}

// countPairs visits all pairs for their distances and for the pairs that join two
// parts.
func countPairs(distance func(a, b topology.Node) int, nodes []topology.Node) (sum int64,
	mean float64, components int) {
	joined := make([]int, len(nodes))
	for i := range joined {
		joined[i] = i
	}
	components = len(nodes)
	pairs := 0
	for i, a := range nodes {
		for j, b := range nodes[:i] {
			pairs++
			sum += int64(distance(a, b))
			if from, to := joined[i], joined[j]; distance(a, b) < 2 && from != to {
				components--
				for k := range joined {
					if joined[k] == from {
						joined[k] = to
					}
				}
			}
		}
	}
	if pairs > 0 {
		mean = float64(sum) / float64(pairs)
	}
	return sum, mean, components
}

// shortest tries every length and start of an interval along dimension d.
func shortest(cube *topology.Cube, nodes []topology.Node, d, n int) (first, length int) {
	for length := 1; ; length++ {
		for start := range n {
			if start+length > n && !cube.Wrap()[d] {
				continue
			}
			if !slices.ContainsFunc(nodes, func(k topology.Node) bool {
				return (cube.Coordinate(cube.RouterOf(k), d)-start+n)%n >= length
			}) {
				return start, length
			}
		}
	}
}
