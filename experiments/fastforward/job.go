package fastforward

import (
	"fmt"
	"math"
	"slices"

	"contend/experiments/config"
	"contend/experiments/sim/executor"
	"contend/netsim"
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
	iterationEnd                              float64 // of the one that a jump ended in, or 0
	done                                      float64 // messages that have arrived up to now
	stream                                    uint64  // number of its random stream
	live                                      liveState

	totals     messageSums // of its messages so far, less those of the simulation under way
	perMessage messageSums // means over messages in the last jump
	estimated  bool        // a jump of it was an estimate
	shifted    bool        // a jump of it, or of a job that it met, has changed its phase

	// unsure is the cycles in which it was in another phase than in a run without jumps, and
	// drawnVariance the variance of its service time from drawIteration.
	unsure, drawnVariance float64
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

// iterationStart returns the cycle in which the current iteration would have begun if it computed
// for as long as later ones.
func (k *jobState) iterationStart() float64 {
	return float64(k.origin + k.computeCycles - k.laterCompute)
}

// messagesOf returns the messages of an iteration and of the whole job. Both are 0 if the job only
// computes or has a single process.
func (e *Executor) messagesOf(j *scheduler.Job) (perIteration, total int64, err error) {
	if j.Quota == 0 && j.Lead > 0 || j.Size == 1 {
		return 0, 0, nil
	}
	return patterns.MessagesOf(e.patterns[j.Pattern], j.Size, j.Shape, max(1, j.Quota))
}

// repeatsSurely reports whether a component is one job whose iterations are sure to be equal.
func (e *Executor) repeatsSurely(c *component) bool {
	return len(c.jobs) == 1 && e.regenerates(c.jobs[0])
}

// regenerates reports whether the network is as it was at first whenever an iteration of a job
// that is alone begins: a regeneration point. Behind a barrier all messages have arrived: the last
// flit was sent LinkCycles before, its channel is free after FlitCycles, and its place is known to
// be free after CreditCycles. The programs of codes have no barriers, and their iterations overlap.
// Turns of virtual channels and of arbiters stay where they are.
func (e *Executor) regenerates(k *jobState) bool {
	if e.config.DrawsRoute || k.config.Draws() || patterns.OwnSizes(k.config.Name) || e.turns {
		return false
	}
	return k.laterCompute >= e.clearing
}

// clearingCycles returns the cycles after the last delivery until a network is as it was at first.
func clearingCycles(n *netsim.Network) int64 {
	net := n.Config()
	slowest := int32(math.Ceil(net.InjectionFlitCycles * float64(net.PacketFlits)))
	shortest := int32(math.MaxInt32)
	for _, l := range n.LinkTimings() {
		slowest, shortest = max(slowest, l.Flit, l.Credit), min(shortest, l.Delay)
	}
	return int64(slowest - shortest)
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
