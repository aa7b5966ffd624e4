package export

import "container/heap"

// span is a piece of time, from begin to end in nanoseconds.
type span struct{ begin, end int64 }

// lanes gives each span the lowest lane, from 0, in which no span is open when it begins.
// The spans are in the order of their beginnings.
func lanes(spans []span) []int {
	list := make([]int, len(spans))
	var open ends
	var free numbers
	next := 0
	for i, s := range spans {
		for len(open) > 0 && open[0].at <= s.begin {
			heap.Push(&free, heap.Pop(&open).(end).lane)
		}
		lane := next
		if len(free) > 0 {
			lane = heap.Pop(&free).(int)
		} else {
			next++
		}
		list[i] = lane
		heap.Push(&open, end{s.end, lane})
	}
	return list
}

// end is when a lane gets free.
type end struct {
	at   int64
	lane int
}

// ends is a heap with the first end on top, and numbers one with the lowest number.
type (
	ends    []end
	numbers []int
)

func (h ends) Len() int           { return len(h) }
func (h ends) Less(i, j int) bool { return h[i].at < h[j].at }
func (h ends) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *ends) Push(x any)        { *h = append(*h, x.(end)) }
func (h *ends) Pop() any          { return pop((*[]end)(h)) }

func (h numbers) Len() int           { return len(h) }
func (h numbers) Less(i, j int) bool { return h[i] < h[j] }
func (h numbers) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *numbers) Push(x any)        { *h = append(*h, x.(int)) }
func (h *numbers) Pop() any          { return pop((*[]int)(h)) }

// pop takes the last element off a list.
func pop[T any](list *[]T) T {
	last := (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	return last
}
