package fastforward

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"contend/experiments/metrics"
	"contend/experiments/sim/executor"
	"contend/router"
	"contend/scheduler"
)

// matrix sums how long jobs wait for jobs at channels: what is simulated in full as it is told, and
// of each trajectory the waits of a message times the messages of the jump. It is made to sum up to
// the waits of the run, which checks correct: what is no more than an estimate is scaled.
type matrix struct {
	live   *metrics.Interference // of stays of jobs in the full simulation
	stays  []stay
	waited []executor.ForJob // scratch
	cells  map[cellKey]*cell
	jobs   map[scheduler.JobID]*liveWaits
	pairs  map[pairKey]*drifting // what is unsure of waits in jumps
}

// cellKey names waits of a job for another one, or for run.Nobody, on a link.
type cellKey struct {
	pairKey
	link router.Link
}

// pairKey names waits of a job for another one.
type pairKey struct{ job, by scheduler.JobID }

// foreign reports whether the other is another job.
func (k pairKey) foreign() bool { return k.by != k.job && k.by != executor.Nobody }

// cell has waits by where they come from.
type cell [origins]waitSums

// Where waits come from.
const (
	simulated = iota // in full, or in a jump that is exact
	foreseen         // by a trajectory
	origins
)

// liveWaits are those of a job that is simulated in full.
type liveWaits struct {
	sums         messageSums // of the messages that have arrived
	rest, others float64     // see drifted
	// Waits that are told of before a stay ends, of messages that arrive later: where iterations
	// overlap. Whom they were for is not known.
	beside float64
}

// stay is a time in which a job is simulated in full. It is a job of its own to the recorder of
// waits. One that a job leaves within an iteration does not count, as its messages do not.
type stay struct {
	job  scheduler.JobID
	left bool
}

// enter begins a stay of a job: where it joins the full simulation, and at the end of an iteration
// before it may leave that.
func (m *matrix) enter(k *jobState) {
	if m != nil {
		k.live.stay, k.live.stayFrom = len(m.stays), k.live.heard
		m.live.Began(k.live.slot, scheduler.JobID(len(m.stays)))
		m.stays = append(m.stays, stay{job: k.job.ID})
	}
}

// leave ends a stay of a job that leaves the full simulation for a jump.
func (m *matrix) leave(k *jobState) {
	if m != nil {
		m.stays[k.live.stay].left = k.live.heard-k.live.stayFrom < k.perIteration
	}
}

// of returns the job of a stay, or run.Nobody.
func (m *matrix) of(stay scheduler.JobID) scheduler.JobID {
	if stay == executor.Nobody {
		return stay
	}
	return m.stays[stay].job
}

// waitedFor returns how long the header of a packet has waited for which jobs.
func (m *matrix) waitedFor(p *router.Arrival) []executor.ForJob {
	m.waited = append(m.waited[:0], m.live.WaitedFor(p)...)
	for i := range m.waited {
		m.waited[i].Job = m.of(m.waited[i].Job)
	}
	return m.waited
}

// path keeps the critical path of a job that ends in the full simulation, if it has never left
// that: the messages that decided the end of a jump are not known. What it computed before counts.
func (e *Executor) path(id scheduler.JobID, path []executor.Hop) {
	if k := e.over[len(e.over)-1]; k.entered == 0 {
		if before := k.live.since - k.began; before > 0 {
			path = append(path, executor.Hop{Computing: before})
		}
		e.matrix.live.Path(id, path)
	}
}

// computes keeps the critical path of a job that sends nothing.
func (m *matrix) computes(id scheduler.JobID, cycles scheduler.Cycle) {
	if m != nil && cycles > 0 {
		m.live.Path(id, []executor.Hop{{Computing: int64(cycles)}})
	}
}

// jumpWaits are the shares of a job in its last jump.
type jumpWaits struct {
	shares shares
	jobs   []scheduler.JobID
	origin int
}

// RecordWaits has the executor tell for which jobs headers wait, and where. It returns the recorder
// of jobs that are simulated in full, and a function that returns the waits of the run when that is
// over. It is called before the first job starts.
func (e *Executor) RecordWaits() (*metrics.Interference, func() []metrics.LinkWait) {
	if e.err != nil {
		return nil, nil
	}
	w := metrics.NewInterference(e.live.Net)
	e.matrix = &matrix{live: w, cells: map[cellKey]*cell{}, jobs: map[scheduler.JobID]*liveWaits{},
		pairs: map[pairKey]*drifting{}}
	e.stage.waits = &stretches{}
	e.live.Net.RecordWaits(w)
	chains := &executor.Chains{Waited: e.matrix.waitedFor, Ended: e.path}
	e.live.FindChains(chains)
	e.live.Net.Watch(chains.Packet)
	e.stage.net.RecordWaits(e.stage.waits)
	return w, e.waits
}

// at returns the waits of a pair at a link.
func (m *matrix) at(key cellKey) *cell {
	c := m.cells[key]
	if c == nil {
		c = &cell{}
		m.cells[key] = c
	}
	return c
}

// add adds the shares of so many messages of a job, in a component of jobs.
func (m *matrix) add(origin int, job scheduler.JobID, jobs []scheduler.JobID, s shares,
	messages float64) {
	for i := range s {
		key := cellKey{pairKey{job, executor.Nobody}, s[i].link}
		if s[i].by != nobodys {
			key.by = jobs[s[i].by]
		}
		m.at(key)[origin].add(&s[i].waitSums, messages)
	}
}

// settled adds messages of a job that were simulated in full.
func (m *matrix) settled(id scheduler.JobID, each *messageSums, messages float64) {
	if m != nil {
		m.jobOf(id).sums.add(each, messages)
	}
}

func (m *matrix) jobOf(id scheduler.JobID) *liveWaits {
	if m.jobs[id] == nil {
		m.jobs[id] = &liveWaits{}
	}
	return m.jobs[id]
}

// ids returns the numbers of the jobs of a component.
func (c *component) ids() (list []scheduler.JobID) {
	for _, k := range c.jobs {
		list = append(list, k.job.ID)
	}
	return list
}

// jumped adds the i-th job of a component that jumps, with so many messages.
func (m *matrix) jumped(c *component, i int, messages float64) {
	if m == nil {
		return
	}
	t, k := c.trajectory, c.jobs[i]
	g := &t.legs[i]
	ids := c.jobs[0].last.jobs
	if i == 0 {
		ids = c.ids()
	}
	k.last = jumpWaits{g.shares.of(&g.each), ids, foreseen}
	if t.exact {
		k.last.origin = simulated
	}
	m.add(k.last.origin, k.job.ID, k.last.jobs, k.last.shares, messages)
}

// unsure divides what is unsure of waits in a jump among pairs of jobs, as they wait for each other:
// variances are about linear in waits. That of all waits is for those that are not for channels of
// other jobs.
func (m *matrix) unsure(e *Executor, c *component, jump float64, u *variances) {
	if m == nil {
		return
	}
	t, waits := c.trajectory, messageSums{}
	for i := range t.legs {
		waits.addWaits(&t.legs[i].each, t.legs[i].rate)
	}
	for i, k := range c.jobs {
		g := &t.legs[i]
		if len(c.jobs) > 1 {
			m.unseen(e, k, c.kind(), u.mean*jump*jump+u.phases*jump*min(jump, t.period))
		}
		for j, w := range k.last.shares.byJob(len(c.jobs)) {
			held := w[othersHeld]
			v := g.rate * (u.foreign*held/max(1e-12, waits[foreign]) +
				u.blocked*(w.direct()-held)/max(1e-12, waits[blocked]))
			mean := u.mean * v
			if t.exact { // the windows have found one state, and there may be another
				met := g.rate * w.direct()
				mean = max(mean, met*met*min(1, t.period/max(1, jump)))
			}
			key := pairKey{k.job.ID, c.jobs[j].job.ID}
			p := m.pairs[key]
			if p == nil {
				p = &drifting{}
				m.pairs[key] = p
			}
			p.variance += jump * jump * mean
			p.add(e.now, jump, u.phases*v, t.period, 1, p.off)
		}
	}
}

// unseen adds what is unsure of a job's waits for others that no window has shown: one burst may
// come, or what it has waited before. It is for whom it waits in the full simulation.
func (m *matrix) unseen(e *Executor, k *jobState, kind int, squares float64) {
	past := k.totals[foreign] / float64(max(1, e.now-k.began))
	m.jobOf(k.job.ID).others += squares * e.sums.spreads[kind].foreign.with(0, 0,
		foreignUnit*min(foreignUnit, past))
}

// skipped adds messages that a job counts as sent where it enters the full simulation anew.
func (m *matrix) skipped(k *jobState, messages float64) {
	if m != nil {
		m.add(k.last.origin, k.job.ID, k.last.jobs, k.last.shares, messages)
	}
}

// drifted adds what is unsure of the waits of a job in the full simulation after a jump, since in
// another phase they would be others: variances of those for channels of others, and of the rest.
func (m *matrix) drifted(k *jobState, rest, others float64) {
	if m != nil {
		l := m.jobOf(k.job.ID)
		l.rest, l.others = l.rest+rest, l.others+others
	}
}

// addLive adds what is simulated in full.
func (m *matrix) addLive() {
	counted, left := map[scheduler.JobID]shares{}, map[scheduler.JobID]shares{}
	places, ids := map[scheduler.JobID]int32{}, []scheduler.JobID(nil)
	for _, x := range m.live.Sums() {
		id, by, list := m.of(x.Job), m.of(x.For), counted
		if _, ok := places[by]; !ok {
			places[by], ids = int32(len(ids)), append(ids, by)
		}
		if m.stays[x.Job].left {
			list = left
		}
		list[id] = append(list[id], share{places[by], x.Link, sumsOf(&x, id == by || x.Nobody)})
	}
	for _, id := range slices.Sorted(maps.Keys(m.jobs)) {
		l, list := m.jobs[id], counted[id].or(left[id])
		sums := list.sums()
		for kind, want := range l.sums.waits() {
			l.beside += math.Round(math.Abs(sums[kind] - want))
		}
		m.add(simulated, id, ids, list.of(&l.sums), 1)
	}
}

// waits returns the waits of the run, which is over.
func (e *Executor) waits() (list []metrics.LinkWait) {
	m := e.matrix
	m.addLive()
	keys := slices.SortedFunc(maps.Keys(m.cells), func(a, b cellKey) int {
		return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(a.by, b.by), cmp.Compare(a.link, b.link))
	})
	halves := m.halves(e, keys)
	all := e.checks.waits.correct(e.sums.messages)
	m.balance(keys, all.waits())
	var carry waitSums // so that rounded numbers sum up to the rounded sums
	for i, key := range keys {
		c, n := m.cells[key].all(), [waitKinds]int64{}
		for kind, x := range c {
			rounded := math.Round(x)
			if math.Abs(x-rounded) > 1e-6 { // it is an estimate
				rounded = math.Round(x + carry[kind])
				carry[kind] += x - rounded
			}
			n[kind] = int64(rounded)
		}
		sums := metrics.WaitSums{Held: n[othersHeld] + n[ownHeld], Behind: n[behind], Root: n[root]}
		if sums != (metrics.WaitSums{}) {
			list = append(list, metrics.LinkWait{Job: key.job, For: key.by,
				Nobody: key.by == executor.Nobody, Link: key.link, WaitSums: sums, Half: halves[i]})
		}
	}
	return list
}

// all returns the sum of a cell.
func (c *cell) all() (sum waitSums) {
	for i := range c {
		sum.add(&c[i], 1)
	}
	return sum
}

// balance has waits sum up to what is wanted: what was foreseen is scaled.
func (m *matrix) balance(keys []cellKey, want waitSums) {
	var sums cell
	for _, key := range keys {
		for i := range sums {
			sums[i].add(&m.cells[key][i], 1)
		}
	}
	before, predicted := sums[simulated].known(), sums[foreseen].known()
	for kind := range want {
		if want[kind] -= before[kind]; predicted[kind] > 0 {
			want[kind] = max(0, want[kind]) / predicted[kind]
		}
	}
	for _, key := range keys {
		m.cells[key][foreseen].scale(&want)
	}
}

// halves returns the parts of cells in the half widths of the 95% intervals of direct waits of
// pairs, before these are scaled.
func (m *matrix) halves(e *Executor, keys []cellKey) []float64 {
	sums, jumped := map[pairKey]*[origins]float64{}, 0.0
	for _, key := range keys {
		x := sums[key.pairKey]
		if x == nil {
			x = &[origins]float64{}
			sums[key.pairKey] = x
		}
		for i := range m.cells[key] {
			direct := m.cells[key][i].direct()
			if x[i] += direct; i != simulated && key.foreign() {
				jumped += direct
			}
		}
	}
	halves := make([]float64, len(keys))
	for i, key := range keys {
		c, x := m.cells[key].all(), sums[key.pairKey]
		if all := x[simulated] + x[foreseen]; all > 0 {
			v := m.variance(e, key.pairKey, x[simulated], x[foreseen], jumped)
			halves[i] = e.sums.spreads[0].sum.half(v) * c.direct() / all
		}
	}
	return halves
}

// variance returns that of the waits of a pair, given those in the full simulation and in jumps,
// and those of all jobs for others in jumps.
func (m *matrix) variance(e *Executor, key pairKey, live, jumps, all float64) (v float64) {
	l := m.jobOf(key.job)
	if p := m.pairs[key]; p != nil {
		v += p.variance
	}
	if key.foreign() && all > 0 { // of the factor that checks give
		v += jumps / all * jumps / all * e.checks.waits.foreign
	}
	beside := min(l.beside, live)
	v += beside * beside
	if key.foreign() {
		return v + l.others*live/max(1, l.sums[foreign])
	}
	return v + l.rest*min(1, live/max(1, l.sums[blocked]-l.sums[foreign]))
}
