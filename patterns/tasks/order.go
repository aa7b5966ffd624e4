package tasks

import "contend/internal/heap"

// place is an index of a list.
type place int32

// Before orders places in a heap.Heap.
func (a place) Before(b place) bool { return a < b }

// Order returns the places 0 to n-1 of a list such that each comes after those that it waits for,
// and otherwise in ascending order. If places wait for each other in a cycle, Order reports false
// and returns two of them, of which the first waits for the second.
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
