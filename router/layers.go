package router

import (
	"cmp"
	"slices"
)

// layer is a set of dependencies between channels without a cycle. Channels are kept in an
// order in which each comes before those that may follow it. Where a new dependency contradicts
// the order, that is mended between the two channels (Pearce and Kelly, "A dynamic topological
// sort algorithm for directed acyclic graphs", ACM J. Experimental Algorithmics 11, 2006).
type layer struct {
	place       []int32   // of each channel in the order
	next, prior [][]int32 // the channels that follow each, and those that it follows
	seen        []bool    // scratch of reach, false between calls
	added       []int32   // scratch of addWay: where on the way dependencies are new
}

func newLayer(channels int) *layer {
	k := &layer{place: make([]int32, channels), next: make([][]int32, channels),
		prior: make([][]int32, channels), seen: make([]bool, channels)}
	for c := range k.place {
		k.place[c] = int32(c)
	}
	return k
}

// addWay adds the dependencies of a way over some channels. If they would close a cycle it
// leaves the layer without them and reports false.
func (k *layer) addWay(way []int32) bool {
	k.added = k.added[:0]
	for i := range len(way) - 1 {
		a, b := way[i], way[i+1]
		if slices.Contains(k.next[a], b) {
			continue
		}
		if !k.order(a, b) {
			for _, j := range slices.Backward(k.added) {
				a, b := way[j], way[j+1]
				k.next[a], k.prior[b] = k.next[a][:len(k.next[a])-1], k.prior[b][:len(k.prior[b])-1]
			}
			return false
		}
		k.next[a], k.prior[b] = append(k.next[a], b), append(k.prior[b], a)
		k.added = append(k.added, int32(i))
	}
	return true
}

// order mends the order so that channel a comes before channel b. It reports false if a follows
// b already.
func (k *layer) order(a, b int32) bool {
	if k.place[a] < k.place[b] {
		return true
	}
	after := k.reach(b, k.next, func(c int32) bool { return k.place[c] <= k.place[a] })
	if slices.Contains(after, a) {
		return false
	}
	before := k.reach(a, k.prior, func(c int32) bool { return k.place[c] >= k.place[b] })
	// Those before come first now, both in the order they were in, on the same places.
	byPlace := func(c, d int32) int { return cmp.Compare(k.place[c], k.place[d]) }
	slices.SortFunc(after, byPlace)
	slices.SortFunc(before, byPlace)
	moved := append(before, after...)
	places := make([]int32, 0, len(moved))
	for _, c := range moved {
		places = append(places, k.place[c])
	}
	slices.Sort(places)
	for i, c := range moved {
		k.place[c] = places[i]
	}
	return true
}

// reach returns the channels that are reached from one of them along edges, as far as within
// holds of all.
func (k *layer) reach(from int32, edges [][]int32, within func(c int32) bool) []int32 {
	found := []int32{from}
	k.seen[from] = true
	for i := 0; i < len(found); i++ {
		for _, c := range edges[found[i]] {
			if !k.seen[c] && within(c) {
				k.seen[c] = true
				found = append(found, c)
			}
		}
	}
	for _, c := range found {
		k.seen[c] = false
	}
	return found
}
