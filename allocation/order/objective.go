package order

import (
	"contend/allocation"
	"contend/router/topology"
)

// The weight w(k) of two nodes whose ranks differ by k halves with every four ranks and
// is 0 beyond 24: w(1) = 1, w(5) = 1/2. The paper asks for a rapid, for instance
// exponential, decrease and gives no figures. If the weight halves with every rank, the
// search finds orders that join clumps of a few nodes by long ways: 30 consecutive
// nodes of 32x32 are up to 9% farther apart than on Hilbert's curve. With these figures
// they are 2% nearer, on 8x8x5 5%.
const weightWindow = 24

// weightUnit is the weight 1. Weights are whole numbers, so that sums do not depend on
// the order of addition. They are even, because some are halved.
const weightUnit = 1 << 20

// weightOf returns w(k) in units of 1/weightUnit.
func weightOf(k int) int64 {
	if k < 1 || k > weightWindow {
		return 0
	}
	quarters := [4]int64{weightUnit, 881744, 741455, 623487} // weightUnit times 2^(-i/4)
	return quarters[(k-1)%4] >> ((k - 1) / 4) &^ 1
}

// objective returns the sum over pairs of nodes of their distance times the weight of
// their difference in rank [Leung et al. 2002, sec. 2.2 and 2.3], in units of
// 1/weightUnit. The difference is the shorter way round, because the span is that of a
// ring.
func objective(d *allocation.Rows, order []topology.Node) int64 {
	n, sum := len(order), int64(0)
	for i, a := range order {
		row := d.Row(d.Home[a])
		for k := 1; k <= min(weightWindow, n/2); k++ {
			pair := weightOf(k) * int64(row[d.Home[order[(i+k)%n]]])
			if 2*k == n {
				pair /= 2 // both ends count it
			}
			sum += pair
		}
	}
	return sum
}

// homeWeights returns the weight of two homes by the number of places between them, on
// a ring of homes with the same number of nodes. It is the sum over their pairs of
// nodes. The last entry is not 0.
func homeWeights(homes, per int) []int32 {
	weights := make([]int32, 1, homes/2+1)
	nodes := homes * per
	for k := 1; k <= homes/2; k++ {
		sum := int64(0)
		for a := range per {
			for b := range per {
				gap := k*per + b - a
				sum += weightOf(min(gap, nodes-gap))
			}
		}
		if 2*k == homes {
			sum /= 2
		}
		if sum == 0 {
			break
		}
		weights = append(weights, int32(sum))
	}
	return weights
}
