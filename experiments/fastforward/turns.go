package fastforward

import "slices"

// An iteration has blocks, of about the same number of messages. A turn is as many blocks as an
// iteration has, from whichever of them on: so turns can be counted from the beginning of a
// component, in which jobs are anywhere in their iterations.

// blocks returns the number of blocks of an iteration of a job.
func (k *jobState) blocks() int { return int(min(mostBlocks, k.perIteration)) }

// blockEnd returns the number of messages with which a block ends, counted from the first.
func blockEnd(k *jobState, block int) int64 {
	n := k.blocks()
	return int64(block/n)*k.perIteration + int64(block%n+1)*k.perIteration/int64(n)
}

// turns returns how many times a job has gone through all blocks of an iteration since the
// component began, from whichever of them on.
func (g *leg) turns(k *jobState) int {
	return max(0, len(g.blocks)-1-g.before) / k.blocks()
}

// times returns when each of the last n turns of a job began, and when the last ended.
func (g *leg) times(k *jobState, n int) []int64 {
	list := make([]int64, n+1)
	for i, last := 0, len(g.blocks)-1; i <= n; i++ {
		list[n-i] = g.blocks[last-i*k.blocks()]
	}
	return list
}

// turnsFrom returns the turns since a time.
func (g *leg) turnsFrom(k *jobState, from int64) int {
	i, _ := slices.BinarySearch(g.blocks, from)
	return max(0, len(g.blocks)-1-i) / k.blocks()
}
