package fastforward

import (
	"slices"

	"contend/netsim"
)

// An iteration has blocks, of about the same number of messages. As many blocks as an iteration
// has, from any of them on, count as an iteration: so iterations can be counted from the beginning
// of a component, in which jobs are anywhere in theirs.

// blocks returns the number of blocks of an iteration of a job.
func (k *jobState) blocks() int { return int(min(maxBlocks, k.perIteration)) }

// blockEnd returns the number of messages with which a block ends, counted from the first.
func blockEnd(k *jobState, block int) int64 {
	n := k.blocks()
	return int64(block/n)*k.perIteration + int64(block%n+1)*k.perIteration/int64(n)
}

// iterations returns how many iterations a job has completed since the component began.
func (g *progress) iterations(k *jobState) int {
	return max(0, len(g.blocks)-1-g.before) / k.blocks()
}

// iterationsFrom returns how many a job has completed from a time on.
func (g *progress) iterationsFrom(k *jobState, from int64) int {
	i, _ := slices.BinarySearch(g.blocks, from)
	return max(0, len(g.blocks)-1-i) / k.blocks()
}

// times returns when each of the last n iterations of a job began, and when the last ended.
func (g *progress) times(k *jobState, n int) []int64 {
	list := make([]int64, n+1)
	for i, last := 0, len(g.blocks)-1; i <= n; i++ {
		list[n-i] = g.blocks[last-i*k.blocks()]
	}
	return list
}

// strata returns the times that each block of an iteration took in the last n iterations.
func (g *progress) strata(blocks, n int) [][]float64 {
	last := g.blocks[len(g.blocks)-1-n*blocks:]
	list := make([][]float64, blocks)
	for i := range n * blocks {
		list[i%blocks] = append(list[i%blocks], float64(last[i+1]-last[i]))
	}
	return list
}

// whole returns the sums over the messages of whole iterations, or those of all if there is none.
func (g *progress) whole(k *jobState, all netsim.Totals) netsim.Totals {
	n := g.iterations(k)
	if n == 0 {
		return all
	}
	if g.period > 0 {
		n = len(g.periodEnds)
	}
	last := len(g.sums) - 1
	return g.sums[last].Minus(&g.sums[last-n*k.blocks()])
}

// halves returns the sums over the messages of a job in whole iterations from a time on, in the
// first half of them, the second, and both. All are empty if there are fewer than two.
func (g *progress) halves(k *jobState, from int64) (first, second, both netsim.Totals) {
	n := g.iterationsFrom(k, from) / 2 * k.blocks()
	if n == 0 {
		return
	}
	i, _ := slices.BinarySearch(g.blocks, from)
	a, b, c := &g.sums[i], &g.sums[i+n], &g.sums[i+2*n]
	return b.Minus(a), c.Minus(b), c.Minus(a)
}
