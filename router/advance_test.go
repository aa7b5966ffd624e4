package router

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The calendar gives every event back in its cycle, however far ahead it was
// entered.
func TestWheelKeepsTime(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := &Routers{calendar: newCalendar(rapid.Int64Range(1, 300).Draw(r, "span"))}
		w := &b.calendar
		now, id := int64(0), int32(0)
		want := map[int64][]int32{}
		for range rapid.IntRange(1, 200).Draw(r, "steps") {
			for range rapid.IntRange(0, 3).Draw(r, "events") {
				at := now + rapid.SampledFrom([]int64{0, 1, 2, 63, 64, 65, 127, 300, 1000, 5000}).Draw(r,
					"ahead")
				w.schedule(now, event{at, id, tailArrives})
				want[at] = append(want[at], id)
				id++
			}
			next, ok := w.next(now)
			if ok != (len(want) > 0) {
				r.Fatalf("next says %v with %d cycles to come", ok, len(want))
			}
			if !ok {
				continue
			}
			first := int64(1) << 62
			for at := range want {
				first = min(first, at)
			}
			if next != first {
				r.Fatalf("the next cycle is %d, want %d (now %d)", next, first, now)
			}
			now = next
			b.now = now
			b.moveLaterEvents()
			s := &w.slots[now&w.mask]
			got := slices.Sorted(slices.Values(s.tails))
			if !slices.Equal(got, want[now]) {
				r.Fatalf("cycle %d has %v, want %v", now, got, want[now])
			}
			s.tails = nil
			w.clear(now)
			delete(want, now)
		}
	})
}
