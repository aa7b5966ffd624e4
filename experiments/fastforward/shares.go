package fastforward

import (
	"cmp"
	"math"
	"slices"

	"contend/experiments/metrics"
	"contend/router"
	"contend/scheduler"
)

// Kinds of waits: for virtual channels that packets of other jobs held, or of the own one, other
// waits, and waits for the job at the head of the chain.
const (
	othersHeld = iota
	ownHeld
	behind
	root
	waitKinds
)

// waitSums are cycles of waits by kind.
type waitSums [waitKinds]float64

// sumsOf returns waits for a job, or for nobody else.
func sumsOf(x *metrics.LinkWait, own bool) waitSums {
	w := waitSums{othersHeld: float64(x.Held), behind: float64(x.Behind), root: float64(x.Root)}
	if own {
		w[othersHeld], w[ownHeld] = 0, w[othersHeld]
	}
	return w
}

// waits returns the sums that are known of messages: all direct waits but for the first kind are
// one sum.
func (s *messageSums) waits() waitSums {
	return waitSums{othersHeld: s[foreign], behind: s[blocked] - s[foreign], root: s[blocked]}
}

// known returns the sums as waits does.
func (w *waitSums) known() waitSums {
	return waitSums{othersHeld: w[othersHeld], behind: w[ownHeld] + w[behind], root: w[root]}
}

// direct returns the direct waits.
func (w *waitSums) direct() float64 { return w[othersHeld] + w[ownHeld] + w[behind] }

// add adds so many times other waits.
func (w *waitSums) add(other *waitSums, times float64) {
	for kind := range w {
		w[kind] += times * other[kind]
	}
}

// scale multiplies waits by factors of what is known.
func (w *waitSums) scale(factors *waitSums) {
	w[othersHeld] *= factors[othersHeld]
	w[ownHeld] *= factors[behind]
	w[behind] *= factors[behind]
	w[root] *= factors[root]
}

// share is how long headers of a job waited for packets of one job on a link.
type share struct {
	by   int32 // place of that job in the component, or nobodys
	link router.Link
	waitSums
}

// nobodys is the place of no job.
const nobodys = -1

// shares are those of a job of a trajectory. A job and a link may be there twice.
type shares []share

// sums returns the sums of what is known of the waits.
func (s shares) sums() (all waitSums) {
	for i := range s {
		all.add(&s[i].waitSums, 1)
	}
	return all.known()
}

// of returns the shares of waits with other sums.
func (s shares) of(each *messageSums) shares {
	have, factors, list := s.sums(), each.waits(), make(shares, len(s))
	for kind := range factors {
		if have[kind] > 0 {
			factors[kind] /= have[kind]
		}
	}
	for i, x := range s {
		x.scale(&factors)
		list[i] = x
	}
	return list
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
	for _, x := range others {
		if x.scale(&missing); x.waitSums != (waitSums{}) {
			s = append(s, x)
		}
	}
	return s
}

// byJob returns how long headers waited for the packets of each of some jobs.
func (s shares) byJob(jobs int) []waitSums {
	sums := make([]waitSums, jobs)
	for i := range s {
		if s[i].by != nobodys {
			sums[s[i].by].add(&s[i].waitSums, 1)
		}
	}
	return sums
}

// stretches records the waits of trajectories by stretches of time. What the network tells of one
// is divided among jobs and channels as the waits of its messages are, which are counted when they
// arrive: a trajectory is short, and packets are on their way when it begins and ends.
type stretches struct {
	*metrics.Interference
	jobs, now, counts int   // the stretch that is open, and the one that counts
	next              int64 // time of the component at which that begins
}

// begin prepares for the trajectory of some jobs, whose waits count from a time on.
func (w *stretches) begin(s *stage, from int64) {
	if w != nil {
		*w = stretches{metrics.NewInterference(s.net), len(s.part.jobs), -1, 0, from}
		w.open(true)
	}
}

// open opens a stretch, which may be the one that counts. Jobs have numbers of their own in each.
func (w *stretches) open(counts bool) {
	if w == nil {
		return
	}
	if w.now++; counts {
		w.counts = w.now
	}
	for i := range w.jobs {
		w.Began(int32(i), scheduler.JobID(w.now*w.jobs+i))
	}
}

// reach opens the stretch that counts, if it is the time.
func (w *stretches) reach(local int64) {
	if w != nil && local >= w.next {
		w.next = math.MaxInt64
		w.open(true)
	}
}

// divide sets the shares of the legs of a trajectory. It is called when the network is empty. A
// kind of waits that are told of in other stretches alone is divided as those are.
func (w *stretches) divide(t *trajectory) {
	if w == nil {
		return
	}
	inside, outside := make([]shares, w.jobs), make([]shares, w.jobs)
	for _, x := range w.Sums() {
		i, by, list := int(x.Job)%w.jobs, nobodys, outside
		if !x.Nobody {
			by = int(x.For) % w.jobs
		}
		if int(x.Job)/w.jobs == w.counts {
			list = inside
		}
		list[i] = append(list[i], share{int32(by), x.Link, sumsOf(&x, by == i || x.Nobody)})
	}
	for i := range inside {
		t.legs[i].shares = inside[i].or(outside[i]).of(&t.legs[i].each)
	}
}

// shares returns those of two means in their mean, where they are recorded. What is simulated in
// full has none of its own.
func (w weights) shares(a, b shares) (list shares) {
	if len(a) == 0 || len(b) == 0 {
		return append(a, b...)
	}
	for i, s := range [2]shares{a, b} {
		for _, x := range s {
			all := waitSums{}
			all.add(&x.waitSums, w[i])
			list = append(list, share{x.by, x.link, all})
		}
	}
	slices.SortFunc(list, func(a, b share) int {
		return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.link, b.link))
	})
	n := 0
	for _, x := range list[1:] {
		if last := &list[n]; last.by == x.by && last.link == x.link {
			last.add(&x.waitSums, 1)
		} else {
			n++
			list[n] = x
		}
	}
	return list[:n+1]
}
