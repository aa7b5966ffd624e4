package metrics

import (
	"math"
	"slices"
	"sync"

	"contend/internal/decimal"
	"contend/scheduler"
)

// metricRow is a row of the table of metrics: the fields of a MetricInfo, and the function that
// returns the value of a run with jobs at its end, NaN if the run has none. The function is nil for
// what others measure and add by name: the network, traffic, fast-forwarding, a second allocator.
type metricRow struct {
	name, unit, doc, source string
	min                     float64
	of                      func(e *runEnd) float64
}

// runEnd is the end of a run with jobs.
type runEnd struct {
	*Collector
	total *scheduler.Totals
}

// when returns a value if a run has it, else NaN.
func when(has bool, value float64) float64 {
	if !has {
		return math.NaN()
	}
	return value
}

// metricInfos documents the metrics in the order of the columns in every file: those of the table,
// and those that follow from them.
var metricInfos = allInfos(metricRows)

// metricRows is the table of metrics.
var metricRows = []metricRow{
	{"finish_time", "time", "when the last job ended", "lo1994 sec. 4", 0,
		func(e *runEnd) float64 { return e.clock.Seconds(e.total.Finish) }},
	{"makespan", "time",
		"from the first submission to the end of the last job",
		"leung2002 sec. 4", 0,
		func(e *runEnd) float64 {
			return e.clock.Seconds(e.total.Finish - e.total.FirstSubmit)
		}},
	{"utilization", "%",
		"share of the processors that work for jobs, from time 0 to the finish time",
		"lo1994 sec. 4", 0,
		func(e *runEnd) float64 { return 100 * e.total.Utilization() }},
	{"service_load", "",
		"mean service time of jobs that have the machine to themselves, over the mean time between " +
			"submissions: the run time of jobs that have one, or, where workload.system_load says how " +
			"fast jobs arrive that send messages, the time of these on the machine of the run",
		"lo1994 sec. 4", 0,
		func(e *runEnd) float64 { return e.load.ratio(e.total) }},
	{"submitted_load", "",
		"processor time that the jobs of the log ask for, over the processors times the time from " +
			"the first to the last submission; workload.target_load sets it",
		"", 0,
		func(e *runEnd) float64 { return when(e.submittedLoad > 0, e.submittedLoad) }},
	{"offered_load", "",
		"submitted_load as Pascual et al. have it, without the first 1% of the jobs and without " +
			"the jobs that end after the last submission: on few or dense jobs it may be far less",
		"pascual2009 Eq. 2", 0,
		func(e *runEnd) float64 { return when(e.offeredLoad > 0, e.offeredLoad) }},
	{"jobs", "jobs", "jobs that ended", "", 0,
		func(e *runEnd) float64 { return float64(e.total.Jobs) }},
	{"jobs_killed", "jobs",
		"jobs killed at a reservation or at the end of their estimate, under a scheduler that " +
			"kills; the metric jobs includes them",
		"pascual2009 sec. 3", 0,
		func(e *runEnd) float64 {
			return when(e.plan.Scheduler.Kills, float64(e.total.Killed))
		}},
	{"response_time", "time",
		"mean over jobs, submission to end; of a job that failures killed the first submission",
		"lo1994 sec. 4", 0,
		func(e *runEnd) float64 { return e.response.Value() }},
	{"wait_time", "time",
		"mean over jobs, submission to start; of a job that failures killed from the first " +
			"submission to the last start",
		"", 0,
		func(e *runEnd) float64 { return e.wait.Value() }},
	{"service_time", "time", "mean over jobs, start to end", "lo1994 App. A", 0,
		func(e *runEnd) float64 { return e.service.Value() }},
	{"service_time_geomean", "time",
		"geometric mean over jobs, start to end, where they have several patterns: a ratio of two is " +
			"the mean ratio of the jobs, and the pattern of the longest jobs counts no more than others",
		"", 0,
		func(e *runEnd) float64 {
			return when(len(e.plan.Job.Patterns) > 1,
				decimal.Rounded(math.Exp(e.logService.Value()), geomeanDigits))
		}},
	{"largest_wait_time", "time",
		"mean over the jobs with the most processors, submission to start",
		"leung2002 Fig. 2", 0,
		func(e *runEnd) float64 { return e.largest.ofSizes(&e.largest.wait) }},
	{"largest_service_time", "time",
		"mean over the jobs with the most processors, start to end",
		"leung2002 Fig. 3", 0,
		func(e *runEnd) float64 { return e.largest.ofSizes(&e.largest.service) }},
	{"other_wait_time", "time",
		"mean over all other jobs, submission to start",
		"leung2002 Fig. 2", 0,
		func(e *runEnd) float64 { return e.largest.ofSizes(&e.largest.others) }},
	{"queue_growth", "%",
		"of runs of 40 jobs or more in which the queue grew over all submissions, so that waits " +
			"depend on the number of jobs: jobs that waited at the last submission, of all jobs; more " +
			"than 1%, and the 95% interval of the increase over twenty parts of the submissions lies " +
			"above 0",
		"Wieland et al., WSC 2003", 0,
		func(e *runEnd) float64 {
			percent, grows := e.queue.percent()
			return when(grows, percent)
		}},
	{"round_trip_time", "time",
		"mean over jobs of ping-pong and call, start to end over round trips of a pair",
		"lo1994 sec. 5", 0,
		func(e *runEnd) float64 { return e.trip.Value() }},
	{"slowest_round_trip_time", "time",
		"maximum over jobs of ping-pong and call, start to end over round trips of a pair",
		"", 0,
		func(e *runEnd) float64 { return when(e.trip.N > 0, e.slowest) }},
	{"iteration_time", "time",
		"with runs.iterations: mean over iterations of jobs, the time for which as many messages " +
			"of the job arrive as an iteration has; where processes wait for no barrier, the first " +
			"of the next iteration may be among them. Of patterns with several processes of a node or " +
			"nodes of a host: mean over their processes, from one end of an iteration to the next",
		"", 0,
		func(e *runEnd) float64 { return e.iterations.Value() }},
	{"flops_utilization", "%",
		"mean over jobs of training with tflops (model flops utilization, MFU): time in which a rank " +
			"does the operations of its steps at tflops, over the service time",
		"Chowdhery et al. 2022", 0,
		func(e *runEnd) float64 { return e.steps.flops.Value() }},
	{"exposed_communication", "%",
		"mean over jobs of tasks that compute: share of the service time beyond the time of the same " +
			"steps if messages take none, so without computing, bubbles of a pipeline and stragglers",
		"", 0,
		func(e *runEnd) float64 { return e.steps.exposed.Value() }},
	{"bus_bandwidth", "GB/s",
		"with network.cycle: mean over jobs of collectives, as nccl-tests defines it: bytes of the " +
			"vector over the time of an iteration, times (n-1)/n, of an all-reduce times 2(n-1)/n",
		"", 0,
		func(e *runEnd) float64 { return e.steps.bus.Value() }},
	{"bounded_slowdown", "",
		"mean over jobs, response time over the undisturbed time of the job; the undisturbed " +
			"time is the logged or drawn run time, or the time of the messages alone on the " +
			"machine if the messages decide; times under ten seconds (or units of time) count as " +
			"ten. Where messages decide, an iteration of each size of jobs is also simulated alone, " +
			"which for a single job of one iteration takes as long as the run; so a run has " +
			"bounded slowdowns then only if primary, a table, a figure or a rule names one, or with " +
			"runs.alone or a workload.system_load",
		"Feitelson et al. 1997", 0,
		func(e *runEnd) float64 { return e.slowdown.Value() }},
	{"dilation", "",
		"with job.quota.per_second = auto: processor time of all jobs over that of their run times, " +
			"which they take with the machine to themselves",
		"", 0,
		func(e *runEnd) float64 { return e.dilation.value(e.plan) }},
	{"slowdown_by_others", "",
		"with runs.alone: mean over jobs, service time over that of the job alone on the same nodes",
		"", 0,
		func(e *runEnd) float64 { return e.byOthers.Value() }},
	{"slowdown_by_order", "",
		"with runs.alone: mean over jobs, service time of the job alone over that with its processes " +
			"on the same nodes in the order of node numbers",
		"", 0,
		func(e *runEnd) float64 { return e.byOrder.Value() }},
	{"slowdown_by_placement", "",
		"with runs.alone: mean over jobs, that time over the one of the job alone on a contiguous " +
			"place, in the same order: the box most like a cube, the smallest subtree, or else the " +
			"first nodes",
		"", 0,
		func(e *runEnd) float64 { return e.byPlacement.Value() }},
	{"packet_blocking_time", "cycles",
		"mean over packets, time for which a ready head flit waited for a channel or a slot",
		"lo1994 sec. 5", 0, nil},
	{"foreign_blocking_time", "cycles",
		"mean over packets, the part of packet_blocking_time in which another job held the " +
			"requested channel",
		"", 0, nil},
	{"network_latency", "cycles",
		"mean over packets, injection of the head flit to delivery",
		"lo1994 Table 2", 0, nil},
	{"latency", "cycles", "mean over packets, creation to delivery", "", 0, nil},
	{"entry_blocking_time", "cycles",
		"mean over packets, packet_blocking_time plus the time for which the first packet in " +
			"the queue of a node waits for a slot in the router",
		"lo1994 Table 2", 0, nil},
	{"entry_latency", "cycles",
		"mean over packets, from the first place in the queue of the node to delivery",
		"lo1994 Table 2", 0, nil},
	{"source_wait", "cycles", "mean over packets, creation to injection of the head flit", "", 0, nil},
	{"idle_latency", "cycles",
		"of traffic: mean over packets, latency if each message is alone on the network",
		"", 0, nil},
	{"created_load", "flits/node/cycle", "of traffic: flits created in the measurement window",
		"", 0, nil},
	{"accepted_load", "flits/node/cycle",
		"of traffic: flits that arrived in the measurement window",
		"", 0, nil},
	{"saturated", "%",
		"of traffic: replications in which the network was saturated; a network is saturated " +
			"if more than 1% of the created flits were left over and the 95% interval of the " +
			"difference over batches of the window lies above 0",
		"", 0, nil},
	{"flow_fairness", "",
		"of traffic with network.source_queues = destination: Jain's index of the flits that arrived " +
			"from each source of a destination in the measurement window, 1 if all are alike, the least " +
			"over the destinations with several", "Jain et al. 1984", 0, nil},
	{"lone_flows_accepted", "%",
		"of the same traffic: flits that arrived in the window at destinations with one source, over " +
			"those created in it",
		"", 0, nil},
	{"marked_packets", "%",
		"with network.congestion_control: share of the delivered packets that routers have marked",
		"", 0, nil},
	{"notifications", "notifications",
		"with network.congestion_control: notifications of destinations that have reached sources",
		"", 0, nil},
	{"marking_queue", "flits",
		"with network.congestion_control: mean queue that the heads of packets see at those outputs of " +
			"routers that have marked packets", "", 0, nil},
	{"rate_wait", "cycles",
		"with network.congestion_control: mean over packets, time for which a packet waits for the " +
			"rate of its queue pair", "", 0, nil},
	{"mean_hops", "channels", "mean over packets, network channels crossed", "", 0, nil},
	{"messages", "messages", "messages delivered", "", 0, nil},
	{"packets", "packets", "packets delivered", "", 0, nil},
	{"flit_hops", "flits",
		"flits sent, summed over all channels, injection and ejection included",
		"", 0, nil},
	{"channel_utilization", "%",
		"mean over network channels, share of the time for which they carried flits",
		"", 0, nil},
	{"max_channel_utilization", "%",
		"share of the time for which the busiest network channel carried flits",
		"", 0, nil},
	{"one_cycle_apart", "%",
		"with runs.one_cycle_apart: root mean square over jobs of the change of service_time if every " +
			"second job arrives one cycle later",
		"", 0, nil},
	{"time_jumped", "%",
		"with runs.fast_forward: share of the service time of jobs that was jumped over and " +
			"not simulated flit by flit",
		"", 0, nil},
	{"exact_jumps", "%",
		"with runs.fast_forward: share of the jumped time in which a job repeats itself, so " +
			"that its rate is exact",
		"", 0, nil},
	{"service_time_error", "%",
		"with runs.fast_forward: half width of the 95% interval that jumps leave to service_time " +
			"if there is no other run, relative to it",
		"", 0, nil},
	{"service_time_bias", "%",
		"with runs.fast_forward: the error of service_time that audits have seen, relative to it: " +
			"above 0 jobs take longer than jumps say",
		"", 0, nil},
	{"slowdown_by_others_error", "%",
		"with runs.alone and runs.fast_forward: half width of the 95% interval that the times alone " +
			"leave to slowdown_by_others, relative to it",
		"", 0, nil},
	{"slowdown_by_order_error", "%",
		"the same for slowdown_by_order",
		"", 0, nil},
	{"slowdown_by_placement_error", "%",
		"the same for slowdown_by_placement",
		"", 0, nil},
	{"unseen_jams", "%",
		"with runs.fast_forward: the part of service_time_error by jams that no audit has seen",
		"", 0, nil},
	{"jumps_audited", "jumps",
		"with runs.fast_forward: jumps at estimated rates that were simulated flit by flit at first " +
			"(runs.audits)",
		"", 0, nil},
	{"jump_error", "%",
		"with runs.fast_forward: the error of the time of a job in a jump, whatever its sign, that 5% " +
			"of jumps exceed, as audits have seen it, and where they are few, windows; runs.fast_forward " +
			"without audits",
		"", 0, nil},
	{"largest_jump_error", "%",
		"with runs.fast_forward: the largest error that an audit has seen of the time of a job",
		"", 0, nil},
	{"jumps_beyond", "%",
		"with runs.fast_forward: share of the time of jobs in jumps in which such an error exceeds " +
			"runs.fast_forward, weighted, as audits have seen it",
		"", 0, nil},
	{"jams", "jumps",
		"with runs.fast_forward: audits in which a rate was off by more than runs.fast_forward and " +
			"its interval, so that the jobs were simulated on until their rates had settled anew",
		"", 0, nil},
	{"packet_blocking_error", "%",
		"with runs.fast_forward: as service_time_error, of packet_blocking_time",
		"", 0, nil},
	{"packet_blocking_bias", "%",
		"with runs.fast_forward: as service_time_bias, of packet_blocking_time",
		"", 0, nil},
	{"foreign_blocking_error", "%",
		"with runs.fast_forward: as service_time_error, of foreign_blocking_time",
		"", 0, nil},
	{"foreign_blocking_bias", "%",
		"with runs.fast_forward: as service_time_bias, of foreign_blocking_time",
		"", 0, nil},
	{"simulated_flit_hops", "flits",
		"with runs.fast_forward: the flits that channels carried in the simulation, counted as " +
			"flit_hops are; a job that returns to the simulation may send those of an iteration " +
			"again, so this may be above flit_hops",
		"", 0, nil},
	{"epochs_simulated", "epochs",
		"with runs.fast_forward: how often the rates of jobs that may meet were estimated",
		"", 0, nil},
	{"epochs_recalled", "epochs",
		"with runs.fast_forward: how often the rates were known from the same jobs at the same " +
			"places",
		"", 0, nil},
	{"internal_fragmentation", "%",
		"share of the allocated processors that no job asked for",
		"lo1994 sec. 2", 0,
		func(e *runEnd) float64 { return 100 * e.total.InternalFragmentation() }},
	{"proven", "%", "decisions of the allocator optimal that are proven to be the optimum", "", 0,
		func(e *runEnd) float64 { return e.proven.Value() }},
	{"decision_sum_pairwise_distance", "channels",
		"mean over jobs, sum_pairwise_distance of the processors that scheduler.decision " +
			"would have taken",
		"bender2005 Table 1", 0, nil},
	{"decision_mean_pairwise_distance", "channels",
		"mean over jobs, mean_pairwise_distance of the processors that scheduler.decision " +
			"would have taken",
		"", 0, nil},
	{"decision_components", "",
		"mean over jobs, components of the processors that scheduler.decision would have " +
			"taken",
		"", 1, nil},
	{"decision_refused", "%",
		"decisions in which scheduler.decision would have let the job wait; the other metrics " +
			"of scheduler.decision leave them out",
		"", 0, nil},
	{"decision_proven", "%",
		"decisions of scheduler.decision = optimal that are proven to be the optimum",
		"", 0, nil},
	{"decisions_tied", "decisions",
		"decisions with more than one distinct best allocation; counted if runs.count_ties is " +
			"set",
		"johnson2010 Fig. 4", 0, nil},
	{"ties_percent", "%",
		"share of the decisions with more than one distinct best allocation",
		"johnson2010 Fig. 4", 0, nil},
	{"ties_mean", "allocations",
		"mean over the decisions with a tie, distinct allocations of the best score",
		"johnson2010 Fig. 4", 2, nil},
	{"measured_utilization", "%",
		"share of the processors that work for jobs, from the submission of the first to that " +
			"of the last job that counts, with runs.warmup_jobs or runs.cooldown_jobs",
		"", 0,
		func(e *runEnd) float64 { return e.trim.utilization(e.total.Nodes) }},
	{"jobs_requeued", "jobs",
		"with machine.failures of nodes or routers: how often a failure killed a job, which then " +
			"went to the end of the queue and began anew; a job may be killed several times",
		"", 0,
		func(e *runEnd) float64 {
			return when(e.plan.FailsNodes(), float64(e.total.Requeued))
		}},
	{"jobs_lost", "jobs",
		"with machine.failures of nodes or routers: jobs that failures killed more often than " +
			"scheduler.max_restarts and that never finished; the metric jobs and means over jobs leave " +
			"them out",
		"", 0,
		func(e *runEnd) float64 {
			return when(e.plan.FailsNodes(), float64(e.total.LostJobs))
		}},
	{"lost_node_time", "time",
		"with machine.failures of nodes or routers: processors times time that they worked for runs " +
			"of jobs that failures ended, which the metric utilization leaves out",
		"", 0,
		func(e *runEnd) float64 {
			return when(e.plan.FailsNodes(), e.total.Lost.Float64()*e.clock.Seconds(1))
		}},
	{"availability", "%",
		"with machine.failures of nodes or routers: share of the processors that had not failed, from " +
			"time 0 to the finish time; utilization is of all processors",
		"", 0,
		func(e *runEnd) float64 {
			return when(e.plan.FailsNodes(), 100*e.total.Availability())
		}},
	{"packets_lost", "packets",
		"with machine.failures of links or routers: packets lost on links that failed or since no " +
			"other way was left, each time that one is",
		"", 0, nil},
	{"packets_resent", "packets",
		"with machine.failures of links or routers: packets that their sources sent again",
		"", 0, nil},
	{"packets_on_escape_paths", "packets",
		"with machine.failures of links or routers: packets that have arrived over a spanning tree, as " +
			"the routing had no way left, or none free",
		"", 0, nil},
	{"pairs_on_escape_paths", "%",
		"with machine.failures of links or routers: pairs of nodes whose packets take paths over a " +
			"spanning tree at the end of the run",
		"", 0, nil},
	{"reroute_time", "cycles",
		"with machine.failures of links or routers: mean over lost packets that have arrived since, " +
			"from the loss to the arrival",
		"", 0, nil},
}

// allInfos documents the metrics of a table, of placements, percentiles, classes and real units.
func allInfos(rows []metricRow) (infos []MetricInfo) {
	for _, r := range rows {
		infos = append(infos, MetricInfo{r.name, r.unit, r.doc, r.source, r.min})
	}
	infos = slices.Concat(infos, placementInfos(), localityInfos(), percentileInfos())
	return slices.Concat(infos, classInfos(infos), unitInfos(infos))
}

// metricPlaces returns the index of each name in the table of metrics.
var metricPlaces = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, info := range metricInfos {
		places[info.Name] = i
	}
	return places
})
