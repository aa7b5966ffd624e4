// Package heap has a binary heap of values that order themselves.
package heap

// Heap is a binary heap of values with the first value at index 0. The method Before
// orders the values. Values that it does not order come in any order.
type Heap[T interface{ Before(T) bool }] []T

// Push adds e.
func (h *Heap[T]) Push(e T) {
	*h = append(*h, e)
	h.up(len(*h)-1, e)
}

// Pop removes and returns the first value.
func (h *Heap[T]) Pop() T {
	first := (*h)[0]
	h.Remove(0)
	return first
}

// Remove removes the value at i.
func (h *Heap[T]) Remove(i int) {
	n := len(*h) - 1
	last := (*h)[n]
	var none T
	(*h)[n] = none // releases what the element refers to
	*h = (*h)[:n]
	if i == n {
		return
	}
	for list := *h; ; {
		child := 2*i + 1
		if child >= n {
			break
		}
		if child+1 < n && list[child+1].Before(list[child]) {
			child++
		}
		if !list[child].Before(last) {
			break
		}
		list[i] = list[child]
		i = child
	}
	h.up(i, last)
}

// up puts e at i, or at the ancestor of i where it belongs.
func (h *Heap[T]) up(i int, e T) {
	list := *h
	for i > 0 && e.Before(list[(i-1)/2]) {
		list[i] = list[(i-1)/2]
		i = (i - 1) / 2
	}
	list[i] = e
}
