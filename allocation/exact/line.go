package exact

import "math"

// window is a run of points that slides along a line or a ring, with its sum of
// pairwise distances.
type window struct {
	at    []int   // positions of the points, those of a ring twice
	below []int64 // below[i] is the sum of at[:i]
	ring  int
	first int   // first point in the window, and
	end   int   // the point behind the last
	sum   int64 // sum of pairwise distances

	near   int   // first point within half a round before the next point to enter
	far    int   // first point beyond half a round behind the first one
	points []int // memory of minSum
}

// cluster returns the subset of size points of a line, or of a ring of ring places,
// with the least sum of pairwise distances. The subset consists of the points from
// index first on, around the end of a ring. Positions increase. On a ring they are from
// 0 to ring-1; ring is 0 for a line. Among equals it returns the first.
//
// A best subset never skips a point between its own points. On a line the sum of the
// distances to all others is a convex function, so the skipped point could replace the
// farther end. On a ring the tests check all point sets up to twelve places. So a
// window of consecutive points slides along, and sums of positions give its gain and
// loss in a step. This takes linear time, like the dynamic programme that [Bender et
// al., WADS 2005, sec. 1] mention.
func (w *window) cluster(positions []int, size, ring int) (first int, sum int64) {
	if size < 1 || size > len(positions) {
		panic("allocation: cluster needs at least one point and at most all")
	}
	w.load(positions, ring)
	starts := len(positions) - size + 1
	if ring > 0 {
		starts = len(positions)
	}
	for range size {
		w.push()
	}
	first, sum = 0, w.sum
	for i := 1; i < starts; i++ {
		w.shift()
		w.push()
		if w.sum < sum {
			first, sum = i, w.sum
		}
	}
	return first, sum
}

// load sets the points to the positions on a line, or on a ring of that length.
func (w *window) load(positions []int, ring int) {
	*w = window{at: w.at[:0], below: append(w.below[:0], 0), ring: ring, points: w.points}
	w.at = append(w.at, positions...)
	if ring > 0 {
		for _, x := range positions {
			w.at = append(w.at, x+ring)
		}
	}
	total := int64(0)
	for _, x := range w.at {
		total += int64(x)
		w.below = append(w.below, total)
	}
}

// push adds the next point to the window.
func (w *window) push() {
	x := w.at[w.end]
	w.near = max(w.near, w.first)
	for w.ring > 0 && 2*(x-w.at[w.near]) > w.ring {
		w.near++
	}
	w.sum += int64(w.end-w.near)*int64(x) - (w.below[w.end] - w.below[w.near])
	w.sum += int64(w.near-w.first)*int64(w.ring-x) + w.below[w.near] - w.below[w.first]
	w.end++
}

// shift removes the first point from the window.
func (w *window) shift() {
	x := w.at[w.first]
	w.first++
	w.far = max(w.far, w.first)
	for w.far < w.end && (w.ring == 0 || 2*(w.at[w.far]-x) <= w.ring) {
		w.far++
	}
	w.sum -= w.below[w.far] - w.below[w.first] - int64(w.far-w.first)*int64(x)
	w.sum -= int64(w.end-w.far)*int64(w.ring+x) - (w.below[w.end] - w.below[w.far])
}

// newWindow returns a window with room for the given number of points.
func newWindow(points int) window {
	return window{at: make([]int, 0, 2*points), below: make([]int64, 0, 2*points+1),
		points: make([]int, 0, points)}
}

// minSum returns the least sum of pairwise distances of size points, at most room[x]
// of which are at x. It returns MaxInt64 if there is not enough room.
func (w *window) minSum(room []int32, size, ring int) int64 {
	w.points = w.points[:0]
	for x, n := range room {
		for range min(int(n), size) {
			w.points = append(w.points, x)
		}
	}
	switch {
	case size == 0:
		return 0
	case size > len(w.points):
		return math.MaxInt64 / 4
	}
	_, sum := w.cluster(w.points, size, ring)
	return sum
}
