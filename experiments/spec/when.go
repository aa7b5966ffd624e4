package spec

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"contend/allocation"
	"contend/patterns"
)

// condition says for which runs a key acts: where it does not hold, no value
// of the key changes anything, so giving the key is refused and no hash of a
// run has it. The zero condition always holds.
type condition struct {
	// words say what has to hold, as "job.run = messages".
	words string
	Holds func(*Spec) bool
	// is says what holds instead, as "job.run is fixed".
	is func(*Spec) string
}

// Acts reports whether the key changes anything in runs of s. A shorthand acts
// where any key it stands for does.
func (k *Key) Acts(s *Spec) bool {
	for _, c := range conditions()[k.Path] {
		if !c.Holds(s) {
			return false
		}
	}
	return true
}

// Idle says why the key does not act in runs of s; "" where it acts.
func (k *Key) Idle(s *Spec) string {
	for _, c := range conditions()[k.Path] {
		if !c.Holds(s) {
			text := "acts with " + c.words
			if c.is != nil {
				text += ", and " + c.is(s)
			}
			return text
		}
	}
	return ""
}

// When says in words for which runs the key acts; "" for all.
func (k *Key) When() string {
	var words []string
	for _, c := range conditions()[k.Path] {
		words = append(words, c.words)
	}
	return strings.Join(words, "; ")
}

// gates are the keys that other keys' conditions ask about.
var gates = []string{
	"workload.source", "machine.topology", "job.run", "job.quota.per_second", "scheduler.policy", "allocator.name",
	"job.pattern", "job.communication_share", "workload.processors", "workload.side.distribution", "workload.system_load",
	"workload.interarrival.mean", "workload.replication_factor", "workload.target_load", "job.cycles_per_second",
	"scheduler.on_overrun", "scheduler.missing_estimate", "network.routing", "network.virtual_channels",
}

// Settle sets every key that does not act to its default, so that it cannot
// act by accident either: first those on which it depends whether others act.
func (s *Spec) Settle() {
	for changed := true; changed; {
		changed = false
		for _, path := range gates {
			k, _ := FindKey(path)
			changed = s.quiet(&k) || changed
		}
	}
	keys := Keys()
	for i := range keys {
		s.quiet(&keys[i])
	}
}

// quiet sets a key that does not act to its default and reports whether it had
// another value.
func (s *Spec) quiet(k *Key) bool {
	if !k.Identity || k.isDefault(s) || k.Acts(s) {
		return false
	}
	at, standard := Settings{Spec: *s}, Defaults()
	k.Field(&at).Set(k.Field(&standard))
	if k.OneOf != "" { // without it the others are as by default
		for _, other := range Keys() {
			if other.OneOf == k.OneOf {
				other.Field(&at).Set(other.Field(&standard))
			}
		}
	}
	*s = at.Spec
	return true
}

// oneOfValues is the condition that a key has one of some values.
func oneOfValues(path string, value func(*Spec) string, values ...string) condition {
	return condition{
		words: path + " = " + strings.Join(values, " or "),
		Holds: func(s *Spec) bool { return slices.Contains(values, value(s)) },
		is:    func(s *Spec) string { return path + " is " + value(s) },
	}
}

func WorkloadIs(values ...string) condition {
	return oneOfValues("workload.source", func(s *Spec) string { return s.Workload.Source }, values...)
}

func topologyIs(values ...string) condition {
	return oneOfValues("machine.topology", func(s *Spec) string { return s.Machine.Topology }, values...)
}

func runIs(value string) condition {
	return oneOfValues("job.run", func(s *Spec) string { return s.Job.Run }, value)
}

func policyIs(values ...string) condition {
	return oneOfValues("scheduler.policy", func(s *Spec) string { return s.Scheduler.Policy }, values...)
}

func sideIs(values ...string) condition {
	return oneOfValues("workload.side.distribution",
		func(s *Spec) string { return s.Workload.Side.Distribution }, values...)
}

// usedBy is the condition that a pattern of the jobs uses a field.
func usedBy(field, doc string) condition {
	return condition{
		words: doc,
		Holds: func(s *Spec) bool {
			return slices.ContainsFunc(s.sent(), func(m Weighted) bool {
				return patterns.Uses(m.Name, field) && (field != "class" || m.Class == "")
			})
		},
		is: func(s *Spec) string { return "job.pattern is " + s.Job.Pattern },
	}
}

// takes is the condition that the allocator has a parameter.
func takes(parameter string) condition {
	return condition{
		words: "an allocator that takes it",
		Holds: func(s *Spec) bool {
			return slices.Contains(allocatorParameters()[s.Allocator.Name], parameter)
		},
		is: func(s *Spec) string {
			return fmt.Sprintf("%s does not (%s)", s.Allocator.Name, allocation.Takers(parameter))
		},
	}
}

var allocatorParameters = sync.OnceValue(func() map[string][]string {
	parameters := map[string][]string{}
	for _, a := range allocation.Names() {
		parameters[a.Name] = allocation.Parameters(a.Name)
	}
	return parameters
})

func when(words string, holds func(*Spec) bool) condition {
	return condition{words: words, Holds: holds}
}

// LogWorkloads are the sources whose jobs have run times; quotas may come from those.
var LogWorkloads = WorkloadIs("swf", "lublin", "cplant-stream")

// not together: those jobs neither queue nor are allocated.
var queued = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream")

// jobs are there unless the workload is traffic.
var jobs = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "together")

var (
	TrafficWorkload  = WorkloadIs("traffic")
	messages         = runIs("messages")
	generated        = WorkloadIs("synthetic", "cplant-stream")
	synthetic        = WorkloadIs("synthetic")
	swf              = WorkloadIs("swf")
	TogetherWorkload = WorkloadIs("together")
	grid             = topologyIs("mesh", "torus", "hypercube")
	drawsSide        = when("workload.processors = 0", func(s *Spec) bool { return s.Workload.Processors == 0 })
)

var sendsToSelf = oneOfValues("workload.traffic",
	func(s *Spec) string { return s.Workload.Traffic }, "uniform", "transpose")

// servedTimes is the condition that drawn run times decide something: how long
// jobs run, how many messages they send, or, by workload.system_load, how fast
// they arrive.
var servedTimes = condition{
	words: "job.run = fixed, job.quota.per_second or workload.system_load",
	Holds: func(s *Spec) bool {
		return s.Job.Run == "fixed" || s.Workload.SystemLoad > 0 ||
			s.Workload.Source == "cplant-stream" && s.Job.Quota.PerSecond != 0
	},
}

var DrawnServices = condition{
	words: "job.run = fixed or job.quota.per_second",
	Holds: func(s *Spec) bool {
		return s.Job.Run == "fixed" || s.Workload.Source == "cplant-stream" && s.Job.Quota.PerSecond != 0
	},
}

var timed = when("job.quota.iterations or job.quota.messages",
	func(s *Spec) bool { return s.Job.Quota.PerSecond == 0 })

var arrivals = when("a mean time between submissions above 0",
	func(s *Spec) bool { return s.Workload.InterarrivalMean() > 0 })

var calibrated = when("job.quota.per_second = auto, or job.cycles_per_second = auto", (*Spec).Calibrates)

// readsEstimates is the condition that it matters what users estimate.
var readsEstimates = condition{
	words: "scheduler.policy = easy, conservative, sjf or cplant, or scheduler.on_overrun = kill",
	Holds: func(s *Spec) bool { return s.Scheduler.UsesEstimates() },
	is:    func(s *Spec) string { return "scheduler.policy is " + s.Scheduler.Policy },
}

// conditions says for every key of a run when it acts; keys of [runs] and
// shorthands are in it too. A test holds it against the table of keys.
func conditions() map[string][]condition { return conditionTable }

var conditionTable = map[string][]condition{
	"machine.topology":      nil,
	"machine.dims":          {grid},
	"machine.wrap":          {topologyIs("mesh", "torus")},
	"machine.concentration": {grid},
	"machine.service_rows":  {grid},
	"machine.arity":         {topologyIs("tree")},
	"machine.levels":        {topologyIs("tree")},
	"machine.nodes":         {topologyIs("tree")},
	"machine.up_ports":      {topologyIs("tree")},

	"network.preset":                {messages},
	"network.packet_flits":          {messages},
	"network.buffer_flits":          {messages},
	"network.virtual_channels":      {messages},
	"network.routing_cycles":        {messages},
	"network.link_cycles":           {messages},
	"network.flit_cycles":           {messages},
	"network.credit_cycles":         {messages},
	"network.flit_bytes":            {messages, usedBy("flit_bytes", ownSizes)},
	"network.pad_flits":             {messages, usedBy("pad_flits", ownSizes)},
	"network.switching":             {messages},
	"network.injection_ports":       {messages},
	"network.injection_flit_cycles": {messages},
	"network.arbiter":               {messages},
	"network.routing":               {messages},
	"network.engine":                {messages},
	"network.vc_select": {messages, when("more than one virtual channel to choose from (see network.virtual_channels)",
		func(s *Spec) bool { return s.choosesChannels() })},

	"network.input_speedup": {messages, when("more than one virtual channel (see network.virtual_channels)",
		func(s *Spec) bool { return s.sharesInputs() })},
	"network.node_virtual_channels": {messages, when("more than one virtual channel (see network.virtual_channels)",
		func(s *Spec) bool { return s.sharesInputs() })},
	"network.headers_yield": {messages, when("more than one virtual channel (see network.virtual_channels) and a network.input_speedup that is not 0",
		func(s *Spec) bool { return s.sharesInputs() && s.Network.InputSpeedup > 0 })},

	"workload.source":                    nil,
	"workload.trace":                     {swf},
	"workload.trace_sha256":              {swf},
	"workload.start":                     {LogWorkloads},
	"workload.window":                    {LogWorkloads},
	"workload.jobs":                      {jobs},
	"workload.traffic":                   {TrafficWorkload},
	"workload.traffic_load":              {TrafficWorkload},
	"workload.self_messages":             {TrafficWorkload, sendsToSelf},
	"workload.warmup_cycles":             {TrafficWorkload},
	"workload.window_cycles":             {TrafficWorkload},
	"workload.processes":                 {TogetherWorkload},
	"workload.placement":                 {TogetherWorkload},
	"workload.background":                {TogetherWorkload},
	"workload.lublin":                    {WorkloadIs("lublin")},
	"workload.processors":                {synthetic},
	"workload.side.distribution":         {synthetic, drawsSide},
	"workload.side.min":                  {synthetic, drawsSide, sideIs("uniform")},
	"workload.side.max":                  {synthetic, drawsSide, sideIs("uniform")},
	"workload.side.mean":                 {synthetic, drawsSide, sideIs("exponential")},
	"workload.side.outside":              {synthetic, drawsSide, sideIs("exponential")},
	"workload.side.value":                {synthetic, drawsSide, sideIs("fixed")},
	"workload.side.round":                {synthetic, drawsSide},
	"workload.interarrival.distribution": {generated, arrivals},
	"workload.interarrival.mean":         {generated},
	"workload.service.distribution":      {generated, DrawnServices},
	"workload.service.mean":              {generated, servedTimes},
	"workload.system_load":               {generated},
	"workload.target_load":               {WorkloadIs("swf", "lublin")},
	"workload.size_clamp":                {LogWorkloads},
	"workload.size_divisor":              {LogWorkloads},
	"workload.round_sizes":               {LogWorkloads},
	"workload.work_multiple":             {LogWorkloads},
	"workload.load_scale": {LogWorkloads, when("workload.target_load = 0",
		func(s *Spec) bool { return s.Workload.TargetLoad == 0 })},
	"workload.shake":              {LogWorkloads},
	"workload.replication_factor": {LogWorkloads},
	"workload.replication_spread": {LogWorkloads, when("workload.replication_factor above 1",
		func(s *Spec) bool { return s.Workload.Replication > 1 })},

	"job.run":            {queued},
	"job.pattern":        {messages, jobs},
	"job.order":          {messages, jobs, usedBy("order", "all-to-all, one-to-all or cplant-suite")},
	"job.cut":            {messages, jobs, usedBy("cut", "a pattern in phases")},
	"job.grid":           {messages, jobs, usedBy("grid", "multigrid or near-neighbour")},
	"job.cycle":          {messages, jobs, usedBy("cycle", "multigrid")},
	"job.bits":           {messages, jobs, usedBy("bits", "fft")},
	"job.bodies":         {messages, jobs, usedBy("bodies", "n-body")},
	"job.flits":          {messages, usedBy("flits", "a pattern whose messages have no sizes of their own")},
	"job.repeat":         {messages, jobs, usedBy("repeat", "cplant-suite")},
	"job.class":          {messages, jobs, usedBy("class", "a NAS benchmark without a class of its own in job.pattern")},
	"job.scale":          {messages, jobs, usedBy("scale", ownSizes)},
	"job.bytes":          {messages, jobs, usedBy("bytes", "all-reduce, all-gather or reduce-scatter")},
	"job.levels":         {messages, jobs, usedBy("levels", "multigrid")},
	"job.compute_cycles": {messages, jobs, when("job.communication_share = 1", func(s *Spec) bool { return s.Job.Share == 1 })},
	"job.send_cycles":    {messages, jobs},
	"job.receive_cycles": {messages, jobs},
	"job.communication_share": {messages, LogWorkloads, when("job.quota.per_second = auto",
		func(s *Spec) bool { return s.Job.Quota.PerSecond == Automatic })},
	"job.assumed_speedup": {runIs("fixed"), {
		words: "an allocator that keeps jobs together: " + strings.Join(contiguousAllocators, ", "),
		Holds: func(s *Spec) bool { return slices.Contains(contiguousAllocators, s.Allocator.Name) },
		is:    func(s *Spec) string { return "the allocator is " + s.Allocator.Name },
	}},
	"job.quota.distribution": {messages, queued, timed},
	"job.quota.iterations":   {messages, jobs},
	"job.quota.messages":     {messages, jobs},
	"job.quota.per_second":   {messages, LogWorkloads},
	"job.quota.processes": {messages, synthetic, when("job.quota.iterations",
		func(s *Spec) bool { return s.Job.Quota.Iterations > 0 })},
	"job.cycles_per_second": {messages, jobs},
	"job.calibrate_on":      {messages, LogWorkloads, calibrated},

	"scheduler.policy":              {queued},
	"scheduler.poll_seconds":        {queued, policyIs("cplant")},
	"scheduler.kill_at_reservation": {queued, policyIs("easy"), runIs("fixed")},
	"scheduler.backfill":            {queued, policyIs("easy")},
	"scheduler.reservation": {queued, policyIs("easy"), {
		words: "an allocator that may refuse enough nodes",
		Holds: func(s *Spec) bool { return !s.Allocator.countDecides() },
		is:    func(s *Spec) string { return s.Allocator.String() + " does not" },
	}},
	"scheduler.on_overrun":       {swf, readsEstimates},
	"scheduler.missing_estimate": {swf, readsEstimates},
	"scheduler.estimate_factor": {swf, readsEstimates, when("scheduler.missing_estimate = factor",
		func(s *Spec) bool { return s.Scheduler.MissingEstimate == "factor" })},
	"scheduler.decision": {queued},

	"allocator":             {queued},
	"allocator.name":        {queued},
	"allocator.page":        {queued, takes("page")},
	"allocator.order":       {queued, takes("order")},
	"allocator.span":        {queued, takes("span")},
	"allocator.qct":         {queued, takes("qct")},
	"allocator.rotate":      {queued, takes("rotate")},
	"allocator.last_shell":  {queued, takes("last_shell")},
	"allocator.scan_radius": {queued, takes("scan_radius")},
	"allocator.available":   {queued, takes("available")},
	"allocator.wall":        {queued, takes("wall")},
	"allocator.border":      {queued, takes("border")},
	"allocator.corners":     {queued, takes("corners")},
	"allocator.score":       {queued, takes("score")},
	"allocator.start":       {queued, takes("start")},
	"allocator.limit":       {queued, takes("limit")},
	"allocator.m":           {queued, takes("m")},

	"runs.count_ties": {queued, {
		words: "an allocator that counts ties: " + strings.Join(allocation.TieCounters(), ", "),
		Holds: func(s *Spec) bool { return slices.Contains(allocation.TieCounters(), s.Allocator.Name) },
		is:    func(s *Spec) string { return "the allocator is " + s.Allocator.Name },
	}},
	"runs.seed": {{
		words: "runs in which something is drawn at random",
		Holds: func(s *Spec) bool { return len(s.Draws()) > 0 },
		is:    func(*Spec) string { return "nothing is (workload.shake would move submissions)" },
	}},
	"runs.measures":           {jobs},
	"runs.replications":       nil,
	"runs.confidence":         nil,
	"runs.max_relative_error": nil,
	"runs.max_replications":   nil,
}

const ownSizes = "a pattern whose messages have sizes in bytes"
