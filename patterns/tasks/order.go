package tasks

import "contend/internal/heap"

// place is a place in a list.
type place int32

// Before orders places in a heap.Heap.
func (a place) Before(b place) bool { return a < b }

// Order returns the places of a list of n such that each comes after those that it waits for, else
// ascending. If some wait for each other, it returns one that waits for the other and so for itself
// instead.
func Order(n int, waitsFor func(i int32) []int32) (order []int32, cycle [2]int32, ok bool) {
	waits, next := make([]int, n), make([][]int32, n)
	var ready heap.Heap[place]
	for i := range int32(n) {
		list := waitsFor(i)
		if waits[i] = len(list); waits[i] == 0 {
			ready.Push(place(i))
		}
		for _, before := range list {
			next[before] = append(next[before], i)
		}
	}
	for len(ready) > 0 {
		i := int32(ready.Pop())
		order = append(order, i)
		for _, j := range next[i] {
			if waits[j]--; waits[j] == 0 {
				ready.Push(place(j))
			}
		}
	}
	if len(order) == n {
		return order, cycle, true
	}
	for i := range int32(n) {
		if waits[i] > 0 {
			cycle[1] = i
		}
	}
	for range 2 * n { // steps back end in a cycle
		cycle[0] = cycle[1]
		for _, before := range waitsFor(cycle[0]) {
			if waits[before] > 0 {
				cycle[1] = before
				break
			}
		}
	}
	return nil, cycle, false
}
