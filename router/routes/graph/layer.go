package graph

import "slices"

// layer is a set of dependencies between channels without a cycle. Channels are kept in an
// order in which each comes before those that may follow it. Where a new dependency contradicts
// the order, that is mended between the two channels (Pearce and Kelly, "A dynamic topological
// sort algorithm for directed acyclic graphs", ACM J. Experimental Algorithmics 11, 2006).
type layer struct {
	place, at   []int32   // of each channel in the order, and the channel at each place
	next, prior [][]int32 // the channels that follow each, and those that it follows
	closing     [][]int32 // of each channel those that never may follow it: they would close a cycle
	seen        []bool    // scratch of reach, by place: false between calls
	// scratch of order: the places of channels, and channels
	after, before, moved []int32
	added                []int32 // scratch of addWay: where on the way dependencies are new
}

func newLayer(channels int) *layer {
	k := &layer{place: make([]int32, channels), at: make([]int32, channels),
		next: make([][]int32, channels), prior: make([][]int32, channels),
		closing: make([][]int32, channels),
		seen:    make([]bool, channels)}
	for c := range k.place {
		k.place[c], k.at[c] = int32(c), int32(c)
	}
	return k
}

// addWay adds the dependencies of a way over some channels. If they would close a cycle it
// leaves the layer without them and reports false. A dependency that alone closes a cycle always
// will, since none is ever taken out: most ways are refused by one that is known to.
func (k *layer) addWay(way []int32) bool {
	for i := range len(way) - 1 {
		if slices.Contains(k.closing[way[i]], way[i+1]) {
			return false
		}
	}
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
			if len(k.added) == 0 || !k.order(a, b) {
				k.closing[a] = append(k.closing[a], b)
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
	low, high := k.place[b], k.place[a]
	if high < low {
		return true
	}
	k.after = k.reach(k.after[:0], low, high, k.next)
	if k.after[len(k.after)-1] == high {
		return false
	}
	k.before = k.reach(k.before[:0], high, low, k.prior)
	// Those before come first now, both in the order they were in, on the same places.
	slices.Sort(k.before)
	slices.Sort(k.after)
	places := append(k.before, k.after...)
	k.moved = k.moved[:0]
	for _, place := range places {
		k.moved = append(k.moved, k.at[place])
	}
	slices.Sort(places)
	for i, c := range k.moved {
		k.place[c], k.at[places[i]] = places[i], c
	}
	k.before = places
	return true
}

// reach appends the places of the channels that are reached from that at one place along edges,
// as far as they lie between that place and another one. It ends where it comes to the other one.
func (k *layer) reach(found []int32, from, to int32, edges [][]int32) []int32 {
	found = append(found, from)
	k.seen[from] = true
	low, span := min(from, to), uint32(max(from, to)-min(from, to))
search:
	for i := 0; i < len(found); i++ {
		for _, c := range edges[k.at[found[i]]] {
			if place := k.place[c]; uint32(place-low) <= span && !k.seen[place] {
				k.seen[place] = true
				if found = append(found, place); place == to {
					break search
				}
			}
		}
	}
	for _, place := range found {
		k.seen[place] = false
	}
	return found
}
