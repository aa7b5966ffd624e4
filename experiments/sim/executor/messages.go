package executor

import (
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// release issues the messages that a job's program has returned, now or after their delays.
func (x *Executor) release(slot int32, batch []patterns.Message) {
	if x.chains != nil {
		x.chains.addTransfers(slot, batch)
	}
	for i, j := 0, 0; i < len(batch); i = j {
		delay := batch[i].Delay
		for j = i + 1; j < len(batch) && batch[j].Delay == delay; j++ {
		}
		if delay > 0 {
			x.timers.push(timer{cycle: scheduler.Cycle(x.Net.Now() + delay), slot: slot,
				batch: slices.Clone(batch[i:j]), kind: issueTimer})
			continue
		}
		for _, m := range batch[i:j] {
			x.issue(slot, m)
		}
	}
	x.batch = batch[:0]
}

// issue sends a message once its process has spent Software.Send cycles on it.
func (x *Executor) issue(slot int32, m patterns.Message) {
	node := x.jobs[slot].nodes[m.From]
	if at := x.occupyProcess(node, x.Software.Send, m.Tag, true); at > x.Net.Now() {
		x.timers.push(timer{cycle: scheduler.Cycle(at), slot: slot, message: m, kind: sendTimer})
		return
	}
	x.inject(slot, m)
}

// occupyProcess reserves cycles of the process on a node to send or receive a message, from the
// cycle in which the process is free. It returns the cycle in which the reservation ends.
func (x *Executor) occupyProcess(node topology.Node, cycles int64, tag int32, sends bool) int64 {
	if x.Software == (Software{}) {
		return x.Net.Now() // no process is ever busy
	}
	if x.chains != nil {
		x.chains.occupied(node, tag, sends, x.busy[node] > x.Net.Now())
	}
	x.busy[node] = max(x.busy[node], x.Net.Now()) + cycles
	return x.busy[node]
}

// inject gives a message to the network.
func (x *Executor) inject(slot int32, m patterns.Message) {
	k := &x.jobs[slot]
	if x.chains != nil {
		x.chains.injected(m.Tag, k.nodes[m.From])
	}
	k.pending++
	x.Net.Send(netsim.Message{From: k.nodes[m.From], To: k.nodes[m.To], Flits: m.Flits,
		Job: slot, User: m.Tag, Rail: m.Rail})
	if k.waking != nil {
		if x.chains != nil {
			m.Tag = x.chains.entered(m.Tag)
		}
		x.setProgramTime(k.waking)
		k.waking.Sent(m)
	}
}

// entered tells the program of a job, if it waits for that, that a message has left the source
// queue of its node. The job has not ended, since the message has not arrived.
func (x *Executor) entered(e router.Entry) {
	k := &x.jobs[e.Job]
	if k.entering == nil || k.leaving {
		return
	}
	x.release(e.Job, k.entering.Entered(x.batch[:0],
		patterns.Message{From: x.rankOf[e.Node], Tag: e.User}))
}

// arrive handles a message that has arrived: its job receives it once the process has spent
// Software.Receive cycles on it.
func (x *Executor) arrive(d *netsim.Delivery, done []scheduler.JobID) []scheduler.JobID {
	k := &x.jobs[d.Job]
	k.pending--
	if k.leaving {
		x.freeAbandoned(d.Job)
		return done
	}
	if x.Ended != nil {
		k.totals.AddDelivery(d)
	}
	m := patterns.Message{From: x.rankOf[d.From], To: x.rankOf[d.To], Flits: d.Flits, Tag: d.User}
	if at := x.occupyProcess(d.To, x.Software.Receive, d.User, false); at > x.Net.Now() {
		x.timers.push(timer{cycle: scheduler.Cycle(at), slot: d.Job, message: m, kind: receiveTimer})
		return done
	}
	return x.receive(d.Job, m, done)
}

// receive gives a message to the program of its job and releases the messages that follow it.
func (x *Executor) receive(
	slot int32, m patterns.Message, done []scheduler.JobID,
) []scheduler.JobID {
	if x.chains != nil {
		m.Tag = x.chains.received(m.Tag)
	}
	k := &x.jobs[slot]
	if k.workLeft > 0 {
		work := int64(1)
		if x.CountsFlits {
			work = min(int64(m.Flits), k.workLeft)
		}
		k.workLeft -= work
		x.Done += work
	}
	if x.Delivered != nil {
		x.Delivered(slot)
	}
	if k.perIteration > 0 {
		if k.iterationLeft--; k.iterationLeft == 0 {
			x.Iterated(k.id, x.Net.Now()-k.iterationBegan)
			k.iterationLeft, k.iterationBegan = k.perIteration, x.Net.Now()
		}
	}
	x.setProgramTime(k.program)
	x.release(slot, k.program.Delivered(x.batch[:0], m))
	return x.wakeOrEnd(slot, done)
}

// setProgramTime sets the time of a program that implements patterns.Timed.
func (x *Executor) setProgramTime(p patterns.Program) {
	if t, ok := p.(patterns.Timed); ok {
		t.At(x.Net.Now())
	}
}
