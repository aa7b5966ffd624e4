package export

import "slices"

// span is a piece of time, from begin to end in nanoseconds.
type span struct{ begin, end int64 }

// lanes gives each span the lowest lane, from 0, in which no span is open when it begins.
// The spans are in the order of their beginnings.
func lanes(spans []span) []int {
	list := make([]int, len(spans))
	var ends []int64 // of the last span in each lane
	for i, s := range spans {
		lane := slices.IndexFunc(ends, func(end int64) bool { return end <= s.begin })
		if lane < 0 {
			lane, ends = len(ends), append(ends, 0)
		}
		list[i], ends[lane] = lane, s.end
	}
	return list
}
