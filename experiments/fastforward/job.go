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
	perIteration int64 // messages
	total        int64 // messages in all
	start        int64 // cycle

	// The current iteration began at cycle origin, when base messages had arrived. It computes
	// for computeCycles before its first messages, and later iterations for laterCompute.
	origin, base, computeCycles, laterCompute int64
	// iterationCycles is what an iteration took in the last trajectory, or 0 if none is known.
	iterationCycles float64
	done            float64 // messages that have arrived up to now
	draws           uint64  // number of its random stream, another one in each trajectory
	full            fullState

	totals    messageSums
	each      messageSums // means of the last jump
	exact     bool        // the last jump was exact
	shifted   bool        // a jump of it, or of a job that it met, has changed its phase
	estimated bool        // an estimated rate was used

	// The variance of the service time is variance + drift.variance. shared is the drift of the
	// job in the sum of all service times.
	variance      float64
	drift, shared driftSum
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

// nextDraws returns the seed of the job's random stream in the trajectory that begins.
func (k *jobState) nextDraws() uint64 { return k.job.Seed + k.draws*0x9e3779b97f4a7c15 }

// speed returns the messages per cycle of the last trajectory.
func (k *jobState) speed() float64 { return float64(k.perIteration) / max(1, k.iterationCycles) }

// service returns the service time of a job that continues at a rate.
func (k *jobState) service(rate float64, now int64) float64 {
	return float64(now-k.start) + k.left(rate)
}

// left returns the cycles until the end of a job that continues at a rate.
func (k *jobState) left(rate float64) float64 { return (float64(k.total) - k.done) / rate }

// rewind moves the origin back by the whole iterations that have begun since a cycle.
func (k *jobState) rewind(first int64) {
	if k.iterationCycles == 0 {
		return
	}
	n := min(int64(float64(k.origin-first)/k.iterationCycles), k.base/k.perIteration)
	k.origin -= int64(float64(n) * k.iterationCycles)
	k.base -= n * k.perIteration
}

// messages returns the messages of an iteration of a job and of the whole job.
func (e *Executor) messages(j *scheduler.Job) (perIteration, total int64, err error) {
	if j.Quota == 0 && j.Lead > 0 || j.Size == 1 {
		return 0, 0, nil
	}
	return patterns.MessagesOf(e.patterns[j.Pattern], j.Size, j.Shape, max(1, j.Quota))
}

// findLinks sets the links that the packets of a job may use.
func (e *Executor) findLinks(k *jobState) error {
	pairs, err := e.pairsOf(k)
	e.sums.jobs++
	mark := int32(e.sums.jobs)
	for _, p := range pairs {
		e.foot.Links(k.nodes[p.From], k.nodes[p.To], func(l router.Link) {
			if e.mark[l] != mark {
				e.mark[l] = mark
				k.links = append(k.links, l)
			}
		})
	}
	return err
}

// pairsKey is what the pairs of a job depend on.
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
