package scheduler

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHeapIsASortedList: after any pushes and removals the first value is the least.
func TestHeapIsASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Heap[ending]
		var list []ending // in order
		order := func(a, b ending) int { return int(a.at-b.at)*1000 + int(a.id-b.id) }
		for id := range JobID(rapid.IntRange(0, 200).Draw(t, "steps")) {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				if len(list) > 0 {
					if got := h.Pop(); got != list[0] {
						t.Fatalf("%v comes out, want %v", got, list[0])
					}
					list = list[1:]
				}
			case 1:
				if len(list) > 0 {
					i := rapid.IntRange(0, len(h)-1).Draw(t, "i")
					at, _ := slices.BinarySearchFunc(list, h[i], order)
					h.Remove(i)
					list = slices.Delete(list, at, at+1)
				}
			default:
				e := ending{Cycle(rapid.IntRange(0, 20).Draw(t, "at")), id}
				h.Push(e)
				at, _ := slices.BinarySearchFunc(list, e, order)
				list = slices.Insert(list, at, e)
			}
			if len(h) != len(list) || len(h) > 0 && h[0] != list[0] {
				t.Fatalf("%v, want %v first of %d", h, list[0], len(list))
			}
		}
	})
}
