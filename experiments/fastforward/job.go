package fastforward

import (
	"fmt"
	"slices"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/patterns"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// jobState is a running job that sends messages.
type jobState struct {
	job          scheduler.Job
	config       patterns.Config
	nodes        []topology.Node
	links        []router.Link // that its packets may use
	component    *component
	perIteration int64 // messages of an iteration
	total        int64 // messages of the whole job
	start        int64 // cycle in which it started

	// The current iteration began at cycle origin, when base messages had arrived. It computes
	// for computeCycles before its first messages, and later iterations for laterCompute.
	origin, base, computeCycles, laterCompute int64
	// iterationCycles is what an iteration took in the last trajectory, or 0 if none is known.
	iterationCycles float64
	done            float64 // messages that have arrived up to now
	stream          uint64  // number of its random stream, which changes with each trajectory
	full            fullState

	totals       messageSums // of its messages so far
	perMessage   messageSums // means over messages in the last jump
	lastExact    bool        // the last jump was exact
	shifted      bool        // a jump of it, or of a job that it met, has changed its phase
	usedEstimate bool        // an estimated rate was used

	// variance + drift.variance is the variance of the service time. inSum is the drift that the
	// job adds to the sum of all service times.
	variance     float64
	drift, inSum driftSum
}

// newJob returns the state of a job that starts now and sends messages.
func (e *Executor) newJob(j *scheduler.Job, nodes []topology.Node, perIteration, total int64,
) *jobState {
	k := &jobState{job: *j, nodes: slices.Clone(nodes[:j.Size]), perIteration: perIteration,
		total: total, origin: e.now, computeCycles: int64(j.Lead), start: e.now}
	k.config = executor.ProgramConfig(e.patterns[j.Pattern], j)
	k.laterCompute = k.config.ComputeCycles
	if patterns.OwnSizes(k.config.Name) {
		k.laterCompute = k.config.PauseCycles
	}
	return k
}

// streamSeed returns the seed of the job's current random stream.
func (k *jobState) streamSeed() uint64 { return k.job.Seed + k.stream*0x9e3779b97f4a7c15 }

// lastRate returns the messages per cycle in the last trajectory.
func (k *jobState) lastRate() float64 { return float64(k.perIteration) / max(1, k.iterationCycles) }

// serviceAt returns the service time if the job continues at a rate.
func (k *jobState) serviceAt(rate float64, now int64) float64 {
	return float64(now-k.start) + k.cyclesLeft(rate)
}

// cyclesLeft returns the cycles until the job ends if it continues at a rate.
func (k *jobState) cyclesLeft(rate float64) float64 { return (float64(k.total) - k.done) / rate }

// rewind moves the origin back by whole iterations, to the earliest beginning of one that is not
// before a cycle.
func (k *jobState) rewind(first int64) {
	if k.iterationCycles == 0 {
		return
	}
	n := min(int64(float64(k.origin-first)/k.iterationCycles), k.base/k.perIteration)
	k.origin -= int64(float64(n) * k.iterationCycles)
	k.base -= n * k.perIteration
}

// messagesOf returns the messages of an iteration and of the whole job. Both are 0 if the job only
// computes or has a single process.
func (e *Executor) messagesOf(j *scheduler.Job) (perIteration, total int64, err error) {
	if j.Quota == 0 && j.Lead > 0 || j.Size == 1 {
		return 0, 0, nil
	}
	return patterns.MessagesOf(e.patterns[j.Pattern], j.Size, j.Shape, max(1, j.Quota))
}

// findLinks lists the links that the packets of a job may use.
func (e *Executor) findLinks(k *jobState) error {
	pairs, err := e.pairsOf(k)
	e.sums.jobs++
	mark := int32(e.sums.jobs)
	for _, p := range pairs {
		e.footprint.Links(k.nodes[p.From], k.nodes[p.To], func(l router.Link) {
			if e.lastLister[l] != mark {
				e.lastLister[l] = mark
				k.links = append(k.links, l)
			}
		})
	}
	return err
}

// pairsKey identifies jobs whose processes exchange messages in the same pairs.
type pairsKey struct {
	pattern, size int
	shape         string // "" if the pattern takes none
}

// pairsOf returns the pairs of processes of a job that exchange messages.
func (e *Executor) pairsOf(k *jobState) ([]patterns.Pair, error) {
	key := pairsKey{pattern: k.job.Pattern, size: k.job.Size}
	if config.TakesShapes(k.config) {
		key.shape = fmt.Sprint(k.job.Shape)
	}
	if list, ok := e.pairs[key]; ok {
		return list, nil
	}
	list, err := patterns.Pairs(k.config, k.job.Size, k.job.Shape)
	if err == nil {
		e.pairs[key] = list
	}
	return list, err
}
