package executor

import (
	"cmp"
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/scheduler"
)

// Totals returns the totals of the messages of the job in a slot so far.
func (x *Executor) Totals(slot int32) netsim.Totals { return x.jobs[slot].totals }

// AppendState appends all on which the future of the jobs in the first n slots depends beside the
// network: the positions of their programs, the work of their processes and the timers, with times
// counted from now. It reports false if a program does not tell its position. Other jobs must not
// run.
func (x *Executor) AppendState(words []int64, n int) ([]int64, bool) {
	now := x.Net.Now()
	for i := range x.jobs[:n] {
		p, ok := x.jobs[i].program.(patterns.Positioned)
		if !ok {
			return words, false
		}
		words = p.AppendPosition(words)
		for _, node := range x.jobs[i].nodes {
			words = append(words, max(0, x.busy[node]-now))
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

// Drain ends all jobs and lets the network run empty. All slots are free then, and the next jobs
// get them from slot 0 on.
func (x *Executor) Drain() error {
	x.Delivered = nil
	for i := range x.jobs {
		if k := &x.jobs[i]; k.program != nil {
			k.program, k.waking = silent{}, nil
		}
	}
	x.timers.list = x.timers.list[:0]
	for x.Net.Pending() > 0 {
		if _, _, err := x.Step(scheduler.MaxCycle, nil); err != nil {
			return err
		}
	}
	x.timers.list = x.timers.list[:0]
	if x.Software != (Software{}) {
		clear(x.busy)
	}
	x.free = x.free[:0]
	for i := len(x.jobs) - 1; i >= 0; i-- {
		x.jobs[i].program, x.jobs[i].waking, x.jobs[i].pending = nil, nil, 0
		x.free = append(x.free, int32(i))
	}
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

// freePlace returns a place of a list that is free, which it no longer is.
func freePlace[T any](list *[]T, free *[]int32) int32 {
	if n := len(*free); n > 0 {
		at := (*free)[n-1]
		*free = (*free)[:n-1]
		return at
	}
	*list = append(*list, *new(T))
	return int32(len(*list) - 1)
}
