package config

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"

	"contend/allocation"
	"contend/experiments/service/external"
	"contend/internal/call"
	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
	"contend/patterns/tasks"
	"contend/router"
	"contend/router/topology"
	"contend/scheduler"
)

// Registry holds everything that a study can name. A main function fills in a
// registry, usually Builtin and more, and hands it down. No package keeps a registry of
// its own. A registry must not change once it is in use.
//
// Names hold lower-case letters, digits and hyphens and begin with a letter. Names of
// parameters and metrics have underscores in place of hyphens. A name occurs once in a
// list. Check reports what is wrong.
type Registry struct {
	Topologies []Topology  // names of machine.topology
	Routings   []Routing   // names of network.routing
	Patterns   []Pattern   // names of job.pattern
	Allocators []Allocator // names of allocator
	Policies   []Policy    // names of scheduler.policy
	Metrics    []Metric    // columns and figures

	machines sync.Map // Machines by Identity
	latest   atomic.Pointer[lastIdentity]
	routed   sync.Map // machines with a routing, by route
	graphs   sync.Map // by graphKey, and answers of programs by trafficKey
	programs sync.Map // those of patterns, by call
	indexed  sync.Once
	index    map[[2]string]entry // by table and name
	names    map[string][]string // by table
	displays map[string]string   // by name, of the entries that have one
	files    input.Files         // opens the files of patterns
}

// ReadWithin opens the files of built-in patterns that are below a folder through it.
func (r *Registry) ReadWithin(folder *os.Root) { r.registered().files = input.Files{In: folder} }

// Allocator is an allocator under its name.
type Allocator = allocation.Entry

// Pattern is a communication pattern under its name. A study may mix it with
// others: job.pattern = "butterfly:stride=2+ring:3".
type Pattern struct {
	// Name, Display, Doc, Source and Parameters are as in Allocator.
	Name, Display, Doc, Source string
	Parameters                 []call.Parameter
	// Draws is true if the pattern draws from its stream. Without it the stream is
	// nil.
	Draws bool
	// OwnLengths is true if messages have other lengths than PatternJob.Flits. The
	// network then uses an engine that is exact for any length.
	OwnLengths bool
	// New makes one iteration of the pattern for a job. It returns a
	// patterns.NewSizeError if the pattern does not support the number of processes. The
	// value nil means that package patterns has one of the name.
	New func(v call.Values, j PatternJob) (patterns.Pattern, error)
	// Tasks makes the graph of tasks of a job, in place of New, for processes that do more than
	// send in phases. It is called once for each number of processes; a graph that does not change
	// with that number is made for 0 too, to know how many ranks it has.
	Tasks func(v call.Values, j PatternJob) (*tasks.Graph, error)
	// Note returns what else a user should know of a job, such as the memory that it needs, for
	// contend pattern. It may be nil.
	Note func(v call.Values) string
	// Slow returns by how much longer the computations of each rank of Tasks take, or nil if none
	// is slow. The value nil means that none ever is.
	Slow func(v call.Values, j PatternJob) ([]float64, error)
	// DrawsWith reports whether Slow draws from its stream, with some parameters.
	DrawsWith func(v call.Values) bool
	// Digest returns a digest of the files that the parameters name, as FilesDigest does. Such a
	// pattern has the parameters that FileParameters returns, and its results depend on the content
	// of the files.
	Digest func(v call.Values) (string, error)
	// program returns the program that is asked for the pattern, in place of New.
	program func(v call.Values) *external.Pattern
}

// PatternJob is the job that a pattern is made for.
type PatternJob struct {
	// Processes is their number, at least 1.
	Processes int
	// Shape is the submesh that the job requests, x first, or nil.
	Shape []int
	// Flits is the length of a message, at least 1 (job.flits).
	Flits int32
	// Stream is the random stream of the pattern. It is nil if the caller only counts
	// messages and phases.
	Stream *rand.Rand
}

// Policy is a queueing policy under its name. A study gives its parameters in
// the short form: scheduler.policy = "easy-depth:depth=10".
type Policy struct {
	// Name, Display, Doc, Source and Parameters are as in Allocator.
	Name, Display, Doc, Source string
	Parameters                 []call.Parameter
	// IgnoresEstimates is true if the policy never reads the estimates of users, so
	// that keys about estimates have no effect.
	IgnoresEstimates bool
	// New makes the policy of one run. The policy may keep state.
	New func(v call.Values, r PolicyRun) (scheduler.Policy, error)
	// newFromKeys is New of a policy whose parameters are keys of [scheduler].
	newFromKeys func(p *SchedulerSpec) scheduler.Policy
}

// PolicyRun is the run that a policy is made for.
type PolicyRun struct {
	// Allocator is that of the run: a policy that plans with numbers of nodes alone refuses
	// one for which allocation.CountDecides is false.
	Allocator allocation.Allocator
	// Site has the machine and the life of the run, and no random stream.
	Site allocation.Site
}

// Metric is a number that each run measures. Tables, CSV files and runs.jsonl have it
// beside the built-in metrics, and figures can draw it.
//
// A metric is part of a result, so it must be deterministic: the same records
// in the same order give the same value on every machine. It reads no clock,
// draws nothing, and adds up nothing in the order of a map.
type Metric struct {
	// Name, Doc and Source are as in Allocator.
	Name, Doc, Source string
	// Unit is "" for a number without a unit, and "time" for the unit of the run's
	// clock. Clock.Seconds gives times in that unit.
	Unit string
	// Min is the smallest value the metric can have, in Unit: new(0.0) for a metric that
	// is never negative. Confidence intervals end there, and a run in which the metric is
	// below fails. The value nil means no minimum.
	Min *float64
	// New makes the meter of one run. It is nil for a metric that the program
	// measures itself.
	New func(r MetricRun) Meter
}

// MetricRun is the run that a metric measures.
type MetricRun struct {
	Machine topology.Topology // the machine of the run
	// Clock turns cycles into the unit of the clock of the run.
	Clock scheduler.Clock
}

// Meter measures one metric in one run. The runs of a study are simulated in parallel,
// and each has a meter of its own.
type Meter interface {
	// Record is called for each job that ends and counts, in the order of the ends: not for jobs
	// of the warm-up and the cool-down, nor for lost jobs. The record is valid during the call only.
	Record(r *scheduler.Record)
	// Value returns the metric at the end of the run. It returns NaN if the metric is
	// not defined; the run then has no such metric.
	Value(e MetricEnd) float64
}

// MetricEnd has the totals of a run at its end.
type MetricEnd struct {
	Totals *scheduler.Totals // sums over the jobs
	// Network is nil if jobs take time and send no messages.
	Network *netsim.Totals
}

// Topology is a kind of machine under its name (machine.topology).
type Topology struct {
	// Name, Display, Doc, Source and Parameters are as in Allocator.
	Name, Display, Doc, Source string
	Parameters                 []call.Parameter
	// Routings are names of routings that fit it, the default first; auto leaves the choice to
	// the method DefaultRouting of the machine.
	Routings []string
	// Size returns the text by which tables distinguish machines of the topology. The value
	// nil takes the parameters.
	Size func(v call.Values) string
	// Sound is true if machines of New need no check of their contract.
	Sound bool
	// newFromKeys and sizeFromKeys are New and Size of topologies whose parameters are the keys of
	// [machine].
	newFromKeys  func(m *MachineSpec) (topology.Topology, error)
	sizeFromKeys func(m *MachineSpec) string
	// New makes the machine, once for all runs: what it returns must not change, and
	// several goroutines call its methods. One that is no topology.Metric gets its
	// distances by a search over its routers. Allocators and metrics then see a
	// topology with distances around it, and Unwrap returns what New made.
	New func(v call.Values) (topology.Topology, error)
}

// Routing is a routing function under its name (network.routing).
type Routing struct {
	// Name, Display, Doc, Source and Parameters are as in Allocator.
	Name, Display, Doc, Source string
	Parameters                 []call.Parameter
	// Draws is true if the routing draws. The seed of other routings is 0.
	Draws bool
	// Flows is true if it has the trait router.Traits.Flows, so that network.flows_per_pair acts.
	Flows bool
	// Suits reports whether the routing works on a topology. The value nil means all.
	Suits func(t topology.Topology) bool
	// VirtualChannels returns how many virtual channels a network channel needs on a
	// topology, at least 1. The value nil means 1.
	VirtualChannels func(t topology.Topology) int
	// Makers make the routing on different topologies, in place of the fields below.
	Makers []router.Maker
	// New makes the routing for the channels of a machine. The seed is that of its
	// random stream.
	New func(v call.Values, w *router.Wiring, t topology.Topology, seed uint64) (router.Routing, error)
}

// Name documents one entry of a name table: an allocator, a pattern, ...
type Name struct {
	// Name is what a study writes, Doc says in a line what it means, and Source is
	// the paper that defines it, or "".
	Name, Doc, Source string
	// Parameters are those that a call of the entry takes.
	Parameters []call.Parameter
}

// Line is Doc with the parameters, for lists.
func (n *Name) Line() string {
	if about := call.Describe(n.Name, n.Parameters); about != "" {
		return n.Doc + "; " + about
	}
	return n.Doc
}

// Identity identifies the machine or the network of a plan. Plans whose machines are
// equal have equal identities of the machine; the same holds for networks.
type Identity string

// lastIdentity is the machine whose identity was computed last.
type lastIdentity struct {
	machine MachineSpec
	id      Identity
}

// FileParameters returns the parameters of a pattern that reads files: file, described by about,
// and sha256.
func FileParameters(about string) []call.Parameter {
	return []call.Parameter{{Name: "file", Type: call.File, Doc: about},
		{Name: "sha256", Type: call.Digest,
			Doc: fmt.Sprintf("the first %d digits of the SHA-256 of the file, "+
				"which a study adds", call.DigestDigits)}}
}

// fileLimits bound the files of patterns.
var fileLimits = input.Limits{Bytes: 4 << 30}

// FilesDigest returns the digest of the file that the parameter "file" names.
func FilesDigest(v call.Values) (string, error) { return DigestOf(v.Files(), v.Word("file")) }

// DigestOf returns the first call.DigestDigits hexadecimal digits of the SHA-256 of the files,
// concatenated in the given order.
func DigestOf(files input.Files, paths ...string) (string, error) {
	sum := sha256.New()
	for _, path := range paths {
		file, err := files.Open(path, fileLimits)
		if err != nil {
			return "", input.Unreadable(err, "give a file")
		}
		_, err = io.Copy(sum, fileLimits.Reader(path, file))
		file.Close()
		if err != nil {
			return "", input.Unreadable(err, "give a file")
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:call.DigestDigits], nil
}
