package deadlock

import "contend/router"

// components returns the strongly connected components of more than one channel (Tarjan,
// SIAM J. Computing 1, 1972), without recursion: paths are as long as there are channels.
func components(next [][]router.Channel) (parts [][]router.Channel) {
	k := tarjan{next: next, found: make([]int32, len(next)), low: make([]int32, len(next)),
		taken: make([]int32, len(next))}
	for c := range router.Channel(len(next)) {
		if k.found[c] == 0 && len(next[c]) > 0 {
			parts = k.from(parts, c)
		}
	}
	return parts
}

// tarjan is the state of a search for components.
type tarjan struct {
	next  [][]router.Channel
	found []int32 // when a channel was found, counted from 1; 0: not yet
	low   []int32 // the earliest channel on the stack known to be reached from it
	taken []int32 // how many of its successors have been looked at
	count int32
	path  []router.Channel // from the start to where the search is
	stack []router.Channel // found, their component not yet complete
}

// complete is later than all channels on the stack.
const complete = int32(1<<31 - 1)

func (k *tarjan) enter(c router.Channel) {
	k.count++
	k.found[c], k.low[c] = k.count, k.count
	k.path, k.stack = append(k.path, c), append(k.stack, c)
}

// from appends the components that are reached from a channel first.
func (k *tarjan) from(parts [][]router.Channel, start router.Channel) [][]router.Channel {
	k.enter(start)
	for len(k.path) > 0 {
		c := k.path[len(k.path)-1]
		if i := k.taken[c]; int(i) < len(k.next[c]) {
			k.taken[c]++
			if d := k.next[c][i]; k.found[d] == 0 {
				k.enter(d)
			} else {
				k.low[c] = min(k.low[c], k.low[d])
			}
			continue
		}
		k.path = k.path[:len(k.path)-1]
		if n := len(k.path); n > 0 {
			k.low[k.path[n-1]] = min(k.low[k.path[n-1]], k.low[c])
		}
		if k.low[c] == k.found[c] {
			parts = k.close(parts, c)
		}
	}
	return parts
}

// close takes the component of a channel off the stack.
func (k *tarjan) close(parts [][]router.Channel, c router.Channel) [][]router.Channel {
	i := len(k.stack) - 1
	for k.stack[i] != c {
		i--
	}
	for _, d := range k.stack[i:] {
		k.low[d] = complete
	}
	if part := k.stack[i:]; len(part) > 1 {
		parts = append(parts, append([]router.Channel(nil), part...))
	}
	k.stack = k.stack[:i]
	return parts
}
