package fastforward

import (
	"slices"

	"contend/netsim"
)

// An iteration is divided into blocks with about equal numbers of messages. Any blocks in a row, as
// many as an iteration has, count as an iteration. So iterations can be counted from the start of a
// component, when jobs may be anywhere in theirs.

// blocks returns the number of blocks of an iteration of a job.
func (k *jobState) blocks() int { return int(min(maxBlocks, k.perIteration)) }

// blockEnd returns the number of messages from the first one to the end of a block.
func blockEnd(k *jobState, block int) int64 {
	n := k.blocks()
	return int64(block/n)*k.perIteration + int64(block%n+1)*k.perIteration/int64(n)
}

// iterations returns the iterations that a job has completed since the start of the component.
func (g *progress) iterations(k *jobState) int {
	return max(0, len(g.blockEnds)-1-g.blocksBefore) / k.blocks()
}

// iterationsFrom returns the iterations that a job has completed since a time.
func (g *progress) iterationsFrom(k *jobState, from int64) int {
	i, _ := slices.BinarySearch(g.blockEnds, from)
	return max(0, len(g.blockEnds)-1-i) / k.blocks()
}

// iterationTimes returns the beginnings of the last n iterations of a job, and the end of the last.
func (g *progress) iterationTimes(k *jobState, n int) []int64 {
	list := make([]int64, n+1)
	for i, last := 0, len(g.blockEnds)-1; i <= n; i++ {
		list[n-i] = g.blockEnds[last-i*k.blocks()]
	}
	return list
}

// blockTimes returns the cycles of each block of an iteration in the last n iterations.
func (g *progress) blockTimes(blocks, n int) [][]float64 {
	last := g.blockEnds[len(g.blockEnds)-1-n*blocks:]
	list := make([][]float64, blocks)
	for i := range n * blocks {
		list[i%blocks] = append(list[i%blocks], float64(last[i+1]-last[i]))
	}
	return list
}

// wholeIterations returns the totals of the messages of whole iterations, or all if there are none.
func (g *progress) wholeIterations(k *jobState, all netsim.Totals) netsim.Totals {
	n := g.iterations(k)
	if n == 0 {
		return all
	}
	if g.period > 0 {
		n = len(g.periodEnds)
	}
	last := len(g.blockTotals) - 1
	return g.blockTotals[last].Minus(&g.blockTotals[last-n*k.blocks()])
}

// halfTotals returns the totals of the messages of a job in the first half of its whole iterations
// since a time, in the second half, and in both. All are empty if there are fewer than two
// iterations.
func (g *progress) halfTotals(k *jobState, from int64) (first, second, both netsim.Totals) {
	n := g.iterationsFrom(k, from) / 2 * k.blocks()
	if n == 0 {
		return
	}
	i, _ := slices.BinarySearch(g.blockEnds, from)
	a, b, c := &g.blockTotals[i], &g.blockTotals[i+n], &g.blockTotals[i+2*n]
	return b.Minus(a), c.Minus(b), c.Minus(a)
}
