package config

import (
	"fmt"
	"slices"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
	"contend/netsim"
	"contend/router"
)

// Acts reports whether the key affects runs of s. A shorthand acts if any key that it
// stands for does.
func (k *Key) Acts(s *Spec) bool {
	for _, c := range k.when {
		if !c.Holds(s) {
			return false
		}
	}
	return true
}

// Idle says why the key does not act in runs of s; "" if it acts, or if it says what other
// keys, given with units, are in model units.
func (k *Key) Idle(s *Spec) string {
	if s.converts(k.Path) {
		return ""
	}
	for _, c := range k.when {
		if !c.Holds(s) {
			text := "acts with " + c.words
			if c.actual != nil {
				text += ", and " + c.actual(s)
			}
			return text
		}
	}
	return ""
}

// When says in words for which runs the key acts; "" for all.
func (k *Key) When() string {
	var words []string
	for _, c := range k.when {
		words = append(words, c.words)
	}
	return strings.Join(words, "; ")
}

// all returns conditions that all have to hold, for a row of the table of keys.
func all(list ...condition) []condition { return list }

// when returns a condition in words; Idle does not say what holds instead.
func when(words string, holds func(*Spec) bool) condition {
	return condition{words: words, Holds: holds}
}

// oneOfValues returns the condition that a key has one of some values.
func oneOfValues(path string, value func(*Spec) string, values ...string) condition {
	return condition{
		words:  path + " = " + strings.Join(values, " or "),
		Holds:  func(s *Spec) bool { return slices.Contains(values, value(s)) },
		actual: func(s *Spec) string { return path + " is " + value(s) },
	}
}

// WorkloadIs returns the condition that workload.source is one of some values. Its words name the
// others if these are fewer.
func WorkloadIs(values ...string) condition {
	c := oneOfValues("workload.source", func(s *Spec) string { return string(s.Workload.Source) },
		values...)
	others := slices.DeleteFunc(choices(sources...), func(v string) bool {
		return slices.Contains(values, v)
	})
	if len(others) < len(values) {
		c.words = "workload.source other than " + strings.Join(others, " and ")
	}
	return c
}

// topologyIs returns the condition that machine.topology is one of some values.
func topologyIs(values ...string) condition {
	return oneOfValues("machine.topology", func(s *Spec) string { return s.Machine.Topology },
		values...)
}

// runIs returns the condition that job.run has a value.
func runIs(value string) condition {
	return oneOfValues("job.run", func(s *Spec) string { return string(s.Job.Run) }, value)
}

// policyIs returns the condition that scheduler.policy is one of some values.
func policyIs(values ...string) condition {
	return oneOfValues("scheduler.policy", func(s *Spec) string { return s.Scheduler.Policy },
		values...)
}

// sideIs returns the condition that workload.side.distribution is one of some values.
func sideIs(values ...string) condition {
	return oneOfValues("workload.side.distribution",
		func(s *Spec) string { return s.Workload.Side.Distribution }, values...)
}

// usedBy returns the condition that a pattern of the jobs uses a field.
func usedBy(field, doc string) condition {
	return condition{
		words: doc,
		Holds: func(s *Spec) bool {
			return slices.ContainsFunc(s.allPatterns(), func(m Weighted) bool {
				return s.Registry.uses(m, field) && (field != "class" || m.Class == "")
			})
		},
		actual: func(s *Spec) string {
			if !ListWorkload.Holds(s) {
				return "job.pattern is " + s.Job.Pattern.String()
			}
			names := []string{}
			for _, w := range s.allPatterns() {
				names = append(names, w.Short())
			}
			return "patterns of workload.list are " + strings.Join(names, ", ")
		},
	}
}

// allocatorThat returns the condition that the allocator does something, as those listed do.
func allocatorThat(does, listed string, holds func(a *Allocator) bool) condition {
	return condition{
		words:  "an allocator that " + does + ": " + listed,
		Holds:  func(s *Spec) bool { return holds(s.Registry.allocator(s.Allocator)) },
		actual: func(s *Spec) string { return "the allocator is " + s.Allocator },
	}
}

// LogWorkloads holds for sources whose jobs have run times, from which quotas may come.
var LogWorkloads = WorkloadIs("swf", "lublin", "cplant-stream")

// queued holds for jobs that wait and are allocated; jobs that run together do neither, and listed
// jobs may have their nodes.
var queued = unplaced(WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "list", "batsim"))

// unplaced adds to a condition on the workload that its rows have no nodes.
func unplaced(c condition) condition {
	holds, actual := c.Holds, c.actual
	c.Holds = func(s *Spec) bool { return holds(s) && !s.placed() }
	c.actual = func(s *Spec) string {
		if s.placed() {
			return "rows of workload.list have nodes"
		}
		return actual(s)
	}
	return c
}

// placed reports whether listed jobs have their nodes.
func (s *Spec) placed() bool {
	return s.Workload.Source == "list" && IsPlaced(s.Workload.List)
}

// queuedPatterns holds for jobs that queue and send as patterns say; jobs of Batsim follow
// profiles.
var queuedPatterns = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "list")

// drawnJobs holds for jobs from a distribution, a log or a model, and not from the rows of a list.
var drawnJobs = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream")

// timedJobs holds for jobs that may run for their run times, without a network.
var timedJobs = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "batsim")

// onePatternForAll holds where job.pattern describes all jobs; each listed job has its own pattern.
var onePatternForAll = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "together")

// counted holds where workload.jobs gives the number of jobs.
var counted = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "together", "batsim")

// jobs holds for workloads of jobs that send as patterns say, anyJobs for those of Batsim too.
var (
	jobs    = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "together", "list")
	anyJobs = WorkloadIs("synthetic", "swf", "lublin", "cplant-stream", "together", "list", "batsim")
)

// Conditions on one key.
var (
	TrafficWorkload  = WorkloadIs("traffic")                    // no jobs: nodes send
	TogetherWorkload = WorkloadIs("together")                   // jobs start at once
	ListWorkload     = WorkloadIs("list")                       // jobs are rows of workload.list
	messages         = runIs("messages")                        // jobs send
	generated        = WorkloadIs("synthetic", "cplant-stream") // jobs are drawn
	synthetic        = WorkloadIs("synthetic")
	swf              = WorkloadIs("swf")
	batsim           = WorkloadIs("batsim")
	traced           = WorkloadIs("swf", "batsim") // jobs come from workload.trace
	grid             = topologyIs("mesh", "torus", "hypercube")
	noProcessors     = when("workload.processors = 0",
		func(s *Spec) bool { return s.Workload.Processors == 0 })
	drawsSide = when(`workload.processors = 0 and workload.size = ""`,
		func(s *Spec) bool { return s.Workload.sizes().Distribution == "" })
)

// drawsAny is the condition that something in the runs is random.
var drawsAny = condition{
	words:  "runs in which something is drawn at random",
	Holds:  func(s *Spec) bool { return len(s.Draws()) > 0 },
	actual: func(*Spec) string { return "nothing is (workload.shake would move submissions)" },
}

// sendsToSelf is the condition that the traffic has nodes send to themselves.
var sendsToSelf = oneOfValues("workload.traffic",
	func(s *Spec) string { return call.Name(s.Workload.Traffic) }, selfTraffics()...)

// selfTraffics lists the kinds of traffic in which some node may send to itself.
func selfTraffics() (list []string) {
	for _, k := range netsim.TrafficKinds() {
		if k.Self {
			list = append(list, k.Name)
		}
	}
	return list
}

// inBursts is the condition that nodes create messages in bursts.
var inBursts = when("workload.burst_cycles above 0",
	func(s *Spec) bool { return s.Workload.BurstCycles > 0 })

// oneLength is the condition that no other key gives the lengths of messages.
var oneLength = when("one length of messages (workload.message_lengths)",
	func(s *Spec) bool { return !TrafficWorkload.Holds(s) || s.Workload.Lengths == "" })

// loadable is the condition that a load of the machine can be set: of logs, and of generated jobs
// whose times alone are measured.
var loadable = when("workload.source = swf or lublin, or synthetic with job.run = messages",
	func(s *Spec) bool {
		return WorkloadIs("swf", "lublin").Holds(s) || synthetic.Holds(s) && messages.Holds(s)
	})

// noSystemLoad is the condition that no other load says how fast generated jobs arrive, and
// noTargetLoad that none does so in place of a mean time between submissions.
var (
	noSystemLoad = when("workload.system_load = 0",
		func(s *Spec) bool { return !synthetic.Holds(s) || s.Workload.SystemLoad == 0 })
	noTargetLoad = when("workload.target_load = 0",
		func(s *Spec) bool { return !synthetic.Holds(s) || s.Workload.TargetLoad == 0 })
)

// DrawnServices is the condition that drawn run times decide something: how long jobs run, or how
// many messages they send. Other jobs that send messages run for as long as the network takes.
var DrawnServices = condition{
	words: "job.run = fixed or job.quota.per_second",
	Holds: func(s *Spec) bool {
		return s.Job.Run == "fixed" || s.Workload.Source == "cplant-stream" && s.Job.Quota.PerSecond != 0
	},
	actual: func(s *Spec) string {
		return "job.run is messages: the network decides how long jobs run, and " +
			"workload.interarrival.mean or, of synthetic jobs, workload.system_load says how fast " +
			"they arrive"
	},
}

// loaded is the condition that jobs have a service time, by which a load says how fast they arrive:
// the one that they draw, or that of a generated job alone on the machine.
var loaded = condition{
	words:  "job.run = fixed, job.quota.per_second or workload.source = synthetic",
	Holds:  func(s *Spec) bool { return DrawnServices.Holds(s) || synthetic.Holds(s) },
	actual: DrawnServices.actual,
}

// cuts is the condition that quotas may end within an iteration.
var cuts = when("job.quota.messages, job.quota.mean_iterations or job.quota.per_second",
	func(s *Spec) bool {
		q := &s.Job.Quota
		return q.Messages > 0 || q.MeanIterations > 0 || q.PerSecond != 0
	})

// timed is the condition that the quota of a job does not come from its run time.
var timed = when("a job.quota other than job.quota.per_second",
	func(s *Spec) bool { return s.Job.Quota.PerSecond == 0 })

// arrivals is the condition that jobs are submitted one after another.
var arrivals = when("a mean time between submissions above 0",
	func(s *Spec) bool { return s.Workload.InterarrivalMean() > 0 })

// calibrated is the condition that the times of jobs alone are measured.
var calibrated = when("run times that become messages (job.quota.per_second or "+
	"job.cycles_per_second = auto), or workload.system_load above 0 with messages",
	func(s *Spec) bool { return s.Calibrates() || s.MeasuresLoad() })

// readsEstimates is the condition that the estimates of users affect the run.
var readsEstimates = condition{
	words:  "scheduler.policy = easy, conservative, sjf or cplant, or scheduler.on_overrun = kill",
	Holds:  (*Spec).UsesEstimates,
	actual: func(s *Spec) string { return "scheduler.policy is " + s.Scheduler.Policy },
}

// flitsHaveBytes is the condition that something of a run is in bytes. Beside it the key
// acts where another key is given as a size or a rate, see converts.
var flitsHaveBytes = func() condition {
	sized := usedBy("flit_bytes", sizesInBytes)
	return condition{
		words: sizesInBytes + ", network.cycle, or a size or rate with a unit",
		Holds: func(s *Spec) bool {
			return s.Network.Cycle != "" || sized.Holds(s) || batsim.Holds(s)
		},
		actual: sized.actual,
	}
}()

// orBatsim is a condition that also holds for jobs of Batsim.
func orBatsim(c condition) condition {
	return condition{words: c.words + ", or workload.source = batsim",
		Holds: func(s *Spec) bool { return batsim.Holds(s) || c.Holds(s) }, actual: c.actual}
}

// sizesInBytes is the condition that some pattern uses sizes in bytes.
const sizesInBytes = "a pattern whose messages have sizes in bytes"

// The conditions of keys that say how virtual channels share a router's ports.
var (
	severalChannels = when("more than one virtual channel (see network.virtual_channels)",
		(*Spec).sharesInputs)
	routesInFlight = when("a network.routing_cycles above 0 and a network.switching that is not "+
		"store-and-forward", func(s *Spec) bool {
		return s.Network.RoutingCycles > 0 && s.Network.Switching != router.StoreAndForward
	})
	choiceOfChannels = when("more than one virtual channel to choose from "+
		"(see network.virtual_channels) and a network.arbiter that is not matching",
		(*Spec).choosesChannels)
	limitedInputs = when("more than one virtual channel (see network.virtual_channels) and a "+
		"network.input_speedup that is not 0",
		func(s *Spec) bool { return s.sharesInputs() && s.Network.InputSpeedup > 0 })
	sendsWhole = when("more than one virtual channel (see network.virtual_channels), "+
		"network.switching = virtual-cut-through and network.switch_allocator = input-first",
		func(s *Spec) bool {
			return s.sharesInputs() && s.Network.Switching == router.VirtualCutThrough &&
				s.Network.SwitchAllocator == router.InputFirst
		})
)

// classesOfLinks is the condition that the links of the machine are of several kinds.
var classesOfLinks = when("a machine.topology with classes of links",
	func(s *Spec) bool { return s.routedMachine().linkClasses })

// linksFail is the condition that links fail.
var linksFail = when("machine.failures of links or routers",
	func(s *Spec) bool { return slices.ContainsFunc(s.Failures, Failure.failsLinks) })

// nodesFail is the condition that nodes fail.
var nodesFail = when("machine.failures of nodes or routers",
	func(s *Spec) bool { return slices.ContainsFunc(s.Failures, Failure.failsNodes) })

// controlled is the condition that a congestion control holds the queue pairs of nodes back.
var controlled = when("network.congestion_control other than none",
	func(s *Spec) bool { return s.Network.Congestion != netsim.NoControl })

// oneInterface is the condition that nodes have one network interface.
var oneInterface = when("one network interface for each node",
	func(s *Spec) bool { return s.Machine.Interfaces() == 1 })

// computesByKeys is the condition that the jobs' own keys say how long processes compute,
// and not the run times of a log.
var computesByKeys = when("job.communication_share = 1 and job.iteration = 0",
	func(s *Spec) bool { return s.Job.Share == 1 && s.Job.Iteration == 0 })

// noIteration is the condition that job.iteration is 0.
var noIteration = condition{
	words:  "job.iteration = 0",
	Holds:  func(s *Spec) bool { return s.Job.Iteration == 0 },
	actual: func(s *Spec) string { return fmt.Sprintf("job.iteration is %g", s.Job.Iteration) },
}

// fromRunTimes is the condition that the run times of a log say how much jobs send.
var fromRunTimes = when("job.quota.per_second = auto",
	func(s *Spec) bool { return s.Job.Quota.PerSecond == input.Automatic })

// beginsLater is the condition that some run begins behind the first job of a log.
var beginsLater = when("a workload.start, workload.window or workload.windows above 0",
	func(s *Spec) bool {
		return s.Workload.Start > 0 || s.Workload.Window > 0 || s.Workload.Windows > 0
	})

// timesKept is the condition that jobs that have the machine to themselves run as long as the log
// says.
var timesKept = when("job.run = fixed or job.quota.per_second = auto",
	func(s *Spec) bool { return s.Job.Run == "fixed" || fromRunTimes.Holds(s) })

// asLogged is the condition that the jobs of a log arrive as it says, at one rate.
var asLogged = when("workload.target_load = 0, workload.shake = 0 and workload.replication_factor = 1",
	func(s *Spec) bool {
		w := &s.Workload
		return w.TargetLoad == 0 && w.Shake == 0 && w.Replication == 1
	})

// ratesAlone is the condition that rates of jobs are known, for which runs.fast_forward stands, and
// that runs are no windows of a log.
var ratesAlone = when("runs.fast_forward above 0 and no workload.window, workload.windows and "+
	"workload.warm_start", func(s *Spec) bool {
	w := &s.Workload
	return s.FastForward > 0 && w.Window == 0 && w.Windows == 0 && !w.WarmStart
})

// noFailures is the condition that nothing fails.
var noFailures = when("no machine.failures", func(s *Spec) bool { return len(s.Failures) == 0 })
