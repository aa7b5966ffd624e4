package executor

import (
	"cmp"
	"slices"

	"contend/netsim"
	"contend/patterns"
	"contend/router"
	"contend/scheduler"
)

// Frozen are jobs whose clock stands, with their links: see router.Frozen.
type Frozen struct {
	part   *netsim.Frozen
	at     int64
	slots  []int32
	timers []timer // in the order in which they fire
}

// Freeze stops the clock of the jobs in some slots, whose messages alone use the given links.
func (x *Executor) Freeze(slots []int32, links []router.Link) *Frozen {
	return x.freeze(slots, x.Net.Freeze(links))
}

// freezeRest stops the clock of all that is not frozen.
func (x *Executor) freezeRest() *Frozen {
	var rest []int32
	for slot := range x.jobs {
		if x.jobs[slot].running && !x.jobs[slot].frozen {
			rest = append(rest, int32(slot))
		}
	}
	return x.freeze(rest, x.Net.FreezeRest())
}

// freeze stops the clock of the jobs in some slots, with a part of the network.
func (x *Executor) freeze(slots []int32, part *netsim.Frozen) *Frozen {
	f := &Frozen{part: part, at: x.Net.Now(), slots: slots}
	for _, slot := range slots {
		x.jobs[slot].frozen = true
	}
	list := x.timers.list
	x.timers.list = nil
	for _, t := range list {
		if x.jobs[t.slot].frozen {
			f.timers = append(f.timers, t)
		} else {
			x.timers.list.Push(t)
		}
	}
	slices.SortFunc(f.timers, func(a, b timer) int {
		return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.order, b.order))
	})
	return f
}

// Skippable returns the number of iterations of the job in a slot that Skip can leave out.
func (x *Executor) Skippable(slot int32) int64 {
	if p, ok := x.jobs[slot].program.(patterns.Skipping); ok {
		return p.Skippable()
	}
	return 0
}

// Skip leaves out iterations of the job in a slot.
func (x *Executor) Skip(slot int32, iterations int64) {
	x.jobs[slot].program.(patterns.Skipping).Skip(iterations, 0)
}

// Thaw lets jobs go on now from the state in which they were frozen.
func (x *Executor) Thaw(f *Frozen) {
	x.Net.Thaw(f.part)
	by := x.Net.Now() - f.at
	for _, slot := range f.slots {
		k := &x.jobs[slot]
		k.frozen = false
		k.wake += by
		for _, node := range k.nodes {
			x.busy[node] += by
		}
		if by != 0 {
			k.program.(patterns.Skipping).Skip(0, by)
		}
	}
	for _, t := range f.timers {
		t.cycle += scheduler.Cycle(by)
		x.timers.push(t)
	}
}

// CatchUp lets frozen jobs go on from an earlier cycle and runs them until now. None of them may
// end before.
func (x *Executor) CatchUp(f *Frozen, from int64) error {
	others, now := x.freezeRest(), x.Net.Now()
	x.Net.SetNow(from)
	x.Thaw(f)
	for x.Net.Now() < now {
		if _, _, err := x.Step(scheduler.Cycle(now), nil); err != nil {
			return err
		}
	}
	x.Thaw(others)
	return nil
}
