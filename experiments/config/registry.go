package config

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
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
	files    input.Files         // opens the files of patterns
}

// ReadWithin opens the files of built-in patterns that are below a folder through it.
func (r *Registry) ReadWithin(folder *os.Root) { r.registered().files = input.Files{In: folder} }

// Allocator is an allocator under its name.
type Allocator = allocation.Entry

// Pattern is a communication pattern under its name. A study may mix it with
// others: job.pattern = "butterfly:stride=2+ring:3".
type Pattern struct {
	// Name, Doc, Source and Parameters are as in Allocator.
	Name, Doc, Source string
	Parameters        []call.Parameter
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
	// Name, Doc, Source and Parameters are as in Allocator.
	Name, Doc, Source string
	Parameters        []call.Parameter
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
	// Record is called for each job that ends, in the order of the ends. The
	// record is valid during the call only.
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
	// Name, Doc, Source and Parameters are as in Allocator.
	Name, Doc, Source string
	Parameters        []call.Parameter
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
	// Name, Doc, Source and Parameters are as in Allocator.
	Name, Doc, Source string
	Parameters        []call.Parameter
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

// entry has what all entries of a registry have in common.
type entry struct {
	table, name, doc, source string
	parameters               []call.Parameter
	// section has the keys that are parameters of all entries of the table; "" for none.
	section string
	of      any  // a pointer to the Topology, Routing, Allocator, Pattern or Policy
	made    bool // there is a constructor
	digest  func(v call.Values) (string, error)
	files   *input.Files // opens files
}

// entries lists everything in the registry but the metrics.
func (r *Registry) entries() (all []entry) {
	add := func(e entry) { all = append(all, e) }
	for i := range r.Topologies {
		x := &r.Topologies[i]
		e := entry{table: "topologies", name: x.Name, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, made: x.New != nil || x.newFromKeys != nil}
		if x.newFromKeys != nil {
			e.section = "machine"
		}
		add(e)
	}
	for i := range r.Routings {
		x := &r.Routings[i]
		add(entry{table: "routings", name: x.Name, doc: x.Doc, source: x.Source,
			parameters: withQuantities(x.Name, x.Parameters), of: x, made: x.New != nil || x.Makers != nil})
	}
	for i := range r.Allocators {
		x := &r.Allocators[i]
		add(entry{table: "allocators", name: x.Name, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, made: x.New != nil})
	}
	for i := range r.Patterns {
		x := &r.Patterns[i]
		e := entry{table: "patterns", name: x.Name, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, digest: x.Digest, files: &r.files,
			made: x.New != nil || x.Tasks != nil || x.program != nil}
		if !e.made {
			e.section = "job"
		}
		add(e)
	}
	for i := range r.Policies {
		x := &r.Policies[i]
		e := entry{table: "schedulers", name: x.Name, doc: x.Doc, source: x.Source,
			parameters: x.Parameters, of: x, made: x.New != nil || x.newFromKeys != nil}
		if x.newFromKeys != nil {
			e.section = "scheduler"
		}
		add(e)
	}
	for i := range netsim.ControlKinds() {
		x := &netsim.ControlKinds()[i]
		add(entry{table: controlTable, name: x.Name, doc: x.Doc, source: x.Source,
			parameters: withQuantities(x.Name, x.Parameters), of: x, made: true})
	}
	return all
}

var (
	wellNamed    = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	wellMeasured = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
)

// reserved are names that have another meaning in a study.
var reserved = map[string][]string{"patterns": {backgroundSame, backgroundIdle}}

// Check returns everything that is wrong with the registry, or nil.
func (r *Registry) Check() error {
	var wrong []error
	seen := map[string]bool{}
	add := func(table, name, doc string, made, good bool) {
		problem := func(text string, args ...any) {
			wrong = append(wrong, fmt.Errorf("registry: %s: %q %s", table, name, fmt.Sprintf(text, args...)))
		}
		if seen[table+" "+name] {
			problem("occurs twice")
		}
		seen[table+" "+name] = true
		switch {
		case !good:
			problem("is not a valid name: %s", rightName(table))
		case doc == "":
			problem("has no Doc: say in a line what it is")
		case !made:
			problem("has no New")
		}
	}
	for _, e := range r.entries() {
		if _, plain := builtin().find(e.table, e.name); plain && !seen[e.table+" "+e.name] {
			seen[e.table+" "+e.name] = true
			continue
		}
		add(e.table, e.name, e.doc, e.made, e.wellNamed())
		for _, err := range call.Check(e.name, e.parameters) {
			wrong = append(wrong, fmt.Errorf("registry: %s: %q: %w", e.table, e.name, err))
		}
	}
	wrong = append(wrong, r.checkRoutings()...)
	for _, m := range r.Metrics {
		add("metrics", m.Name, m.Doc, true, wellMeasured.MatchString(m.Name))
		if m.Min != nil && (math.IsNaN(*m.Min) || math.IsInf(*m.Min, 0)) {
			wrong = append(wrong, fmt.Errorf("registry: metrics: %q has a Min of %v: leave it out for"+
				" a metric without a minimum", m.Name, *m.Min))
		}
	}
	return errors.Join(wrong...)
}

// checkRoutings returns what is wrong with the routings that topologies name.
func (r *Registry) checkRoutings() (wrong []error) {
	names := map[string]bool{}
	for _, x := range r.Routings {
		names[x.Name] = true
	}
	for _, t := range r.Topologies {
		if len(t.Routings) == 0 {
			wrong = append(wrong, fmt.Errorf(
				"registry: topologies: %q has no Routings: name those that fit it", t.Name))
		}
		for _, text := range t.Routings {
			_, err := r.canonical("routings", text)
			switch {
			case !names[call.Name(text)]:
				wrong = append(wrong, fmt.Errorf(
					"registry: topologies: %q names the routing %q, which there is not", t.Name, text))
			case err != nil:
				wrong = append(wrong, fmt.Errorf("registry: topologies: %q: %w", t.Name, err))
			}
		}
	}
	return wrong
}

// wellNamed reports whether the name of the entry is valid and not reserved.
func (e *entry) wellNamed() bool {
	return wellNamed.MatchString(e.name) && !strings.HasPrefix(e.name, "npb-") &&
		!slices.Contains(reserved[e.table], e.name)
}

// rightName says what names of a table look like.
func rightName(table string) string {
	if table == "metrics" {
		return "write lower-case letters, digits and underscores, such as longest_wait"
	}
	return "write lower-case letters, digits and hyphens, such as corner-first;" +
		" npb-, same and idle are reserved"
}
