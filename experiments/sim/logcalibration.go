package sim

import (
	"cmp"
	"slices"
	"time"

	"contend/scheduler"
)

// kinds returns the first job of each kind. Those with few messages come first, by whose pace a
// calibration that is ended expects the others.
func (a *calibration) kinds(jobs []scheduler.Job) (first []*scheduler.Job) {
	known := map[jobKind]bool{}
	for i := range jobs {
		j := &jobs[i]
		if kind := kindOf(j, a.work.patterns[j.Pattern]); !known[kind] {
			known[kind], first = true, append(first, j)
		}
	}
	slices.SortStableFunc(first, func(j, k *scheduler.Job) int {
		return cmp.Compare(a.messages(j), a.messages(k))
	})
	return first
}

// messages returns the number of messages of an iteration of a job, 0 if something is wrong with
// its pattern.
func (a *calibration) messages(j *scheduler.Job) int64 {
	n, _ := a.s.messages(a.work, j)
	return n
}

// each calls measure for the first job of each kind, and shows how many it has done.
func (a *calibration) each(jobs []scheduler.Job, measure func(*scheduler.Job) error) error {
	first := a.kinds(jobs)
	a.log.kinds = len(first)
	for i, j := range first {
		a.log.done = i
		if err := measure(j); err != nil {
			return err
		}
	}
	return nil
}

// logTimes is how far the calibration of a log has come.
type logTimes struct {
	kinds, done int           // of jobs
	shown       float64       // the greatest number of kinds that was shown as done
	spent       time.Duration // processor time
	// Of what was simulated: messages, messages for each process, cycles and seconds.
	messages, each, cycles, seconds float64
}

// enoughShare is the share of iterations whose pace tells that of the rest.
const enoughShare = 0.05

// measure measures the mean length of an iteration. If the time of the calibration is up, it takes
// what it has simulated of it for the pace of the rest, or the pace of jobs before.
func (t *logTimes) measure(
	a *calibration, j *scheduler.Job, key iterationKey, p *pace,
) (aloneMean, error) {
	p.before, p.unknown = t.spent, t.messages == 0
	defer func() { t.spent += p.used() }()
	ctx := budgeted{a.ctx, p}
	all := float64(a.messages(j)) * float64(key.repeats)
	whole := func(cycles float64) aloneMean { return aloneMean{cycles: cycles, ratio: 1, jobs: 1} }
	if !p.over() {
		setup := time.Duration(0)
		cycles, share, err := a.simulate(ctx, j, key, func(share float64) {
			if share == 0 {
				setup = p.used()
			}
			p.unknown = p.unknown && share < enoughShare
			t.shown = max(t.shown, float64(t.done)+share)
			p.show(t.shown, t.kinds)
		})
		took := (p.used() - setup).Seconds()
		if share > 0 && (err == nil || ctx.Err() != nil) {
			t.messages, t.each = t.messages+share*all, t.each+share*all/float64(j.Size)
			t.cycles, t.seconds = t.cycles+share*cycles*float64(key.repeats), t.seconds+took
		}
		switch {
		case err == nil || a.ctx.Err() != nil || ctx.Err() == nil:
			return whole(cycles), err
		case share > 0:
			p.whole = setup.Seconds() + took/share
			return whole(cycles), nil
		}
	}
	p.whole = p.used().Seconds() + t.seconds*all/max(1, t.messages)
	each := float64(max(1, a.work.patterns[j.Pattern].Flits)) // as if all sent without a pause
	if t.each > 0 {
		each = t.cycles / t.each
	}
	return whole(each * float64(a.messages(j)) / float64(j.Size)), nil
}
