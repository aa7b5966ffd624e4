package run

import (
	"cmp"
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/scheduler"
)

// Totals returns the totals of the messages of the job in a slot so far.
func (x *Executor) Totals(slot int32) netsim.Totals { return x.jobs[slot].totals }

// AppendState appends all on which the future of the jobs in slots depends beside the network:
// the positions of their programs, the work of their processes and the timers, with times counted
// from now. It reports false if a program does not tell its position. Other jobs must not run.
func (x *Executor) AppendState(words []int64, slots []int32) ([]int64, bool) {
	now := x.Net.Now()
	for _, slot := range slots {
		p, ok := x.jobs[slot].program.(patterns.Positioned)
		if !ok {
			return words, false
		}
		if words, ok = p.AppendPosition(words); !ok {
			return words, false
		}
		for _, n := range x.jobs[slot].nodes {
			words = append(words, max(0, x.busy[n]-now))
		}
	}
	return x.timers.appendState(words, now), true
}

// appendState appends the timers of programs in the order in which they fire.
func (t *timers) appendState(words []int64, now int64) []int64 {
	t.sorted = append(t.sorted[:0], t.list...)
	slices.SortFunc(t.sorted, func(a, b timer) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.order, b.order))
	})
	for i := range t.sorted {
		a := &t.sorted[i]
		words = append(words, int64(a.cycle)-now, int64(a.kind), int64(a.slot), int64(len(a.batch)))
		for _, m := range append(a.batch, a.message) {
			words = append(words, int64(m.From)<<32|int64(m.To),
				int64(m.Flits)<<32|int64(uint32(m.Tag)))
		}
	}
	return words
}

// Drain ends the jobs in slots and lets the network run empty. No job must run after that.
func (x *Executor) Drain(slots []int32) error {
	x.Heard = nil
	for _, slot := range slots {
		if k := &x.jobs[slot]; k.program != nil {
			k.program = silent{}
		}
	}
	x.timers.list = x.timers.list[:0]
	for x.Net.Pending() > 0 {
		if _, _, err := x.Step(scheduler.MaxCycle, nil); err != nil {
			return err
		}
	}
	x.timers.list = x.timers.list[:0]
	for _, slot := range slots {
		k := &x.jobs[slot]
		if k.program != nil {
			k.program = nil
			x.free = append(x.free, slot)
		}
		for _, n := range k.nodes {
			x.busy[n] = 0
		}
	}
	slices.Sort(x.free)
	slices.Reverse(x.free)
	return nil
}

// silent is a program that has nothing more to say.
type silent struct{}

// Start implements patterns.Program.
func (silent) Start(dst []patterns.Message) []patterns.Message { return dst }

// Delivered implements patterns.Program.
func (silent) Delivered(dst []patterns.Message, _ patterns.Message) []patterns.Message {
	return dst
}

// Done implements patterns.Program.
func (silent) Done() bool { return false }
