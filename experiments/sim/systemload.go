package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/experiments/stats"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/scheduler"
)

// The mean time of drawn jobs alone is measured by double sampling with a ratio (Cochran, Sampling
// Techniques, 1977, sec. 12.8): whole iterations, of which there are few, say how long each of many
// jobs takes about, and a few of these jobs are simulated to their end, which corrects the mean.
const (
	drawnAlone = 100_000 // jobs of which the iterations are simulated
	stepAlone  = 50      // jobs that are simulated to their end, until the mean is known well enough
	maxAlone   = 1000    // at most
	// aloneHalf is the half width of the 95% interval at which it is, relative to the mean.
	aloneHalf = 0.02
)

// aloneMean is the mean time that the jobs of a distribution take alone, or processor time.
type aloneMean struct {
	cycles, half float64 // the mean, and half the width of its 95% interval
	// ratio is the mean over that of the undisturbed times, which count parts of iterations as
	// shares of whole ones.
	ratio float64
	jobs  int // that were simulated to their end
}

// aloneMeanKey identifies an aloneMean by everything on which it depends.
type aloneMeanKey struct {
	jobs, patterns      string // the configuration of the stream, and Work.texts
	iterations          bool   // quotas of the configuration are in iterations
	processors          bool   // times count once for each processor of the job
	machine, network    config.Identity
	flitBytes, padFlits int
	software            executor.Software
	fastForward         float64
}

// setLoad sets the mean time between submissions of a stream of jobs that send messages from the
// load of the plan, if it has one. The time of the jobs alone is that on the reference.
func (m *workMaker) setLoad(c *scheduler.SyntheticConfig) error {
	if !m.plan.MeasuresLoad {
		return nil
	}
	drawn, w := *c, m.Work
	if m.nominal {
		return m.checkAlone(m.ctx, referenceOf(m.plan), w, drawn)
	}
	mean, err := m.measureAlone(m.ctx, referenceOf(m.plan), w, drawn)
	if err != nil {
		return err
	}
	w.load = func() (aloneMean, error) { return m.measureAlone(m.ctx, m.plan, w, drawn) }
	c.Interarrival.Mean *= mean.cycles / w.clock.CyclesPerSecond
	field, _ := loadOf(m.plan)
	of := ""
	if field == config.FieldTargetLoad {
		c.Interarrival.Mean /= float64(referenceOf(m.plan).Machine.Nodes())
		of = " of all its processors"
	}
	m.note(fmt.Sprintf("%s: a job of %s alone takes %s cycles%s in the mean, %s", field,
		m.plan.Job.Mixed, decimal.Significant(mean.cycles, 5), of, mean.error()))
	return nil
}

// minInterval is the number of simulated jobs from which their mean has an interval. A dry run
// simulates as many as there is time for.
const minInterval = 30

// error returns in words how well the mean is known.
func (m aloneMean) error() string {
	if m.jobs < minInterval {
		return fmt.Sprintf("by an estimate (%s simulated)", input.Plural(m.jobs, "job"))
	}
	return fmt.Sprintf("± %s (95%% interval, %d jobs simulated)", decimal.Significant(m.half, 2), m.jobs)
}

// measureAlone returns the mean time of jobs of a stream alone on the machine and network of a
// plan.
func (s *Simulator) measureAlone(
	ctx context.Context, plan *config.Plan, w *Work, c scheduler.SyntheticConfig,
) (aloneMean, error) {
	key := keyAlone(plan, w, &c)
	return s.memos.aloneMeans.until(ctx, key, func() (aloneMean, error) {
		return s.Calibrations.of(key, func(p *pace) (aloneMean, error) {
			jobs, undisturbed, err := s.drawAlone(ctx, plan, w, c, false)
			if err != nil {
				return aloneMean{}, err
			}
			return s.correctAlone(ctx, plan, w, jobs, undisturbed, p)
		})
	})
}

// checkAlone returns the error of measureAlone for jobs that cannot be measured. It measures none.
func (s *Simulator) checkAlone(
	ctx context.Context, plan *config.Plan, w *Work, c scheduler.SyntheticConfig,
) error {
	_, err := s.memos.drawnAlone.until(ctx, keyAlone(plan, w, &c), func() (struct{}, error) {
		_, _, err := s.drawAlone(ctx, plan, w, c, true)
		return struct{}{}, err
	})
	return err
}

// keyAlone returns the key of the mean time of jobs of a stream, of which it makes the jobs to
// draw. They are those of no replication, so that it is the same for all.
func keyAlone(plan *config.Plan, w *Work, c *scheduler.SyntheticConfig) aloneMeanKey {
	c.Jobs, c.Interarrival = drawnAlone, scheduler.Distribution{Kind: "fixed"}
	c.Seed, _ = plan.StreamSeed(0, "alone")
	text := *c
	text.Messages = nil // a function, which depends on the patterns alone
	return aloneMeanKey{jobs: fmt.Sprintf("%+v", text), iterations: c.Messages != nil,
		patterns:   fmt.Sprintf("%q", w.texts),
		processors: plan.Workload.TargetLoad > 0,
		machine:    plan.MachineID(), network: plan.NetworkID(), flitBytes: plan.Job.FlitBytes,
		padFlits: plan.Job.PadFlits, software: Software(plan), fastForward: plan.FastForward}
}

// drawAlone draws jobs and returns the first of them, and the undisturbed times of all: nominal
// ones of iterations of a cycle, or measured ones.
func (s *Simulator) drawAlone(
	ctx context.Context, plan *config.Plan, w *Work, c scheduler.SyntheticConfig, nominal bool,
) (first []scheduler.Job, undisturbed []float64, err error) {
	// as for bounded_slowdown
	a := &calibration{s: s, ctx: ctx, work: w, plan: plan, once: true, nominal: nominal}
	if s.Calibrations.Budget > 0 { // which the iterations of many kinds of jobs would exceed
		a.log = &logTimes{}
	}
	cycles, most := map[jobKind]float64{}, 0.0 // of a message
	g, err := scheduler.NewSynthetic(c)
	if err != nil {
		return nil, nil, config.Refuse(err)
	}
	for {
		j, err := g.Next()
		if errors.Is(err, io.EOF) {
			if err = nil; most == 0 {
				field, load := loadOf(plan)
				err = field.Bad("give workload.interarrival.mean", "%s is %g, and no job sends a message",
					field, load)
			}
			return first, undisturbed, err
		}
		k := kindOf(&j, w.patterns[j.Pattern])
		each, known := cycles[k]
		if !known {
			iteration, messages, err := a.iteration(&j)
			if err != nil {
				return nil, nil, err
			}
			each = iteration / float64(max(1, messages))
			cycles[k], most = each, max(most, each)
		}
		undisturbed = append(undisturbed, weightAlone(plan, &j)*each*float64(j.Quota))
		if len(first) < maxAlone {
			first = append(first, j)
		}
	}
}

// correctAlone simulates jobs to their end until their mean time is known well enough, or until the
// time of the calibration is up.
func (s *Simulator) correctAlone(
	ctx context.Context, plan *config.Plan, w *Work, jobs []scheduler.Job, undisturbed []float64,
	p *pace,
) (m aloneMean, err error) {
	all := stats.EstimateOf(undisturbed, 0.95)
	here := &Work{patterns: slices.Clone(w.patterns), clock: w.clock}
	for i := range here.patterns {
		p := &here.patterns[i]
		p.FlitBytes, p.PadFlits = plan.Job.FlitBytes, plan.Job.PadFlits
	}
	m = aloneMean{ratio: 1, cycles: all.Mean} // of no job
	p.setup = p.used()
	var times []float64
	for i := range jobs {
		j := &jobs[i]
		p.show(float64(i), maxAlone)
		place := compactPlace(plan.Machine, j.Size)
		t, err := s.simulateAlone(budgeted{ctx, p}, plan, here, 0, j, place)
		over := p.over() && ctx.Err() == nil
		if err != nil && !over {
			return m, err
		}
		if err == nil {
			times = append(times, weightAlone(plan, j)*t.Value)
		}
		if m.jobs = len(times); m.jobs%stepAlone != 0 && !over {
			continue
		}
		if r := stats.EstimateRatio(times, undisturbed, 0.95); m.jobs > 0 && !math.IsNaN(r.Mean) {
			m.ratio, m.cycles = r.Mean, r.Mean*all.Mean
			few, many := halfWidth(r)*all.Mean, r.Mean*halfWidth(all)
			m.half = math.Sqrt(float64(few*few) + float64(many*many))
		}
		if over {
			needed := min(len(undisturbed), int(jobsNeeded(m.jobs, m.half/m.cycles)))
			done := sum(undisturbed[:m.jobs])
			if m.jobs == i { // the last one has not ended: half of it on average
				done += undisturbed[i] / 2
			}
			p.whole = p.setup.Seconds() +
				(p.used()-p.setup).Seconds()*max(1, sum(undisturbed[:needed])/done)
			break
		}
		if m.half <= aloneHalf*m.cycles {
			break
		}
	}
	return m, nil
}

// sum returns the sum of a list.
func sum(list []float64) (total float64) {
	for _, v := range list {
		total += v
	}
	return total
}

// loadOf returns the load that says how fast the jobs of a stream arrive, and its key.
func loadOf(plan *config.Plan) (input.Field, float64) {
	if load := plan.Workload.TargetLoad; load > 0 {
		return config.FieldTargetLoad, load
	}
	return config.FieldSystemLoad, plan.Workload.SystemLoad
}

// weightAlone returns how often the time of a job alone counts: once, or once a processor.
func weightAlone(plan *config.Plan, j *scheduler.Job) float64 {
	if plan.Workload.TargetLoad > 0 {
		return float64(j.Size)
	}
	return 1
}

// halfWidth returns half the width of an interval, 0 where nothing varies.
func halfWidth(e stats.Estimate) float64 {
	if math.IsNaN(e.Half) {
		return 0
	}
	return e.Half
}

// aloneRatio returns the mean time of the jobs of a run alone over their undisturbed time. It is 1
// where jobs have run times, and 0 if it is unknown.
func (r *run) aloneRatio() (float64, error) {
	switch {
	case r.plan.KnowsTimes:
		return 1, nil
	case r.Work.load == nil:
		return 0, nil
	}
	mean, err := r.Work.load()
	return mean.ratio, err
}
