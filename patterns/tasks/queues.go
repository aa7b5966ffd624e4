package tasks

import "contend/patterns"

// fifo is a first-in, first-out queue.
type fifo[T any] struct {
	list []T
	head int // index of the first value
}

// len returns the number of values.
func (q *fifo[T]) len() int { return len(q.list) - q.head }

// first returns the first value.
func (q *fifo[T]) first() T { return q.list[q.head] }

// push appends a value.
func (q *fifo[T]) push(i T) { q.list = append(q.list, i) }

// pop removes and returns the first value.
func (q *fifo[T]) pop() T {
	i := q.list[q.head]
	if q.head++; 2*q.head >= len(q.list) { // half or more is gone: make room
		q.list, q.head = q.list[:copy(q.list, q.list[q.head:])], 0
	}
	return i
}

// waiter is the number of a task, stream or flight that may continue, with the event that it waited
// for last.
type waiter struct {
	n     int32
	after patterns.Event // nil where nothing is traced
}

// calcEnd is the end of a computation.
type calcEnd struct {
	cycle, order int64 // the order of beginning decides between equal cycles
	task         int32
	event        patterns.Event // nil where nothing is traced
}

// Before orders ends in a heap.Heap.
func (a calcEnd) Before(b calcEnd) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}
