package deadlock

import (
	"slices"

	"contend/router"
)

// components returns the strongly connected components of a graph that have more than one channel
// (Sharir, Computers & Mathematics with Applications 7, 1981). A component has the channels, in no
// component yet, that reach the last channel that a depth-first search leaves. There is no
// recursion, since a path may have all channels.
func components(next [][]router.Channel) (parts [][]router.Channel) {
	prior := make([][]router.Channel, len(next))
	for c := range next {
		for _, d := range next[c] {
			prior[d] = append(prior[d], router.Channel(c))
		}
	}
	taken := make([]bool, len(next))
	for _, c := range slices.Backward(depthFirstOrder(next)) {
		if taken[c] {
			continue
		}
		taken[c] = true
		part := []router.Channel{c}
		for i := 0; i < len(part); i++ {
			for _, d := range prior[part[i]] {
				if !taken[d] {
					taken[d] = true
					part = append(part, d)
				}
			}
		}
		if len(part) > 1 {
			parts = append(parts, part)
		}
	}
	return parts
}

// depthFirstOrder returns all channels in the order in which a depth-first search leaves them.
func depthFirstOrder(next [][]router.Channel) (order []router.Channel) {
	found, visited := make([]bool, len(next)), make([]int32, len(next)) // visited: successors
	var path []router.Channel
	for start := range next {
		if !found[start] {
			found[start], path = true, append(path, router.Channel(start))
		}
		for len(path) > 0 {
			c := path[len(path)-1]
			if i := visited[c]; int(i) == len(next[c]) {
				path, order = path[:len(path)-1], append(order, c)
			} else if visited[c]++; !found[next[c][i]] {
				found[next[c][i]], path = true, append(path, next[c][i])
			}
		}
	}
	return order
}
