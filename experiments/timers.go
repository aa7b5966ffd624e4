package experiments

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

// timers is a binary heap: first by cycle, then in the order of setting.
type timers struct {
	list []timer
	set  int64
}

func (t *timers) len() int { return len(t.list) }

func (a *timer) before(b *timer) bool {
	return a.cycle < b.cycle || a.cycle == b.cycle && a.order < b.order
}

func (t *timers) push(x timer) {
	x.order = t.set
	t.set++
	t.list = append(t.list, x)
	h, i := t.list, len(t.list)-1
	for i > 0 && x.before(&h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = x
}

func (t *timers) pop() timer {
	h := t.list
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	t.list = h
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&last) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	return top
}
