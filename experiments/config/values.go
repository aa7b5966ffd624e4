package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
)

// The fields that can be wrong in ways the table of keys does not show, or that
// notes on a run mention.
const (
	FieldAllocator       input.Field = "allocator"
	FieldBufferFlits     input.Field = "network.buffer_flits"
	FieldBackground      input.Field = "workload.background"
	FieldCalibrateOn     input.Field = "job.calibrate_on"
	FieldCongestion      input.Field = "network.congestion_control"
	FieldCooldownJobs    input.Field = "runs.cooldown_jobs"
	FieldCycle           input.Field = "network.cycle"
	FieldCyclesPerSecond input.Field = "job.cycles_per_second"
	FieldDecision        input.Field = "scheduler.decision"
	FieldFlitBytes       input.Field = "network.flit_bytes"
	FieldFailures        input.Field = "machine.failures"
	FieldFile            input.Field = "machine.file"
	FieldFlopRate        input.Field = "job.flop_rate"
	FieldList            input.Field = "workload.list"
	FieldSource          input.Field = "workload.source"
	FieldIteration       input.Field = "job.iteration"
	FieldIterations      input.Field = "job.quota.iterations"
	FieldMeanIterations  input.Field = "job.quota.mean_iterations"
	FieldMessages        input.Field = "job.quota.messages"
	FieldMapping         input.Field = "job.mapping"
	FieldMissingEstimate input.Field = "scheduler.missing_estimate"
	FieldNodeChannels    input.Field = "network.node_virtual_channels"
	FieldNodesField      input.Field = "workload.nodes_field"
	FieldPattern         input.Field = "job.pattern"
	FieldPatternBy       input.Field = "job.pattern_by"
	FieldPerSecond       input.Field = "job.quota.per_second"
	FieldPlacement       input.Field = "workload.placement"
	FieldProcesses       input.Field = "workload.processes"
	FieldProcessors      input.Field = "workload.processors"
	FieldSystemLoad      input.Field = "workload.system_load"
	FieldTargetLoad      input.Field = "workload.target_load"
	FieldTopology        input.Field = "machine.topology"
	FieldRail            input.Field = "network.rail"
	FieldRoutingCycles   input.Field = "network.routing_cycles"
	FieldRouting         input.Field = "network.routing"
	FieldRun             input.Field = "job.run"
	FieldRules           input.Field = "job.rules"
	FieldScale           input.Field = "job.scale"
	FieldServiceRows     input.Field = "machine.service_rows"
	FieldShare           input.Field = "job.communication_share"
	FieldSize            input.Field = sizePath
	FieldSizeClamp       input.Field = "workload.size_clamp"
	FieldRoundSizes      input.Field = "workload.round_sizes"
	FieldCut             input.Field = "job.cut"
	FieldFastForward     input.Field = "runs.fast_forward"
	FieldSeriesPairs     input.Field = "runs.series_pairs"
	FieldSizeClasses     input.Field = "runs.size_classes"
	FieldLocality        input.Field = "runs.locality"
	FieldSpanOrder       input.Field = "runs.span_order"
	FieldStart           input.Field = "workload.start"
	FieldWindow          input.Field = "workload.window"
	FieldWindows         input.Field = "workload.windows"
	FieldJobs            input.Field = "workload.jobs"
	FieldReplication     input.Field = "workload.replication_factor"
	FieldReplications    input.Field = "runs.replications"
	FieldTrace           input.Field = "workload.trace"
	FieldTraffic         input.Field = "workload.traffic"
	FieldTrafficLoad     input.Field = "workload.traffic_load"
	FieldVirtualChannels input.Field = "network.virtual_channels"
	FieldWarmupJobs      input.Field = "runs.warmup_jobs"
)

// Keys that have few values have types of their own, whose constants are the choices in the table
// of keys.

// choices returns constants as texts, for a row of the table of keys.
func choices[E ~string](list ...E) (texts []string) {
	for _, e := range list {
		texts = append(texts, string(e))
	}
	return texts
}

// Source says where the jobs of a run come from.
type Source string

// The sources: drawn jobs, a log, two models of logs, jobs that start at once, traffic without
// jobs, rows of a list, and a workload of Batsim.
const (
	SourceSynthetic    Source = "synthetic"
	SourceSWF          Source = "swf"
	SourceLublin       Source = "lublin"
	SourceCplantStream Source = "cplant-stream"
	SourceTogether     Source = "together"
	SourceTraffic      Source = "traffic"
	SourceList         Source = "list"
	SourceBatsim       Source = "batsim"
)

// sources are all of them, in the order in which documents name them.
var sources = []Source{SourceSynthetic, SourceSWF, SourceLublin, SourceCplantStream, SourceTogether,
	SourceTraffic, SourceList, SourceBatsim}

// RunKind says what jobs do while they run.
type RunKind string

// A job runs until its messages have arrived, or for its run time.
const (
	RunMessages RunKind = "messages"
	RunFixed    RunKind = "fixed"
)

// JobField is a field of a job that decides its pattern.
type JobField string

// ByJob is no field: each job draws. BySize is the number of processors of the job as it is
// simulated; ByUser and ByQueue are the numbers of its user and its queue in the log.
const (
	ByJob   JobField = "job"
	BySize  JobField = "size"
	ByUser  JobField = "user"
	ByQueue JobField = "queue"
)

// jobFields are the values of job.pattern_by.
var jobFields = choices(ByJob, BySize, ByUser, ByQueue)

// Overrun says what happens to a job that exceeds its estimate.
type Overrun string

// The job goes on, it is killed, or its estimate is raised before it starts.
const (
	OverrunExtend Overrun = "extend"
	OverrunKill   Overrun = "kill"
	OverrunRaise  Overrun = "raise"
)

// Placement says where jobs that run together lie, relative to each other.
type Placement struct {
	text string        // in canonical form
	Kind PlacementKind // how the jobs lie
	// Away is the number of processes of each job that lie in blocks of other jobs.
	Away int
	// Together is the number of consecutive nodes that PlaceRandom moves together, 1 by default: those
	// of a host.
	Together int
}

// PlacementKind is how jobs that run together lie.
type PlacementKind uint8

// The kinds of placements. A block is what a job gets to itself under
// contiguous: a subtree of its level, or a submesh.
//
//   - contiguous: each job in a block.
//   - away: T processes of each job, drawn, change places with as many of the
//     jobs in neighbouring blocks: in a tree in the subtrees under the same
//     routers one level up, as of quasi-contiguous jobs (Pascual et al. 2009,
//     sec. 3), on a grid in the next three blocks; the first to the next, the
//     second to the one after, and so on in turn.
//   - dealt: the nodes are dealt out in turn, those of each block in order, so
//     that a job has nodes at equal distances.
//   - scattered: the same, but the nodes of every round of dealing are shuffled:
//     a job's processes are as far from each other, and no routing by digits of
//     node numbers keeps jobs apart by chance.
//   - random: any nodes, or runs of as many consecutive ones as a host has.
const (
	PlaceContiguous PlacementKind = iota
	PlaceAway
	PlaceDealt
	PlaceScattered
	PlaceRandom
)

// placementKinds are the names of the kinds of placements, and those that figures print where these
// are not the words of the name.
var placementKinds = [...]struct{ name, display string }{PlaceContiguous: {name: "contiguous"},
	PlaceAway: {"away", "away"}, PlaceDealt: {"dealt", "Dealt"},
	PlaceScattered: {"scattered", "Scattered"}, PlaceRandom: {name: "random"}}

// String returns the text of the kind.
func (k PlacementKind) String() string { return placementKinds[k].name }

// ParsePlacement reads workload.placement.
func ParsePlacement(text string) (Placement, error) {
	name, number, colon := strings.Cut(text, ":")
	kind := slices.IndexFunc(placementKinds[:], func(k struct{ name, display string }) bool {
		return k.name == name
	})
	p := Placement{text: text, Kind: PlacementKind(max(0, kind)), Together: 1}
	n, err := strconv.Atoi(number)
	switch given := err == nil && n >= 1; {
	case kind < 0:
	case p.Kind == PlaceAway && given:
		p.Away = n
		return p, nil
	case p.Kind == PlaceRandom && given:
		p.Together = n
		return p, nil
	case p.Kind != PlaceAway && !colon:
		return p, nil
	}
	return p, errors.New("which is no placement")
}

// String returns the placement in canonical form.
func (p Placement) String() string { return p.text }

// draws reports whether places are drawn at random.
func (p Placement) draws() bool {
	return p.Kind == PlaceAway || p.Kind == PlaceScattered || p.Kind == PlaceRandom
}

// Jobs that run together (workload.source = "together") have one size, start at once,
// and stay at the places that workload.placement gives, as do the sixteen instances of
// an application in Pascual et al. 2009, sec. 5. There is no queue and no allocation,
// so the difference between two placements is that of the network.

// What the machine does beside the job that is measured, beside a pattern's name.
const (
	backgroundSame = "same" // all jobs are alike, and all are measured
	backgroundIdle = "idle" // there is one job
)

// trafficTable is the table of the names of traffic.
const trafficTable = "traffics"

// traffics are the kinds of traffic, which no registry has.
func traffics() (list []Name) {
	for _, k := range netsim.TrafficKinds() {
		doc := k.Doc
		if parameters := k.Parameters(); parameters != "" {
			doc += "; " + parameters
		}
		list = append(list, Name{Name: k.Name, Doc: doc, Source: k.Source})
	}
	return list
}

// canonicalTraffic writes traffic in canonical form. That of a matrix has the digest of its file,
// so that results depend on its bytes: the file is read unless a resolved study gives the digest.
func canonicalTraffic(text string) (string, *input.Error) {
	p, err := netsim.ParseTraffic(text)
	if err != nil {
		return text, FieldTraffic.Refuse(err)
	}
	if p.File != "" && p.Digest == "" {
		if _, p.Digest, err = netsim.ReadMatrix(p); err != nil {
			bad := networkFileError(err)
			bad.Key = string(FieldTraffic)
			return text, bad
		}
	}
	return p.String(), nil
}

// pinnedTraffic returns traffic as a study writes it, that of a matrix with the digest of its
// file.
func pinnedTraffic(text string) (string, *input.Error) {
	if p, err := netsim.ParseTraffic(text); err != nil || p.File == "" {
		return text, nil
	}
	return canonicalTraffic(text)
}

// networkFileError is the error for a file of a network. What names the file, a flag or a line of
// a study, takes the place of its line.
func networkFileError(err error) *input.Error {
	bad := *input.Unreadable(err, "give a file that describes a network")
	if at := bad.At(); at != "" {
		bad.Problem = at + ": " + bad.Problem
	}
	bad.Where, bad.File, bad.Line = "", "", 0
	return &bad
}

// lengthsPath is the key of several lengths of messages.
const lengthsPath = "workload.message_lengths"

// canonicalLengths writes lengths with their weights in canonical form.
func canonicalLengths(text string) (string, *input.Error) {
	if text == "" {
		return "", nil
	}
	lengths, err := parseLengths(text)
	if err != nil {
		return text, err
	}
	var list []call.Weight
	for _, l := range lengths {
		list = append(list, call.Weight{Value: int(l.Flits), Weight: l.Share})
	}
	return call.FormatWeights(list), nil
}

// parseLengths reads workload.message_lengths.
func parseLengths(text string) ([]netsim.Length, *input.Error) {
	list, err := netsim.ParseLengths(text)
	if err != nil {
		return nil, input.Bad(lengthsPath, "give two or more lengths in flits with weights, such as "+
			"1:0.8+8:0.2; one length is job.flits", "%s is %q, %v", lengthsPath, text, err)
	}
	return list, nil
}

// cyclePath is the key with the length of a network cycle.
const cyclePath = "network.cycle"

// readCycle turns the value of network.cycle into its canonical text: equal lengths have equal
// texts.
func readCycle(text string) (string, *input.Error) {
	if text == "" {
		return "", nil
	}
	const right = `give a time with a unit above 0, such as "5.12 ns"`
	q, err := quantity.Parse(text)
	switch {
	case err != nil:
		return "", input.Bad(cyclePath, right, "%s is %q: %v", cyclePath, text, err)
	case q.Kind != quantity.Time:
		return "", input.Bad(cyclePath, right, "%s is %q, %s", cyclePath, text, q.Kind.Name())
	case q.Value.Sign() == 0:
		return "", input.Bad(cyclePath, right, "%s is %q", cyclePath, text)
	}
	return q.Format(), nil
}
