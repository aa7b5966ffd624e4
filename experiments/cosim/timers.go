package cosim

import (
	"contend/patterns"
	"contend/scheduler"
)

// timer is something to happen later to the job in a slot.
type timer struct {
	cycle   scheduler.Cycle
	order   int64 // of setting, among equals
	message patterns.Message
	slot    int32
	kind    timerKind
}

// timerKind is what happens.
type timerKind uint8

const (
	endTimer     timerKind = iota // a job that does not communicate ends
	issueTimer                    // a process has computed and sends its message
	sendTimer                     // a process is through with sending its message
	receiveTimer                  // a process is through with receiving a message
)

// Before implements the order of scheduler.Heap: by cycle, then by the order of
// setting.
func (a timer) Before(b timer) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// timers are those that are set.
type timers struct {
	list scheduler.Heap[timer]
	set  int64
}

func (t *timers) len() int { return len(t.list) }

func (t *timers) push(x timer) {
	x.order = t.set
	t.set++
	t.list.Push(x)
}

func (t *timers) pop() timer { return t.list.Pop() }
