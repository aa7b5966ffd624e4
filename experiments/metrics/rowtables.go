package metrics

import (
	"slices"

	"contend/internal/table"
)

// RowTable is the columns of one kind of rows that runs write beside their metrics.
type RowTable []table.Column

// Names returns the names of the columns.
func (t RowTable) Names() []string { return table.Names(t) }

// JobTable is the columns of Records.JobRows. The unit "time" stands for the unit of the run's
// clock, as in the table of metrics. Times of packets are in cycles.
var JobTable = RowTable{
	table.Integer.Column("job", "", "number of the job"),
	table.Number.Column("submit", "time", "when it was submitted"),
	table.Number.Column("start", "time", "when it got its nodes"),
	table.Number.Column("end", "time", "when it gave them back"),
	table.Integer.Column("processors", "nodes", "nodes it used"),
	table.Integer.Column("reserved", "nodes", "nodes it was given, those it used included"),
	table.String.Column("pattern", "", "who sent to whom; empty without a network").OrEmpty(),
	table.Integer.Column("messages", "messages", "messages delivered"),
	table.Integer.Column("packets", "packets", "packets delivered"),
	table.Number.Column("latency", "cycles", "mean over packets, creation to delivery").OrEmpty(),
	table.Number.Column("network_latency", "cycles",
		"mean over packets, injection of the head flit to delivery").OrEmpty(),
	table.Number.Column("entry_latency", "cycles",
		"mean over packets, from the first place in the queue of the node to delivery").OrEmpty(),
	table.Number.Column("packet_blocking_time", "cycles",
		"mean over packets, time a ready head flit waited for a channel or a slot; empty for a job that "+
			"jumped over time at an estimated rate").OrEmpty(),
	table.Number.Column("foreign_blocking_time", "cycles",
		"the part of it in which another job held the channel").OrEmpty(),
	table.Number.Column("entry_blocking_time", "cycles",
		"`packet_blocking_time` plus the time for which the first packet in the queue of a node waits "+
			"for a slot in the router; empty where that is").OrEmpty(),
	table.Number.Column("mean_hops", "channels",
		"mean over packets, network channels crossed").OrEmpty(),
	table.Number.Column("dispersal", "",
		"share of the bounding box that is not the job's; empty on a machine without boxes").OrEmpty(),
	table.Number.Column("weighted_dispersal", "nodes",
		"dispersal times nodes; empty on a machine without boxes").OrEmpty(),
	table.Number.Column("mean_pairwise_distance", "channels",
		"mean distance of two nodes used; empty, as the next three, on a machine too large for a table "+
			"of distances").OrEmpty(),
	table.Integer.Column("components", "", "connected pieces of the nodes used").OrEmpty(),
	table.Integer.Column("span_linear", "nodes",
		"ranks from the first to the last node along runs.span_order").OrEmpty(),
	table.Integer.Column("span_ring", "nodes", "the same with the order closed to a ring").OrEmpty(),
	table.Number.Column("bounding_cube_ratio", "",
		"size of the bounding cube over that of the smallest possible one; empty on a machine "+
			"without boxes").OrEmpty(),
	table.Number.Column("wait_time", "time",
		"`start` less `submit`; empty, as the next one, for a job that is `lost`").OrEmpty(),
	table.Number.Column("service_time", "time", "`end` less `start`").OrEmpty(),
	table.Number.Column("service_time_error", "time",
		"half width of the 95% interval of `service_time` with runs.fast_forward, empty where it is "+
			"not known or every flit is simulated").OrEmpty(),
	table.Number.Column("slowdown_by_others", "", "`service_time` over that of the job alone on the "+
		"same nodes; empty, as the next one, without runs.alone").OrEmpty(),
	table.Number.Column("slowdown_by_placement", "", "that time over the one of the job alone on a "+
		"contiguous place").OrEmpty(),
	table.Number.Column("slowdown_by_others_error", "", "half width of the 95% interval of "+
		"`slowdown_by_others`, empty where `service_time_error` is; 0 where no time is an "+
		"estimate").OrEmpty(),
	table.Number.Column("slowdown_by_placement_error", "",
		"the same of `slowdown_by_placement`").OrEmpty(),
	table.Integer.Column("logged_job", "", "its number in the log; empty, as the next three, for "+
		"a generated job or where the log does not say it").OrEmpty(),
	table.Number.Column("logged_run_time", "s", "its run time in the log").OrEmpty(),
	table.Number.Column("estimate", "s", "what its user asked for in the log").OrEmpty(),
	table.Integer.Column("user", "", "number of its user in the log").OrEmpty(),
	table.String.Column("nodes", "",
		"the nodes it was given, in order of number as intervals: `0-15,32,40-47`"),
	table.Integer.Column("restarts", "", "runs of it that failures ended before this one, which are "+
		"in `killed-runs.csv`"),
	table.Boolean.Column("lost", "", "whether a failure ended this run too and the job, after "+
		"scheduler.max_restarts, never finished: no mean over jobs counts it"),
}

// ChannelTable is the first columns of all rows about channels.
var ChannelTable = RowTable{
	table.Integer.Column("link", "", "number of the channel"),
	table.String.Column("kind", "", "injection, network or ejection"),
	table.Integer.Column("from_router", "", "router it leaves"),
	table.Integer.Column("from_port", "", "output port there"),
	table.Integer.Column("to_router", "", "router it enters"),
	table.Integer.Column("to_port", "", "input port there"),
	table.Integer.Column("node", "", "node of an injection or ejection channel").OrEmpty(),
}

// LinkTable is the columns of Records.LinkRows.
var LinkTable = slices.Concat(ChannelTable, RowTable{
	table.Integer.Column("flits", "flits", "flits carried"),
	table.Number.Column("utilization_percent", "%", "share of the run in which it carried flits"),
	table.Integer.Column("held_cycles", "cycles",
		"time a packet held a virtual channel of it, summed over virtual channels"),
	table.Integer.Column("stalled_cycles", "cycles", "the part of it in which no flit was sent"),
	table.Integer.Column("waited_own_cycles", "cycles",
		"time ready head flits waited for it while a packet of their own job held it"),
	table.Integer.Column("waited_foreign_cycles", "cycles",
		"the same while a packet of another job held it"),
})

// SeriesTable is the columns of Records.SeriesRows, with units as in JobTable.
var SeriesTable = RowTable{
	table.Number.Column("time", "time", "when the bin begins, from the start of the run"),
	table.Number.Column("duration", "time",
		"how long it is; a run has at most 512 bins of equal length, the last one cut at its end"),
	table.Number.Column("utilization_percent", "%",
		"mean share of the machine in use; over the bins that makes `utilization`").OrEmpty(),
	table.Number.Column("queue_jobs", "jobs", "mean number of jobs that waited").OrEmpty(),
	table.Number.Column("running_jobs", "jobs", "mean number of jobs that ran").OrEmpty(),
	table.Number.Column("free_components", "",
		"mean number of connected pieces of the free nodes; nodes of one router are connected, "+
			"and so are those of neighbouring routers").OrEmpty(),
	table.Number.Column("link_utilization_percent", "%",
		"mean share of the bin in which a network channel carried flits; empty without a network",
	).OrEmpty(),
	table.Number.Column("link_utilization_max_percent", "%",
		"the same of the channel that was busiest in the bin").OrEmpty(),
	table.Number.Column("lost_percent", "%", "mean share of the machine in runs of jobs that "+
		"failures ended, which `utilization_percent` leaves out; over the bins that makes "+
		"`lost_node_time`").OrEmpty(),
	table.Number.Column("failed_percent", "%", "mean share of the machine that had failed; over the "+
		"bins that makes 100 less `availability`").OrEmpty(),
	table.String.Column(PairColumn, "", "with `runs.series_pairs` each bin also has a row for each of "+
		"them, of which this is the pair and the columns above are empty; nodes, or job:ranks").OrEmpty(),
	table.Number.Column("rate", "", "of its queue pair when the bin begins, over that of the link; "+
		"empty while the job does not run").OrEmpty(),
	table.Number.Column("alpha", "", "its estimate of congestion then; of `dcqcn`").OrEmpty(),
	table.Integer.Column("notifications", "notifications",
		"that have reached the source until then, since the run or the job began").OrEmpty(),
	table.Integer.Column("queue_flits", "flits",
		"for the destination at its router then; empty with the worm engine").OrEmpty(),
}

// PairColumn is the column of SeriesTable that names a pair; it is empty in the row of a bin.
const PairColumn = "pair"

// PairColumns lists the columns of SeriesTable about pairs, PairColumn first. They are the last.
func PairColumns() []string {
	names := SeriesTable.Names()
	return names[slices.Index(names, PairColumn):]
}

// LoadTable is the columns of Records.LoadRows, with units as in JobTable.
var LoadTable = RowTable{
	table.Number.Column("time", "time", "when the bin begins"),
	table.Number.Column("duration", "time",
		"how long it is: 8 bins of `series.csv`, so a run has at most 64"),
	table.Integer.Column("link", "", "number of the channel, as in `links.csv`"),
	table.Number.Column("utilization_percent", "%", "share of the bin in which it carried flits"),
}

// InterferenceTable is the columns of Records.InterferenceRows.
var InterferenceTable = slices.Concat(RowTable{
	table.Integer.Column("job", "", "job whose ready head flits waited"),
	table.Integer.Column("for_job", "", "job that they waited for, or the job itself; empty where "+
		"head flits waited for their turn on a link that virtual channels share").OrEmpty(),
}, ChannelTable, RowTable{
	table.Integer.Column("held_cycles", "cycles",
		"time in which a packet of `for_job` held the virtual channel that a head flit waited for; over "+
			"all rows of two jobs it is `foreign_blocking_time` of all packets, with machine.failures also "+
			"of those that were lost and of runs that failures ended"),
	table.Integer.Column("behind_cycles", "cycles",
		"the rest of the wait: the packet had sent its tail, which was on the channel or in the buffer "+
			"behind it; over all rows both are `packet_blocking_time` of all packets"),
	table.Integer.Column("root_cycles", "cycles",
		"the same waits, charged in each cycle to the job at the head of the chain of holders: the "+
			"first whose own head flit does not wait"),
})

// PathTable is the columns of Records.PathRows.
var PathTable = RowTable{
	table.Integer.Column("job", "", "number of the job"),
	table.String.Column("part", "",
		"what the job's critical path spent time with, which goes back from its end to what was "+
			"waited for last (a computation, a message that was sent or received, a busy process): "+
			"computing; software (sending and receiving, at processes); source_queue (behind packets "+
			"of the same node, or without a way as links have failed); resending (from when a link that "+
			"failed took the packet along until it is first in that queue again); entry (a place in the "+
			"router); network (the packet on an empty network); "+
			"shared (links and buffers that other packets used too, and detours); own_blocking and "+
			"foreign_blocking (a ready head flit waited for a packet of the job itself, of another one); "+
			"foreign_ahead (in the source queue or at the entry, as packets ahead waited for another job)"),
	table.Integer.Column("for_job", "",
		"the other job of foreign_blocking and foreign_ahead").OrEmpty(),
	table.Integer.Column("messages", "messages", "messages that cross the network on the path"),
	table.Integer.Column("cycles", "cycles", "sum over the path; over all rows of a job it is its "+
		"`service_time`"),
}

// SlowdownTable is the columns of Records.SlowdownRows, with units as in JobTable.
var SlowdownTable = RowTable{
	table.Integer.Column("job", "", "number of the job"),
	table.Integer.Column("by_job", "", "another job, which was on the machine at the same time"),
	table.String.Column("pattern", "", "who sends to whom in `job`"),
	table.String.Column("by_pattern", "", "the same in `by_job`"),
	table.Number.Column("time_alone", "time", "time of `job` on its nodes with nobody else on the "+
		"machine"),
	table.Number.Column("time_beside", "time", "the same with `by_job` only, on its nodes too, each "+
		"started as long after the other as in the run"),
	table.Number.Column("slowdown", "", "`time_beside` over `time_alone`"),
}

// SizeTable is the columns of Records.SizeRows.
var SizeTable = RowTable{
	table.Integer.Column("processors", "nodes", "size of the jobs"),
	table.Integer.Column("jobs", "jobs", "jobs of that size"),
	table.Number.Column("sum_pairwise_distance", "channels", "mean over these jobs"),
}

// LengthTable is the columns of Records.LengthRows.
var LengthTable = RowTable{
	table.Integer.Column("message_flits", "flits", "length of the messages"),
	table.Number.Column("created_load", "flits/node/cycle", "their load created in the window"),
	table.Number.Column("accepted_load", "flits/node/cycle", "their load delivered in the window"),
	table.Number.Column("latency", "cycles",
		"mean over their packets created in the window, creation to delivery").OrEmpty(),
	table.Number.Column("latency_p50", "cycles", "median of it").OrEmpty(),
	table.Number.Column("latency_p99", "cycles", "99th percentile of it").OrEmpty(),
	table.Number.Column("latency_p99_9", "cycles", "99.9th percentile of it").OrEmpty(),
	table.Number.Column("idle_latency", "cycles",
		"mean latency of the same messages, each alone on the network").OrEmpty(),
	table.Integer.Column("packets", "packets", "packets measured"),
}
