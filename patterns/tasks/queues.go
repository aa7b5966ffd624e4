package tasks

// fifo is a queue of numbers.
type fifo struct {
	list []int32
	head int
}

func (q *fifo) len() int     { return len(q.list) - q.head }
func (q *fifo) first() int32 { return q.list[q.head] }
func (q *fifo) push(i int32) { q.list = append(q.list, i) }

func (q *fifo) pop() int32 {
	i := q.list[q.head]
	if q.head++; 2*q.head >= len(q.list) { // half or more is gone: make room
		q.list, q.head = q.list[:copy(q.list, q.list[q.head:])], 0
	}
	return i
}

// calcEnd is the end of a computation.
type calcEnd struct {
	cycle, order int64 // the order of beginning decides between equal cycles
	task         int32
}

// Before orders ends in a scheduler.Heap.
func (a calcEnd) Before(b calcEnd) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}
