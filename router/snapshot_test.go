package router

import (
	"slices"
	"testing"
)

// Packets are named by the order of their numbers, the same packet by the same name.
func TestPacketsOfASnapshotAreNamedInOrder(t *testing.T) {
	var s Snapshot
	for _, number := range []int64{90, 7, 90, 41, 7, 41, 3} {
		s.AppendNumber(number)
		s.Words = append(s.Words, 5000) // no number of a packet
	}
	s.namePackets()
	want := []int64{4, 5000, 2, 5000, 4, 5000, 3, 5000, 2, 5000, 3, 5000, 1, 5000}
	if !slices.Equal(s.Words, want) {
		t.Errorf("names %v, want %v", s.Words, want)
	}
}
