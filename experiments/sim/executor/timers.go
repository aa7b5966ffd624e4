package executor

import (
	"contend/internal/heap"
	"contend/patterns"
	"contend/scheduler"
)

// timer is a later event of the job in a slot.
type timer struct {
	cycle   scheduler.Cycle
	order   int64 // in which timers were set; it decides between equal cycles
	message patterns.Message
	batch   []patterns.Message // of an issueTimer: messages that are sent in the same cycle
	slot    int32
	kind    timerKind
}

// timerKind is the kind of event of a timer.
type timerKind uint8

const (
	endTimer     timerKind = iota // a job that does not communicate ends
	issueTimer                    // processes have computed and issue their messages
	sendTimer                     // a process has prepared its message, which is injected
	receiveTimer                  // a process has received a message
	wakeTimer                     // a program is due, unless it has woken before
)

// Before orders timers in a heap.Heap by cycle, and then by the order of setting.
func (a timer) Before(b timer) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// timers is a queue of timers.
type timers struct {
	list   heap.Heap[timer]
	set    int64
	sorted []timer // scratch
}

func (t *timers) push(x timer) {
	x.order = t.set
	t.set++
	t.list.Push(x)
}
