package heap_test

import (
	"fmt"

	"contend/internal/heap"
)

// cycle is a value that comes before later ones.
type cycle int

func (a cycle) Before(b cycle) bool { return a < b }

// Values leave in order; one can be removed from the middle.
func Example() {
	var h heap.Heap[cycle]
	for _, c := range []cycle{5, 2, 9, 1, 7, 3, 8} {
		h.Push(c)
	}
	for i, c := range h {
		if c == 7 {
			h.Remove(i)
			break
		}
	}
	for len(h) > 0 {
		fmt.Print(h.Pop(), " ")
	}
	// Output: 1 2 3 5 8 9
}
