package config

import (
	"contend/router/topology"
)

// machineKeys are the keys of [machine].
var machineKeys = []Key{
	{Path: "machine.topology", field: &spec.Machine.Topology, assign: (*Settings).assignMachine,
		gate: 1, Default: `"mesh"`, Names: "topologies",
		Doc: "how the routers are joined; with a size behind a colon, such as torus:8x8x4 or " +
			"dragonfly:a4h2p2g9, it sets the keys of that size too"},
	{Path: "machine.dims", field: &spec.Machine.Dims,
		isStandard: func(_ *Spec, value string) bool { return value == MeshDims },
		Default:    "[]", Min: "1", Unit: "routers",
		when: all(topologyIs("mesh", "torus", "hypercube", "hyperx")),
		Doc: "routers along each dimension, x first; of a hypercube the number of its " +
			"dimensions alone, such as [6]. Empty: with a log as nearly square as its machine " +
			"allows (MaxProcs of its header, else MaxNodes, else the largest job), else [16, " +
			"16], of a hypercube [8], of a hyperx [8, 8]"},
	{Path: "machine.arity", field: &spec.Machine.Arity,
		Default: "4", Min: "2", when: all(topologyIs("tree")),
		Source: "pascual2009 sec. 3",
		Doc:    "of a tree: ports down of a router, k of a k-ary n-tree"},
	{Path: "machine.levels", field: &spec.Machine.Levels,
		Default: "4", Min: "1", Max: "24", when: all(topologyIs("tree")),
		Doc: "of a tree: levels of routers, n of a k-ary n-tree"},
	{Path: "machine.nodes", field: &spec.Machine.Nodes, Default: "0", Min: "0", Unit: "nodes",
		when: all(topologyIs("tree", "fat-tree")), Source: "pascual2009 sec. 4",
		Doc: "of a tree or a fat-tree: number of nodes, of which it has the first ones; 0: all " +
			"there is room for"},
	{Path: "machine.up_ports", field: &spec.Machine.UpPorts,
		Default: "[]", Min: "1", when: all(topologyIs("tree")),
		Doc: "of a tree: ports up of a router, one number for all levels, such as [2], or one " +
			"for each but the top, from the bottom; empty: as many as down"},
	{Path: "machine.children", field: &spec.Machine.Children,
		Default: "[4, 4, 4]", Min: "1", when: all(topologyIs("fat-tree")),
		Source: "Zahavi 2010",
		Doc: "of a fat-tree: subtrees below a router of each level, nodes at the lowest one, " +
			"from the bottom; as many levels as entries"},
	{Path: "machine.parents", field: &spec.Machine.Parents, Default: "[]", Min: "1", Unit: "routers",
		when: all(topologyIs("fat-tree")), Source: "Zahavi 2010",
		Doc: "of a fat-tree: routers above a router, one number for all levels, such as [2], " +
			"or one for each but the top, from the bottom; empty: as many as machine.children"},
	{Path: "machine.bundle", field: &spec.Machine.Bundle, Default: "[]", Min: "1", Unit: "links",
		when: all(topologyIs("fat-tree")), Source: "Zahavi 2010",
		Doc: "of a fat-tree: parallel links from a router to each one above, one number for " +
			"all levels, such as [2], or one for each but the top, from the bottom; empty: 1"},
	{Path: "machine.rails", field: &spec.Machine.Rails,
		Default: "1", Min: "1", Max: "64", when: all(topologyIs("fat-tree")),
		Doc: "of a fat-tree: network interfaces of a node. Each belongs to a plane of its own, a " +
			"whole tree of routers; network.rail says which one a message takes"},
	{Path: "machine.wrap", field: &spec.Machine.Wrap,
		Default: "[]", when: all(topologyIs("mesh", "torus")),
		Doc: "per dimension, whether its ends are joined; empty: as in the topology"},
	{Path: "machine.concentration", field: &spec.Machine.Concentration,
		Default: "1", Min: "1", Max: "64", Unit: "nodes",
		when: all(topologyIs("mesh", "torus", "hypercube", "dragonfly", "hyperx")),
		Doc:  "nodes attached to each router"},
	{Path: "machine.service_rows", field: &spec.Machine.ServiceRows,
		Default: "[]", Min: "0", when: all(grid),
		Source: "leung2002 sec. 4",
		Doc:    "coordinates along the last dimension of routers that carry no nodes"},
	{Path: "machine.group_routers", field: &spec.Machine.GroupRouters,
		Default: "4", Min: "1", Max: "4096", Unit: "routers",
		when: all(topologyIs("dragonfly")), Source: "Kim et al. 2008",
		Doc: "of a dragonfly: routers of a group, a, every two of them joined"},
	{Path: "machine.global_links", field: &spec.Machine.GlobalLinks,
		Default: "2", Min: "1", Max: "4096", Unit: "links",
		when: all(topologyIs("dragonfly")), Source: "Kim et al. 2008",
		Doc: "of a dragonfly: links of a router to other groups, h"},
	{Path: "machine.groups", field: &spec.Machine.Groups, Default: "0", Min: "0", Unit: "groups",
		when: all(topologyIs("dragonfly")), Source: "Kim et al. 2008",
		Doc: "of a dragonfly: number of groups, g, at most a·h + 1; 0: that many. With fewer, " +
			"several links join two groups, spread evenly"},
	{Path: "machine.arrangement", field: &spec.Machine.Arrangement,
		Default: `"absolute"`, Choices: topology.Arrangements(),
		when: all(topologyIs("dragonfly"), when("more than two groups",
			func(s *Spec) bool { return s.Machine.SeveralGroups() })),
		Source: "Camarero et al. 2014",
		Doc: "of a dragonfly: which global link leads to which group. absolute: in the order " +
			"of the groups; relative: in the order in which they follow its own group; " +
			"circulant: one ahead, one back, two ahead, and so on, which needs an even number " +
			"of global links"},
	{Path: "machine.width", field: &spec.Machine.Width, Default: "[]", Min: "1", Unit: "links",
		when: all(topologyIs("hyperx")), Source: "Ahn et al. 2009",
		Doc: "of a hyperx: parallel links between two routers, one number for all dimensions, " +
			"such as [2], or one for each; empty: 1"},
	{Path: "machine.graph", field: &spec.Machine.Graph, Default: "[]", when: all(topologyIs("graph")),
		Doc: "of a graph: a text for each router as in a BookSim anynet file, such as " +
			"[\"router 0 node 0 router 1\", \"router 1 node 1\"]. machine.file reads it from a " +
			"file"},
	{Path: failuresPath, field: &spec.Failures, Default: "[]",
		Doc: "failures: tables [[machine.failures]] or texts such as \"nodes = 3-7,12; at = 2 s; for " +
			"= 1 h\": nodes, routers or links, at and for, or mtbf and mttr, share, and bandwidth of slow " +
			"links. docs/howto/failures.md describes them"},
}

// workloadKeys are the keys of [workload] up to those of drawn jobs.
var workloadKeys = []Key{
	{Path: "workload.source", field: &spec.Workload.Source,
		gate: 1, Default: `"synthetic"`, Choices: choices(sources...),
		Doc: "where jobs come from: drawn from distributions, a log in the Standard Workload " +
			"Format, Lublin and Feitelson's model of logs (JPDC 2003), the 188 test jobs of " +
			"leung2002 sec. 4, jobs of one size that start at once where workload.placement says, " +
			"those that workload.list lists, or batsim, a workload of that simulator in JSON, whose " +
			"profiles say what jobs do; traffic: there are none, nodes create messages of job.flits as " +
			"workload.traffic and workload.traffic_load say, whether the network accepts them or not"},
	{Path: "workload.trace", field: &spec.Workload.Trace, assign: (*Settings).assignTrace,
		Default: `""`, when: all(traced),
		Doc: "file of the log, plain or gzip, or of the workload of Batsim; searched as given, " +
			"then in the folders of --traces, with or without .swf and .gz; if it is missing, the " +
			"newest other version of the log (NAME-YEAR-VERSION) is taken"},
	{Path: "workload.trace_sha256", field: &spec.Workload.TraceSHA256,
		Quiet: true, Default: `""`, when: all(traced),
		Doc: "digest of the log; filled in by a run, and a later run refuses another log of " +
			"the same name"},
	{Path: "workload.nodes_field", field: &spec.Workload.NodesField,
		Default: "0", Min: "0", Max: "64", when: all(swf),
		Doc: "field of a line of a log with more than the 18 of the standard that has the number " +
			"of nodes of the job, from 19, such as 20 in the public log of Frontier; sizes of jobs " +
			"are then nodes. 0: lines have 18 fields, and field 5 counts, or 8 where that is unknown"},
	{Path: "workload.start", field: &spec.Workload.Start,
		Default: "0", Min: "0", Max: "100000000", Unit: "jobs",
		when: all(LogWorkloads),
		Doc:  "jobs to skip at the beginning of the log"},
	{Path: "workload.window", field: &spec.Workload.Window,
		Default: "0", Min: "0", Unit: "jobs", when: all(LogWorkloads),
		Doc: "replication r skips another r times this many jobs: replications are windows of " +
			"the log, in place of other draws; 0: they are not windows"},
	{Path: "workload.windows", field: &spec.Workload.Windows,
		Default: "0", Min: "0", Unit: "windows", when: all(swf),
		Doc: "the jobs of the log behind workload.start are cut into this many windows of as many jobs " +
			"each, and replication r runs window r, or its first workload.jobs: workload.window for a log " +
			"of any length; 0: they are not windows"},
	{Path: "workload.warm_start", field: &spec.Workload.WarmStart,
		Default: "false", when: all(swf, beginsLater, timesKept, asLogged, noFailures),
		Doc: "a run begins with the jobs that run and wait in the whole log when its first job is " +
			"submitted: the jobs before it run for their run times, without messages, under the same " +
			"scheduler and allocator; those that run then do the rest of them, on the nodes " +
			"that they hold. They count in no metric of jobs, like those of runs.warmup_jobs, which are " +
			"further ones; false: the first job finds an empty machine"},
	{Path: "workload.snapshots", field: &spec.Workload.Snapshots,
		Default: "false", when: all(swf, fromRunTimes, asLogged, noFailures, ratesAlone),
		Doc: "each run is a moment of the log, and replications are moments at even distances in its " +
			"time, which further ones divide (a golden-ratio sequence from a drawn beginning): the jobs " +
			"that run then, as with workload.warm_start, each with an hour of work and in a drawn phase " +
			"of its iterations. All run at the rates that they have beside each other, within " +
			"runs.fast_forward: no job starts, and none leaves. Metric dilation is what this is for"},
	{Path: "workload.jobs", field: &spec.Workload.Jobs,
		isStandard: func(s *Spec, _ string) bool { return s.Workload.countsAsDefault() },

		Default: "0", Min: "0", Max: "100000000", Unit: "jobs",
		when: all(counted),
		Doc: "number of jobs to run; 0: all of a log, 1000 generated ones; of together: the " +
			"most jobs to run, if the machine has room for more"},
	{Path: listPath, field: &spec.Workload.List, gate: 3, Default: "[]", when: all(ListWorkload),
		Doc: "of list: the jobs, tables [[workload.list]] or texts such as \"pattern = goal:a.goal; at " +
			"= 2 us; count = 3\". Of each, pattern is one pattern; processes their number, which a " +
			"pattern from a file has by itself; at the time of submission and estimate what users " +
			"expect of the run time, in cycles, or, with network.cycle, in seconds or with a unit; " +
			"iterations how often the job does its pattern (0: as job.quota says); count how many such " +
			"jobs there are; nodes, such as 0-3,8, those of its processes in order, in all rows or in none, " +
			"where jobs start in the order of their submission; background = true goes on without end, " +
			"until all others have ended. Files " +
			"are relative to the study's file"},
	{Path: "workload.processes", field: &spec.Workload.Processes,
		Default: "16", Min: "2", Unit: "processes",
		when: all(TogetherWorkload),
		Doc:  "of together: size of each job"},
	{Path: "workload.placement", field: &spec.Workload.Placement,
		Default: `"contiguous"`, when: all(TogetherWorkload),
		Source: "pascual2009 sec. 5",
		Doc: "of together: contiguous, each job in a subtree of its level or a submesh; " +
			"away:T, T processes of each, drawn, change places with those of neighbouring " +
			"jobs; dealt, nodes dealt out in turn; scattered, the same, each round shuffled; " +
			"random, or random:N, N consecutive nodes, those of a host, at a time"},
	{Path: "workload.background", field: &spec.Workload.Background,
		Default: `"same"`, when: all(TogetherWorkload),
		Doc: "of together: same, all jobs do the same; idle, one has the machine to itself; or " +
			"the pattern of all jobs but the first, which do it until that is done, or several, such as " +
			"incast+all-to-all, which these jobs take in turn"},
	{Path: "workload.traffic", field: &spec.Workload.Traffic,
		Default: `"uniform"`, Names: "traffics", when: all(TrafficWorkload),
		read:   canonicalTraffic,
		Source: "Dally and Towles 2004, sec. 3.2",
		Doc: "of traffic: where nodes send, with parameters as in hotspot:nodes=0/9,share=0.2; " +
			"the file of a matrix is read where its digest is not given, and a resolved study " +
			"has that"},
	{Path: "workload.traffic_load", field: &spec.Workload.TrafficLoad,
		Default: "0.1", Max: "1", Above: "0", Unit: "flits/node/cycle",
		when: all(TrafficWorkload),
		Doc: "of traffic: mean flits that a node creates in a cycle; a message begins in each " +
			"cycle with the same probability"},
	{Path: lengthsPath, field: &spec.Workload.Lengths,
		Default: `""`, when: all(TrafficWorkload), read: canonicalLengths,
		Doc: "of traffic: lengths of messages in flits with weights, such as 1:0.8+8:0.2; each " +
			"message draws one; \"\": job.flits"},
	{Path: "workload.burst_cycles", field: &spec.Workload.BurstCycles,
		Default: "0", Min: "0", Max: "1e9", Unit: "cycles",
		when: all(TrafficWorkload), Source: "Dally and Towles 2004, sec. 24.2",
		Doc: "of traffic: mean length of the bursts in which a node creates messages, at least " +
			"1; between bursts it creates none, and the mean load stays the same; both kinds " +
			"of periods are geometric; 0: no bursts"},
	{Path: "workload.burst_share", field: &spec.Workload.BurstShare,
		Default: "0.5", Above: "0", Below: "1",
		when: all(TrafficWorkload, inBursts),
		Doc:  "of traffic: share of time that a node is in a burst"},
	{Path: "workload.self_messages", field: &spec.Workload.SelfMessages,
		Default: "false", when: all(TrafficWorkload, sendsToSelf),
		Doc: "of traffic: nodes send to themselves too, through their routers, where the " +
			"pattern has them do so, as in BookSim 2; false: such nodes are silent, and " +
			"uniform traffic goes to others"},
	{Path: "workload.warmup_cycles", field: &spec.Workload.WarmupCycles,
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(TrafficWorkload),
		Doc:  "of traffic: not measured; 0: 5000, or as long as 10 messages of a node take if that is more"},
	{Path: "workload.window_cycles", field: &spec.Workload.WindowCycles,
		Default: "0", Min: "0", Max: "1000000000", Unit: "cycles",
		when: all(TrafficWorkload),
		Doc: "of traffic: messages created in it count; 0: 10000, or as long as 40 messages of a node " +
			"take if that is more"},
	{Path: "workload.processors", field: &spec.Workload.Processors,
		gate: 2, Default: "0", Min: "0", Unit: "processors", when: all(synthetic),
		Doc: "processors that each generated job requests, of any shape; 0: jobs draw sizes or " +
			"sides"},
}

// drawnKeys are the keys of [workload] that say how jobs are drawn.
var drawnKeys = []Key{
	{Path: sizePath, field: &spec.Workload.Size,
		gate: 2, Default: `""`, read: canonicalSize, when: all(synthetic, noProcessors),
		Source: "Feitelson 1996; Downey 1997",
		Doc: "distribution of the number of nodes that a job requests, of any shape, the same on all " +
			"machines with as many nodes and, if no bound is the machine's, on all machines: " +
			sizeForms() + "; \"\": jobs draw sides"},
	{Path: "workload.side.distribution", field: &spec.Workload.Side.Distribution,
		gate: 2, Default: `"uniform"`,
		Choices: []string{"uniform", "exponential", "increasing", "decreasing", "fixed"},
		when:    all(synthetic, drawsSide), Source: "lo1994 App. A",
		Doc: "distribution of the sides of requested submeshes: a job draws one side for each " +
			"dimension of a grid. Where the machine is no grid a job draws two sides and asks for " +
			"their product; such a machine counts as the largest square with no more nodes, so " +
			"the jobs are those of a square mesh. Patterns with job.grid = shape have the sides " +
			"on every machine"},
	{Path: "workload.side.min", field: &spec.Workload.Side.Min,
		Default: "1", Min: "1", Unit: "processors",
		when: all(synthetic, drawsSide, sideIs("uniform")),
		Doc:  "smallest side"},
	{Path: "workload.side.max", field: &spec.Workload.Side.Max,
		Default: "0", Min: "0", Unit: "processors",
		when: all(synthetic, drawsSide, sideIs("uniform")),
		Doc:  "largest side; 0: the machine's, that of the square where it is no grid"},
	{Path: "workload.side.outside", field: &spec.Workload.Side.Outside,
		Default: `"clamp"`, Choices: []string{"clamp", "redraw"},
		when: all(synthetic, drawsSide, sideIs("exponential")),
		Doc:  "what happens to an exponential draw outside of the machine"},
	{Path: "workload.side.value", field: &spec.Workload.Side.Value,
		Default: "1", Min: "1", Unit: "processors",
		when: all(synthetic, drawsSide, sideIs("fixed")),
		Doc:  "the side of the distribution fixed"},
	{Path: "workload.side.round", field: &spec.Workload.Side.Round, Default: `"none"`,
		Choices: []string{"none", "down", "nearest", "up"}, when: all(synthetic, drawsSide),
		Doc: "round each side to a power of two"},
	{Path: "workload.interarrival.distribution", field: &spec.Workload.Interarrival.Kind,
		Default: `"exponential"`,
		Choices: []string{"exponential", "fixed"}, when: all(generated, arrivals),
		Source: "lo1994 App. A",
		Doc:    "distribution of the times between submissions"},
	{Path: "workload.interarrival.mean", field: &spec.Workload.Interarrival.Mean,
		gate: 2, Default: "1", Min: "0", OneOf: "interarrival",
		Unit: "time units", when: all(generated, noTargetLoad),
		Doc: "mean time between submissions; 0: all jobs at once"},
	{Path: "workload.service.distribution", field: &spec.Workload.Service.Kind,
		Default: `"exponential"`,
		Choices: []string{"exponential", "fixed"}, when: all(generated, DrawnServices),
		Source: "lo1994 App. A",
		Doc:    "distribution of run times"},
	{Path: "workload.service.mean", field: &spec.Workload.Service.Mean,
		Default: "1", Above: "0", Unit: "time units",
		when: all(generated, DrawnServices),
		Doc:  "mean run time"},
	{Path: "workload.system_load", field: &spec.Workload.SystemLoad,
		gate: 2, Default: "0", Min: "0", OneOf: "interarrival",
		when: all(generated, loaded), Source: "lo1994 sec. 4",
		Doc: "mean service time over mean interarrival time, which sets the latter; 0: " +
			"workload.interarrival.mean sets it. The service time is workload.service.mean, or of " +
			"synthetic jobs that send messages the mean time of a job alone, on the nodes at a corner " +
			"of the machine (job.calibrate_on). Drawn jobs are simulated alone, the same for all " +
			"loads, allocators and replications, until the 95% interval of the mean is within 2% of " +
			"it, at most 1000; a note has the mean and the interval"},
}

// logKeys are the keys of [workload] that change the jobs of a log.
var logKeys = []Key{
	{Path: "workload.target_load", field: &spec.Workload.TargetLoad,
		gate: 2, Default: "0", Min: "0", when: all(loadable, noSystemLoad),
		Doc: "interarrival times of a log or of Lublin and Feitelson's model are multiplied by " +
			"one factor such that the load, the work of all jobs over the time from the first " +
			"to the last submission (metric submitted_load), is this, window by window. Of synthetic " +
			"jobs that send messages: the mean processor time of a job alone over that of the machine " +
			"between two submissions, which sets workload.interarrival.mean, as workload.system_load " +
			"does; no metric has what the jobs of one replication make of it. 0: neither"},
	{Path: "workload.size_clamp", field: &spec.Workload.SizeClamp,
		Default: "0", Min: "0", Unit: "processors",
		when: all(LogWorkloads),
		Doc:  "larger jobs of a log are made this large; 0: they are an error"},
	{Path: "workload.size_divisor", field: &spec.Workload.SizeDivisor,
		Default: "1", Min: "1", when: all(LogWorkloads),
		Source: "bender2005 sec. 6",
		Doc:    "sizes of a log are divided by it, rounding up"},
	{Path: "workload.round_sizes", field: &spec.Workload.RoundSizes, Default: `"none"`,
		Choices: []string{"none", "down", "nearest", "up"}, when: all(LogWorkloads),
		Doc: "round sizes of a log to a power of two"},
	{Path: "workload.work_multiple", field: &spec.Workload.WorkMultiple,
		Default: "1", Above: "0", when: all(LogWorkloads),
		Source: "leung2002 sec. 3",
		Doc:    "run times of a log are multiplied by it"},
	{Path: "workload.load_scale", field: &spec.Workload.LoadScale, Default: "1", Above: "0",
		when: all(LogWorkloads, when("workload.target_load = 0",
			func(s *Spec) bool { return s.Workload.TargetLoad == 0 })),
		Doc: "interarrival times of a log are divided by it"},
	{Path: "workload.shake", field: &spec.Workload.Shake,
		Default: "0", Min: "0", Max: "1e9", Unit: "s",
		when: all(LogWorkloads), Source: "Tsafrir, Ouaknine and Feitelson 2007",
		Doc: "each replication moves every submission of a log by up to this time, earlier or " +
			"later but not before time 0, which shows how much results depend on chance"},
	{Path: "workload.replication_factor", field: &spec.Workload.Replication,
		gate: 2, Default: "1", Min: "1", Max: "1000",
		when: all(LogWorkloads), Source: "leung2002 sec. 3",
		Doc: "copies of each job of a log, submitted at other times"},
	{Path: "workload.replication_spread", field: &spec.Workload.Spread,
		Default: "3600", Min: "0", Max: "1e12", Unit: "s",
		when: all(LogWorkloads, when("workload.replication_factor above 1",
			func(s *Spec) bool { return s.Workload.Replication > 1 })),
		Doc: "copies of a job are submitted up to this time before or after it, but not before " +
			"time 0 (leung2002 does not give it)"},
}
