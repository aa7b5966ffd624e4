package sim

import (
	"context"
	"math"
	"math/rand/v2"

	"contend/experiments/config"
	"contend/internal/lifetime"
	"contend/patterns"
	"contend/scheduler"
)

// A run may be a moment of a log (workload.snapshots). The jobs of the log run for their run times,
// without messages, under the scheduler and the allocator of the run, up to that moment. Those that
// run then are the jobs of the run, on the nodes that they hold: each has the same time of work, so
// that the means of a run weigh what is on the machine then, and those of runs the time of the log.

const (
	// snapshotSeconds is the time of work of each job of a moment when it has the machine to itself.
	snapshotSeconds = 3600
	golden          = 0.6180339887498949 // the fractional part of the golden ratio
)

// startSnapshot replaces the jobs of a log by those that run at the moment of a replication.
func (s *Simulator) startSnapshot(
	ctx context.Context, u *Setup, plan *config.Plan, replication int, life *lifetime.Run,
) error {
	m := s.maker(ctx, u.Work, plan, replication)
	state, err := m.stateOfMoment(ctx, life)
	if err != nil {
		return err
	}
	for i := range state.running {
		j := &state.running[i]
		j.Submit, j.RunTime, j.Estimate = 0, snapshotSeconds, 1000*snapshotSeconds
	}
	if err := m.giveTimes(state.running, m.newCalibration()); err != nil {
		return err
	}
	for i := range state.running {
		j := &state.running[i]
		if j.Quota == 0 || j.Lead == 0 && j.Compute == 0 {
			continue
		}
		// What whole iterations leave of the hour is no work.
		j.RunTime -= m.clock.Seconds(max(0, j.Lead-j.Compute))
		rng := rand.New(rand.NewPCG(j.Seed, phaseStream))
		j.Lead = scheduler.Cycle(rng.Int64N(int64(j.Compute) + 1))
	}
	m.Source = &scheduler.List{Jobs: state.running}
	u.givePlaces(state.places)
	return nil
}

// stateOfMoment returns the jobs that run at the moment of the replication.
func (m *workMaker) stateOfMoment(ctx context.Context, life *lifetime.Run) (warmState, error) {
	jobs := m.Source.(*scheduler.List).Jobs
	at := momentOf(m.plan, jobs, m.replication)
	state, err := m.stateOf(ctx, m.plan, m.replication, life, jobs, at)
	for i := 0; i < len(jobs) && err == nil && len(state.running) == 0; i++ {
		if jobs[i].Submit >= at { // the machine is idle until the next job
			at = jobs[i].Submit + 1.0/milliseconds
			state, err = m.stateOf(ctx, m.plan, m.replication, life, jobs, at)
		}
	}
	if err == nil && len(state.running) == 0 {
		err = config.FieldTrace.Bad("take another part of it", "no job runs behind second %.0f of %s",
			at, m.plan.Workload.Trace)
	}
	return state, err
}

// phaseStream is the stream of a job's seed that draws the phase of its iterations.
const phaseStream = 0x7068617365

// momentOf returns the moment of a replication, in seconds between the first and the last
// submission of jobs. The moments of the first n replications are at nearly even distances for
// every n, and their beginning is drawn: so their mean is that of the time.
func momentOf(plan *config.Plan, jobs []scheduler.Job, replication int) float64 {
	u := rand.New(rand.NewPCG(plan.StreamSeed(0, "moments"))).Float64()
	_, share := math.Modf(u + float64(replication)*golden)
	first, last := jobs[0].Submit, jobs[len(jobs)-1].Submit
	return first + share*(last-first)
}

// beforeRates is the number of iterations before the window of the rates of a moment.
const beforeRates = 1.5

// SnapshotPackets returns about how many packets a moment of a log takes, from the lengths of
// messages alone: nothing is simulated, so that the number is the same on every machine. Each
// process sends all the time, and each message has a latency besides its flits.
func (s *Simulator) SnapshotPackets(
	ctx context.Context, plan *config.Plan, replication int,
) (packets float64, err error) {
	const latency = 100 // cycles
	life := lifetime.New(ctx)
	defer life.End()
	w, err := s.makeWork(ctx, plan, replication, true)
	if err != nil {
		return 0, err
	}
	state, err := s.maker(ctx, w, plan, replication).stateOfMoment(ctx, life)
	slowest := 0.0
	for _, j := range state.running {
		p := w.patterns[j.Pattern]
		n, err := patterns.MessagesPerIteration(p, j.Size, j.Shape)
		if err != nil || j.Size == 1 || n == 0 {
			continue
		}
		flits := patterns.MeanFlits(p, j.Size, j.Shape)
		perMessage := math.Ceil(flits / float64(plan.Network.PacketFlits))
		slowest = max(slowest, float64(n)/float64(j.Size)*(flits+latency))
		packets += float64(j.Size) * perMessage / (flits + latency)
	}
	return packets * slowest * (1/plan.FastForward + beforeRates), err
}

// snapshotWork returns the messages that a moment of a log is expected to take: those of all jobs
// in as many iterations of the slowest as make a window of rates, and its beginning.
func (u *Setup) snapshotWork(tolerance float64) int64 {
	slowest, rate := 0.0, 0.0
	for _, j := range u.Work.Source.(*scheduler.List).Jobs {
		p := u.Work.patterns[j.Pattern]
		n, err := patterns.MessagesPerIteration(p, j.Size, j.Shape)
		if err == nil && j.Quota > 0 && j.Size > 1 {
			slowest = max(slowest, float64(n)/float64(j.Quota))
			rate += float64(j.Quota)
		}
	}
	return max(1, int64(rate*slowest*(1/tolerance+beforeRates)))
}
