package cosim

import (
	"fmt"
	"math"
	"time"

	"contend/experiments/spec"
	"contend/netsim"
	"contend/netsim/topology"
	"contend/patterns"
	"contend/scheduler"
)

// alone is a machine that a job has to itself.
type alone struct {
	s     *Simulator
	plan  *spec.Plan // of that machine
	gauge *Gauge     // of the run that asks, or nil
	// once has a pattern that draws nothing do one iteration: what follows
	// overlaps a little, which a calibration wants to see.
	once bool
}

// aloneRepeats is how many iterations are averaged.
const aloneRepeats = 4

// repeats is how many iterations a pattern does.
func (a *alone) repeats(p patterns.Config) int64 {
	if a.once && !p.Draws() {
		return 1
	}
	return aloneRepeats
}

// newAlone returns the machine jobs of a plan are calibrated on.
func (s *Simulator) newAlone(plan *spec.Plan) *alone {
	if plan.Reference != nil {
		plan = plan.Reference
	}
	return &alone{s: s, plan: plan}
}

// iteration returns how many cycles an iteration of a job's pattern takes, and
// how many messages that is; no cycles where its processes do not communicate.
// The job lies on the most compact place there is: the corner of the machine,
// as nearly square as it fits.
func (a *alone) iteration(j *scheduler.Job, p patterns.Config) (cycles float64, messages int64, err error) {
	if messages, err = patterns.MessagesPerIteration(p, j.Size, j.Shape); err != nil || messages == 0 {
		if err != nil {
			err = spec.FieldPattern.Bad("", "job %d: %v", j.ID, err)
		}
		return 0, 0, err
	}
	if n := a.plan.Machine.Nodes(); j.Size > n {
		return 0, 0, spec.FieldCalibrateOn.Bad("name a machine that has room for all jobs",
			"job %d has %d processes, and the machine jobs are calibrated on has %d nodes", j.ID, j.Size, n)
	}
	defer a.gauge.share()()
	cycles, err = a.s.shared.alone.Of(a.key(j, p), func() (float64, error) {
		began := time.Now()
		defer func() { a.s.spend(p.Name, messages, time.Since(began)) }()
		net, err := a.s.NewNetwork(a.plan, 0)
		if err != nil {
			return 0, err
		}
		return a.cycles(net, p, j)
	})
	return cycles, messages, err
}

// AloneKey names what iteration shares: all that its answer depends on.
type AloneKey struct {
	repeats          int64
	machine, network spec.Identity
	pattern          string // every field of its configuration; Name tells own patterns apart
	software         softwareCycles
	size             int
	shape            string // "" where the place of a job is the same for all shapes
}

func (a *alone) key(j *scheduler.Job, p patterns.Config) AloneKey {
	shape := ""
	if spec.TakesShapes(p) {
		shape = fmt.Sprint(j.Shape)
	}
	p.FlitBytes, p.PadFlits = a.plan.Job.FlitBytes, a.plan.Job.PadFlits
	repeats := a.repeats(p)
	p.Own = nil
	return AloneKey{repeats, a.plan.MachineID(), a.plan.NetworkID(), fmt.Sprintf("%+v", p),
		software(a.plan), j.Size, shape}
}

// cycles plays some iterations of a job's pattern on an empty network.
func (a *alone) cycles(net *netsim.Network, p patterns.Config, j *scheduler.Job) (float64, error) {
	p.FlitBytes, p.PadFlits = a.plan.Job.FlitBytes, a.plan.Job.PadFlits
	p.Iterations = a.repeats(p)
	x := newNetExecutor(net, []patterns.Config{p}, scheduler.Clock{})
	x.software = software(a.plan)
	k := *j
	k.Quota, k.Pattern, k.Seed = math.MaxInt64/2, 0, 1
	x.Start(&k, compactPlace(a.plan.Machine, j.Size))
	end, _, err := x.Advance(scheduler.MaxCycle, nil)
	return float64(end) / float64(p.Iterations), err
}

// compactPlace returns n nodes around the corner of a machine, row by row of
// the most nearly square box; the first ones of a tree.
func compactPlace(machine spec.Machine, n int) []topology.Node {
	place := make([]topology.Node, 0, n)
	if t, ok := machine.(*topology.Cube); ok && t.OneNodePerRouter() && len(t.Dims()) == 2 {
		d := t.Dims()
		w := min(d[0], max(int(math.Ceil(math.Sqrt(float64(n)))), (n+d[1]-1)/d[1]))
		for i := range n {
			place = append(place, topology.Node(t.At(i%w, i/w)))
		}
		return place
	}
	for i := range n {
		place = append(place, topology.Node(i))
	}
	return place
}
