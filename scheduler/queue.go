package scheduler

import "math"

// queue holds the waiting jobs in order of arrival. A job that leaves makes a hole, so
// that no other job moves. The queue closes the holes when they outnumber the jobs.
//
// Policies search for the next job that fits over and over, in queues of thousands of
// jobs. So sizes and estimates are stored apart from the entries, and each block of
// places has its smallest size and estimate. A block in which nothing fits costs one
// comparison (BenchmarkEASYTree).
type queue struct {
	entries   []*Entry // nil for a hole
	sizes     []int32  // noSize for a hole
	estimates []Cycle
	blocks    []queueBlock
	head      int // place of the first job; len(entries) if none waits
	count     int
}

// queueBlock holds the smallest size and estimate of blockPlaces places.
type queueBlock struct {
	size     int32
	estimate Cycle
}

const (
	blockPlaces = 64
	noSize      = math.MaxInt32 // larger than any machine
)

// push appends a job. Other jobs may change their places.
func (q *queue) push(e *Entry, estimate Cycle) {
	if len(q.entries) >= 2*blockPlaces && 2*q.count < len(q.entries) {
		q.compact()
	}
	q.append(e, int32(e.Job.Size), estimate)
	q.count++
}

// append puts a job in the last place.
func (q *queue) append(e *Entry, size int32, estimate Cycle) {
	e.place = len(q.entries)
	if e.place%blockPlaces == 0 {
		q.blocks = append(q.blocks, queueBlock{noSize, MaxCycle})
	}
	b := &q.blocks[e.place/blockPlaces]
	b.size, b.estimate = min(b.size, size), min(b.estimate, estimate)
	q.entries = append(q.entries, e)
	q.sizes = append(q.sizes, size)
	q.estimates = append(q.estimates, estimate)
}

// holds reports whether a job waits.
func (q *queue) holds(e *Entry) bool {
	return e.place < len(q.entries) && q.entries[e.place] == e
}

// remove removes a job. Other jobs keep their places.
func (q *queue) remove(e *Entry) {
	q.entries[e.place], q.sizes[e.place], q.estimates[e.place] = nil, noSize, MaxCycle
	if q.count--; q.count == 0 {
		q.clear()
		return
	}
	for q.entries[q.head] == nil {
		q.head++
	}
	n := len(q.entries)
	for q.entries[n-1] == nil {
		n--
	}
	q.entries, q.sizes, q.estimates = q.entries[:n], q.sizes[:n], q.estimates[:n]
	q.blocks = q.blocks[:(n+blockPlaces-1)/blockPlaces]
	if k := e.place / blockPlaces; k < len(q.blocks) {
		b := queueBlock{noSize, MaxCycle}
		for i := k * blockPlaces; i < min((k+1)*blockPlaces, n); i++ {
			b.size, b.estimate = min(b.size, q.sizes[i]), min(b.estimate, q.estimates[i])
		}
		q.blocks[k] = b
	}
}

// compact closes the holes.
func (q *queue) compact() {
	entries, sizes, estimates := q.entries, q.sizes, q.estimates
	q.clear()
	for i, e := range entries { // reads never fall behind writes
		if e != nil {
			q.append(e, sizes[i], estimates[i])
		}
	}
	clear(entries[len(q.entries):])
}

// clear empties the queue.
func (q *queue) clear() {
	q.entries, q.sizes, q.estimates = q.entries[:0], q.sizes[:0], q.estimates[:0]
	q.blocks, q.head = q.blocks[:0], 0
}

// find returns the first place, from a given place on, whose job asks for at most free
// nodes and meets one of two conditions: its estimate is at most limit, or it asks for
// at most extra nodes. find reports false if there is none.
func (q *queue) find(from, free, extra int, limit Cycle) (int, bool) {
	fits, spare := int32(free), int32(min(free, extra))
	for from < len(q.entries) {
		b := &q.blocks[from/blockPlaces]
		end := min(from/blockPlaces*blockPlaces+blockPlaces, len(q.entries))
		if b.size <= spare || b.size <= fits && b.estimate <= limit {
			for i, size := range q.sizes[from:end] {
				if size <= spare || size <= fits && q.estimates[from+i] <= limit {
					return from + i, true
				}
			}
		}
		from = end
	}
	return 0, false
}

// after returns the place of the first job from a given place on. It reports false if
// there is none.
func (q *queue) after(from int) (int, bool) { return q.find(from, noSize-1, 0, MaxCycle) }

// unseen returns the place of the first job whose arrival number exceeds seen. It
// reports false if there is none.
func (q *queue) unseen(seen int64) (int, bool) {
	i := len(q.entries)
	for i > q.head && (q.entries[i-1] == nil || q.entries[i-1].arrival > seen) {
		i--
	}
	return q.after(i)
}
