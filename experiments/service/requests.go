package service

// Key is a key of a line and its meaning.
type Key struct{ Name, Doc string }

// Request is a kind of request: the key that names it, and the keys that may stand beside it.
type Request struct {
	Key
	Beside []Key
}

// Requests lists the kinds of requests.
var Requests = []Request{
	{Key{"machine", "a machine of this many `nodes`: the first line of a run to its program. The " +
		"answer is `{}`, or an error if this machine has other nodes"}, nil},
	{Key{"free", "the free nodes. The allocator chooses nodes for a job among them; nothing is kept"},
		placementKeys},
	{Key{"allocate", "the name of a job, a string or a number. The allocator chooses nodes for it " +
		"among those that no job has; the job keeps them until `end`"}, placementKeys},
	{Key{"start", "the name of a job, which starts now"}, append([]Key{
		{"nodes", "its nodes, rank 0 first; without them it has those that `allocate` gave it"},
		{"shape", "the sides of its submesh, for patterns that need one"},
		{"iterations", "its length. Without a length it runs until `end`; a graph of tasks needs one"},
		{"messages", "its length, in place of iterations"},
		{"cycles", "in place of both: it sends nothing and ends after this many cycles"},
		{"seed", "the seed of what its pattern draws; by default from its name and `--seed`"}},
		jobKeys...)},
	{Key{"advance", "a cycle, or `\"next\"` for the next end of a job. Time advances to that cycle, " +
		"or to the first cycle in which jobs end if that is earlier"}, slowdownKeys},
	{Key{"end", "the name of a job, which returns its nodes now; the messages that it has sent " +
		"still arrive"}, nil},
	{Key{"status", "the name of a running job, or true for all"}, slowdownKeys},
	{Key{"save", "the name of a file, to which the state is written; it must not exist yet"}, nil},
	{Key{"load", "the name of a file, whose state replaces this one"}, nil},
}

// placementKeys are the keys of requests for nodes, slowed those of requests that can measure
// slowdowns.
var (
	placementKeys = []Key{{"size", "the number of nodes that the job needs"},
		{"shape", "the sides of the submesh that it asks for, x first"}}
	slowdownKeys = []Key{{"slowdown", "true: answer also how much slower jobs are than alone"}}
)

// jobKeys are the keys of [job] that start takes: those of the traffic of a job.
var jobKeys = jobKeysOf("pattern", "flits", "order", "repeat", "grid", "cycle", "bits", "bodies",
	"class", "bytes", "scale", "cut", "compute_cycles")

// jobKeysOf returns keys of [job] with their documentation.
func jobKeysOf(names ...string) (keys []Key) {
	for _, name := range names {
		keys = append(keys, Key{name, "`job." + name + "`, by default that of the study"})
	}
	return keys
}

// Answers lists the keys of answers.
var Answers = []Key{
	{"id", "the id of the request"},
	{"line", "with `error`: the number of the line, from 1"},
	{"error", "what is wrong with the request, and what would be right; nothing has changed"},
	{"nodes", "the nodes of the job, rank 0 first"},
	{"reserved", "further nodes that no other job gets while it has these"},
	{"measures", "the measures of its placement that the machine has: the " +
		"[metrics](metrics.md) of placements, for this job alone"},
	{"refused", "in place of nodes: why the job has to wait"},
	{"now", "the cycle after the request"},
	{"job", "the name of the job"},
	{"ended", "the jobs that have ended"},
	{"jobs", "the jobs that run"},
	{"free", "the number of nodes that no job has"},
	{"start", "the cycle in which the job started"},
	{"end", "the cycle in which it ended"},
	{"service", "its cycles from start to end"},
	{"received", "its messages that have arrived"},
	{"messages", "all messages that it sends, if it ends by itself"},
	{"alone", "the cycles that the same job takes on the same nodes of an empty machine to its end " +
		"or, while it runs, to the same number of messages"},
	{"slowdown", "the time that this took here, divided by `alone`"},
	{"waits", "the cycles in which its head flits waited for a virtual channel, by the job `for` " +
		"whose packets held it, the longest first; these can be its own packets"},
	{"for", "the job that held the channel"},
	{"cycles", "the cycles waited"},
	{"packets", "its packets"},
	{"latency", "the sum of the times of its packets from creation to arrival"},
	{"packet_blocking_time", "the sum over its packets of the cycles in which head flits waited"},
	{"foreign_blocking_time", "the part of it owed to other jobs"},
	{"channels", "the ten channels on which head flits waited longest for packets of other jobs"},
	{"link", "the number of the channel"},
	{"kind", "network, injection or ejection"},
	{"from", "the router, or the node, at its begin"},
	{"to", "the router, or the node, at its end"},
	{"node", "the node of an injection or ejection channel"},
	{"foreign", "the cycles in which head flits waited on it for packets of other jobs, since " +
		"cycle 0"},
	{"flits", "the flits that it carried"},
	{"saved", "the file that was written"},
	{"loaded", "the file that was read"},
	{"running", "the names of the jobs that run"},
}
