package executor

import (
	"cmp"
	"slices"

	"contend/netsim"
	"contend/patterns"
)

// Totals returns the totals of the messages of the job in a slot so far.
func (x *Executor) Totals(slot int32) netsim.Totals { return x.jobs[slot].totals }

// AppendState appends the state of the jobs in some slots, in ascending order: the positions of
// their programs, how long their processes are busy, and their timers, with times relative to now.
// With the state of the network it determines their future. AppendState reports false if a program
// has no position.
func (x *Executor) AppendState(words []int64, slots []int32) ([]int64, bool) {
	now := x.Net.Now()
	for _, slot := range slots {
		p, ok := x.jobs[slot].program.(patterns.Positioned)
		if !ok {
			return words, false
		}
		words = p.AppendPosition(words)
		for _, node := range x.jobs[slot].nodes {
			words = append(words, max(0, x.busy[node]-now))
		}
	}
	return x.timers.appendState(words, slots, now), true
}

// appendState appends the timers of the jobs in some slots in the order in which they fire.
func (t *timers) appendState(words []int64, slots []int32, now int64) []int64 {
	t.sorted = t.sorted[:0]
	for i := range t.list {
		if _, ok := slices.BinarySearch(slots, t.list[i].slot); ok {
			t.sorted = append(t.sorted, t.list[i])
		}
	}
	slices.SortFunc(t.sorted, func(a, b timer) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.order, b.order))
	})
	for i := range t.sorted {
		a := &t.sorted[i]
		words = append(words, int64(a.cycle)-now, int64(a.kind), int64(a.slot), int64(len(a.batch)))
		for _, m := range append(a.batch, a.message) {
			words = append(words, int64(m.From)<<32|int64(m.To),
				int64(m.Flits)<<32|int64(uint32(m.Tag)))
		}
	}
	return words
}

// freePlace takes the index of a free element of a list, or of a new one.
func freePlace[T any](list *[]T, free *[]int32) int32 {
	if n := len(*free); n > 0 {
		at := (*free)[n-1]
		*free = (*free)[:n-1]
		return at
	}
	*list = append(*list, *new(T))
	return int32(len(*list) - 1)
}
