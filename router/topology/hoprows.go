package topology

import "sync/atomic"

// unreached is the number of hops to a router that cannot be reached.
const unreached = int32(-1)

// hopRows keeps the hops from some routers of a graph to all others. All rows would take memory
// that grows with the square of the routers, so the rows of large graphs share places, and a row
// that was replaced is computed again. Results do not depend on which rows are kept.
type hopRows []atomic.Pointer[hopRow]

// hopRow has the hops from one router to all others.
type hopRow struct {
	from Router
	hops []int32
}

// maxHopRows is the maximum number of rows kept: a kilobyte a router.
const maxHopRows = 256

// find returns the row of router r, nil if it is not kept.
func (h hopRows) find(r Router) []int32 {
	if row := h[int(r)%len(h)].Load(); row != nil && row.from == r {
		return row.hops
	}
	return nil
}

// Distance implements Metric.
func (t *Graph) Distance(a, b Node) int {
	from, to := t.home[a], t.home[b]
	if back := t.hops.find(to); back != nil {
		return int(back[from])
	}
	return int(t.row(from)[to])
}

// search counts the channels from one router to all others.
func (t *Graph) search(from Router) []int32 {
	hops := make([]int32, t.Routers())
	for i := range hops {
		hops[i] = unreached
	}
	hops[from] = 0
	queue := make([]Router, 1, len(hops))
	for queue[0] = from; len(queue) > 0; queue = queue[1:] {
		r := queue[0]
		for _, e := range t.linkEnds[t.first[r]:t.first[r+1]] {
			if hops[e.router] == unreached {
				hops[e.router] = hops[r] + 1
				queue = append(queue, e.router)
			}
		}
	}
	return hops
}
