package run

import (
	"contend/patterns"
	"contend/scheduler"
)

// timer is a later event of the job in a slot.
type timer struct {
	cycle   scheduler.Cycle
	order   int64 // in which timers were set; it decides between equal cycles
	message patterns.Message
	slot    int32
	parcel  int32 // of an issueTimer: its messages
	kind    timerKind
}

// timerKind is the kind of event of a timer.
type timerKind uint8

const (
	endTimer     timerKind = iota // a job that does not communicate ends
	issueTimer                    // processes have computed and send their messages
	sendTimer                     // a process has sent its message
	receiveTimer                  // a process has received a message
)

// Before orders timers in a scheduler.Heap by cycle, and then by the order of setting.
func (a timer) Before(b timer) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

// timers is a queue of timers.
type timers struct {
	list    scheduler.Heap[timer]
	set     int64
	parcels [][]patterns.Message // messages that wait for one timer
	free    []int32              // parcels that no timer has
	sorted  []timer              // scratch
}

func (t *timers) len() int { return len(t.list) }

func (t *timers) push(x timer) {
	x.order = t.set
	t.set++
	t.list.Push(x)
}

func (t *timers) pop() timer { return t.list.Pop() }

// issue sets one timer for messages of a job that are sent in the same cycle, in their order.
func (t *timers) issue(cycle scheduler.Cycle, slot int32, messages []patterns.Message) {
	if len(t.free) == 0 {
		t.free = append(t.free, int32(len(t.parcels)))
		t.parcels = append(t.parcels, nil)
	}
	n := len(t.free) - 1
	parcel := t.free[n]
	t.free = t.free[:n]
	t.parcels[parcel] = append(t.parcels[parcel][:0], messages...)
	t.push(timer{cycle: cycle, slot: slot, parcel: parcel, kind: issueTimer})
}

// reset removes all timers.
func (t *timers) reset() {
	t.list, t.free = t.list[:0], t.free[:0]
	for i := range t.parcels {
		t.free = append(t.free, int32(i))
	}
}
