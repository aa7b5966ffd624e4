package routes

import "slices"

// layer is a set of dependencies between channels without a cycle.
type layer struct {
	next    [][]int32 // by channel: the channels that follow it
	closing [][]int32 // by channel: channels that must not follow it, since they would close a cycle
	seen    []int32   // by channel: the last search that reached it
	search  int32     // number of the last search
	stack   []int32   // scratch of leads
	added   []int32   // scratch of addPath: channels with a new dependency
}

// newLayer returns an empty layer.
func newLayer(channels int) *layer {
	return &layer{next: make([][]int32, channels), closing: make([][]int32, channels),
		seen: make([]int32, channels)}
}

// addPath adds the dependencies of a path over some channels. If they would close a cycle it adds
// none and reports false. A dependency that alone closes a cycle always will, since none is ever
// removed. Such ones are kept in closing, which refuses most paths without a search.
func (k *layer) addPath(path []int32) bool {
	for i := range len(path) - 1 {
		if slices.Contains(k.closing[path[i]], path[i+1]) {
			return false
		}
	}
	k.added = k.added[:0]
	for i := range len(path) - 1 {
		a, b := path[i], path[i+1]
		if slices.Contains(k.next[a], b) {
			continue
		}
		if k.leads(b, a) {
			for _, a := range k.added {
				k.next[a] = k.next[a][:len(k.next[a])-1]
			}
			if len(k.added) == 0 || k.leads(b, a) {
				k.closing[a] = append(k.closing[a], b)
			}
			return false
		}
		k.next[a] = append(k.next[a], b)
		k.added = append(k.added, a)
	}
	return true
}

// leads reports whether dependencies lead from channel a to channel b.
func (k *layer) leads(a, b int32) bool {
	k.search++
	k.stack = append(k.stack[:0], a)
	for len(k.stack) > 0 {
		c := k.stack[len(k.stack)-1]
		k.stack = k.stack[:len(k.stack)-1]
		if c == b {
			return true
		}
		for _, d := range k.next[c] {
			if k.seen[d] != k.search {
				k.seen[d] = k.search
				k.stack = append(k.stack, d)
			}
		}
	}
	return false
}
