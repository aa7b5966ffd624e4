package fastforward

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments/cosim/metrics"
	"contend/router"
	"contend/scheduler"
)

// Kinds of waits that are scaled as a whole: for virtual channels that packets of another job held,
// other waits for whom the header waited, and waits for the job at the head of the chain.
const (
	byOthers = iota
	byRest
	byRoot
	shareKinds
)

// share is how long headers of a job waited for packets of one job on a link, by kind.
type share struct {
	by     int32 // place of that job in the component, or nobodys
	link   router.Link
	cycles [shareKinds]float64
	held   float64 // of byRest: for virtual channels that packets of the job itself held
}

// shareOf returns a share of waits for a job, or for nobody else.
func shareOf(x *metrics.LinkWait, by int32, own bool) share {
	held, behind, root := float64(x.Held), float64(x.Behind), float64(x.Root)
	if own {
		return share{by, x.Link, [...]float64{0, held + behind, root}, held}
	}
	return share{by, x.Link, [...]float64{held, behind, root}, 0}
}

// direct returns the waits for the packets of the job.
func (s *share) direct() float64 { return s.cycles[byOthers] + s.cycles[byRest] }

// nobodys is the place of no job.
const nobodys = -1

// shares are those of a job of a trajectory, in order of by and link.
type shares []share

func (a *share) order(b *share) int {
	return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.link, b.link))
}

// sums returns the sums of the kinds of waits.
func (s shares) sums() (all [shareKinds]float64) {
	for i := range s {
		for kind, cycles := range s[i].cycles {
			all[kind] += cycles
		}
	}
	return all
}

// scaled adds so many times the shares to a list.
func (s shares) scaled(dst shares, factors [shareKinds]float64) shares {
	for _, x := range s {
		for kind := range x.cycles {
			x.cycles[kind] *= factors[kind]
		}
		x.held *= factors[byRest]
		if x.cycles != [shareKinds]float64{} {
			dst = append(dst, x)
		}
	}
	return dst
}

// shares returns the sums of kinds of waits.
func (s *messageSums) shares() [shareKinds]float64 {
	return [...]float64{s[foreign], s[blocked] - s[foreign], s[blocked]}
}

// of returns the shares of waits with other sums.
func (s shares) of(each *messageSums) shares {
	if s == nil {
		return nil
	}
	factors := s.sums()
	for kind, want := range each.shares() {
		if factors[kind] > 0 {
			factors[kind] = want / factors[kind]
		}
	}
	return s.scaled(nil, factors)
}

// merged adds up shares of the same job and link.
func (s shares) merged() shares {
	slices.SortStableFunc(s, func(a, b share) int { return a.order(&b) })
	n := 0
	for i := range s {
		if n == 0 || s[n-1].order(&s[i]) != 0 {
			s[n] = s[i]
			n++
			continue
		}
		last := &s[n-1]
		for kind := range last.cycles {
			last.cycles[kind] += s[i].cycles[kind]
		}
		last.held += s[i].held
	}
	return slices.Clip(s[:n])
}

// or returns the shares with those kinds of others of which they have none.
func (s shares) or(others shares) shares {
	missing := s.sums()
	for kind, sum := range missing {
		missing[kind] = 0
		if sum == 0 {
			missing[kind] = 1
		}
	}
	return others.scaled(s, missing).merged()
}

// mean returns the mean of the shares of two trajectories of a job, with weights.
func (s shares) mean(own float64, other shares, others float64) shares {
	uniform := func(x float64) (f [shareKinds]float64) {
		for kind := range f {
			f[kind] = x / (own + others)
		}
		return f
	}
	return other.scaled(s.scaled(nil, uniform(own)), uniform(others)).merged()
}

// direct returns how long headers waited for the packets of each of some jobs.
func (s shares) direct(jobs int) []float64 {
	sums := make([]float64, jobs)
	for i := range s {
		if s[i].by != nobodys {
			sums[s[i].by] += s[i].direct()
		}
	}
	return sums
}

// windows records the waits of trajectories by windows of time. What the network tells of a window
// is divided among jobs and channels as the waits of its messages are, which are counted when they
// arrive: a trajectory is short, and packets are on their way when it begins and ends.
type windows struct {
	*metrics.Interference
	jobs, now, counts int   // windows: the one that is open, and the one that counts
	next              int64 // time of the component at which that begins
}

// begin prepares for the trajectory of some jobs, whose waits count from a time on.
func (w *windows) begin(s *stage, from int64) {
	if w == nil {
		return
	}
	w.Interference = metrics.NewInterference(s.net)
	w.jobs, w.now, w.counts, w.next = len(s.part.jobs), 0, 0, from
	w.open()
}

// open opens a window. Jobs have numbers of their own in each.
func (w *windows) open() {
	for i := range w.jobs {
		w.Began(int32(i), scheduler.JobID(w.now*w.jobs+i))
	}
	w.now++
}

// reach has waits count from now on, if it is the time.
func (w *windows) reach(local int64) {
	if w != nil && local >= w.next {
		w.restart()
	}
}

// restart has waits count from now on.
func (w *windows) restart() {
	if w != nil {
		w.counts, w.next = w.now, math.MaxInt64
		w.open()
	}
}

// close has waits not count that are told of from now on.
func (w *windows) close() {
	if w != nil {
		w.open()
	}
}

// divide sets the shares of the legs of a trajectory. It is called when the network is empty. A
// kind of waits that are told of in other windows alone is divided as those are.
func (w *windows) divide(t *trajectory) {
	if w == nil {
		return
	}
	inside, outside := make([]shares, w.jobs), make([]shares, w.jobs)
	for _, x := range w.Sums() {
		i := int(x.Job) % w.jobs
		by := int32(nobodys)
		if !x.Nobody {
			by = int32(int(x.For) % w.jobs)
		}
		s := shareOf(&x, by, by == int32(i) || x.Nobody)
		if int(x.Job)/w.jobs == w.counts {
			inside[i] = append(inside[i], s)
		} else {
			outside[i] = append(outside[i], s)
		}
	}
	for i := range inside {
		t.legs[i].shares = inside[i].or(outside[i]).of(&t.legs[i].each)
	}
}

// compareWaits compares the waits of a job with those in a trajectory that began in other phases,
// in which it had a rate, and takes the mean where that is not exact.
func (c *trajectory) compareWaits(g *leg, found shares, rate, from float64, pool *pairSpread) {
	if pool == nil {
		return
	}
	a, b := g.shares.direct(len(c.legs)), found.direct(len(c.legs))
	for j := range a {
		a[j] *= g.rate
		b[j] *= rate
	}
	g.apart = pool.apart(a, b)
	if !c.exact {
		g.shares = g.shares.mean(float64(c.length), found, from)
	}
}
