package scheduler

// Heap is a binary heap of values, the first of them at 0. Which of two comes
// first their method Before says; values that are equal to it have no order.
type Heap[T interface{ Before(T) bool }] []T

// Push puts e in.
func (h *Heap[T]) Push(e T) {
	*h = append(*h, e)
	h.up(len(*h)-1, e)
}

// Pop takes out the first.
func (h *Heap[T]) Pop() T {
	first := (*h)[0]
	h.Remove(0)
	return first
}

// Remove takes out the value at i.
func (h *Heap[T]) Remove(i int) {
	n := len(*h) - 1
	last := (*h)[n]
	var none T
	(*h)[n] = none // what it refers to may go
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

// up puts e at i, or as far above it as it belongs.
func (h *Heap[T]) up(i int, e T) {
	list := *h
	for i > 0 && e.Before(list[(i-1)/2]) {
		list[i] = list[(i-1)/2]
		i = (i - 1) / 2
	}
	list[i] = e
}
