package config

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/allocation"
	"contend/internal/call"
	"contend/patterns"
	"contend/router/topology"
	"contend/router/topology/topologytest"
	"contend/scheduler"
)

func noAllocator(call.Values, allocation.Site) (allocation.Allocator, error) {
	return nil, errors.New("it has no room")
}

func noPattern(call.Values, PatternJob) (patterns.Pattern, error) { return nil, errors.New("no") }

func noPolicy(call.Values, PolicyRun) (scheduler.Policy, error) {
	return scheduler.FCFS{}, nil
}

// extended is the built-in registry and an entry of each kind.
func extended() *Registry {
	r := Builtin()
	r.Allocators = append(r.Allocators, Allocator{Name: "corner", Doc: "from a corner",
		New: noAllocator,
		Parameters: []call.Parameter{
			{Name: "from", Type: call.Integer, Default: "1", Min: "0", Max: "3", Unit: "corners"},
			{Name: "wide", Type: call.Boolean, Default: "false"},
			{Name: "bias", Type: call.Number, Default: "0.5", Above: "0"},
			{Name: "by", Type: call.Word, Default: "row", Choices: []string{"row", "column"}},
		}})
	r.Patterns = append(r.Patterns, Pattern{Name: "stride", Doc: "a stride ahead", New: noPattern,
		Parameters: []call.Parameter{{Name: "by", Type: call.Integer, Default: "1", Min: "1"}}})
	r.Policies = append(r.Policies, Policy{Name: "lottery", Doc: "draws", New: noPolicy,
		IgnoresEstimates: true,
		Parameters:       []call.Parameter{{Name: "tickets", Type: call.Integer, Default: "1"}}})
	return r
}

func TestRegistryRefuses(t *testing.T) {
	good := Allocator{Name: "corner", Doc: "from a corner", New: noAllocator}
	with := func(change func(*Allocator)) func(*Registry) {
		return func(r *Registry) {
			a := good
			change(&a)
			r.Allocators = append(r.Allocators, a)
		}
	}
	parameter := func(p call.Parameter) func(*Registry) {
		return with(func(a *Allocator) { a.Parameters = []call.Parameter{p} })
	}
	for want, change := range map[string]func(*Registry){
		`allocators: "mbs" occurs twice`:                  with(func(a *Allocator) { a.Name = "mbs" }),
		`allocators: "Corner" is not a valid name: write`: with(func(a *Allocator) { a.Name = "Corner" }),
		`allocators: "a:b" is not a valid name: write`:    with(func(a *Allocator) { a.Name = "a:b" }),
		`allocators: "" is not a valid name: write`:       with(func(a *Allocator) { a.Name = "" }),
		`allocators: "corner" has no Doc`:                 with(func(a *Allocator) { a.Doc = "" }),
		`allocators: "corner" has no New`:                 with(func(a *Allocator) { a.New = nil }),
		`the parameter "a b" is not a valid name`: parameter(
			call.Parameter{Name: "a b", Type: call.Integer,
				Default: "1"}),
		`"x" has the type "int": take integer`: parameter(call.Parameter{Name: "x", Type: "int",
			Default: "1"}),
		`bad default: corner:x is 9: give an int`: parameter(call.Parameter{Name: "x", Type: call.Integer,
			Default: "9", Max: "8"}),
		`"x" is a text: give it a Read, and no`: parameter(call.Parameter{Name: "x", Type: call.Text}),
		`the parameter "x" is a word without`: parameter(call.Parameter{Name: "x", Type: call.Word,
			Default: "a"}),
		`patterns: "idle" is not a valid name`: func(r *Registry) {
			r.Patterns = append(r.Patterns, Pattern{Name: "idle", Doc: "d", New: noPattern})
		},
		`patterns: "npb-xy" is not a valid name`: func(r *Registry) {
			r.Patterns = append(r.Patterns, Pattern{Name: "npb-xy", Doc: "d", New: noPattern})
		},
		`metrics: "longest-wait" is not a valid name: write lower-case`: func(
			r *Registry) {
			r.Metrics = append(r.Metrics, Metric{Name: "longest-wait", Doc: "d"})
		},
		`metrics: "w" occurs twice`: func(r *Registry) {
			r.Metrics = append(r.Metrics, Metric{Name: "w", Doc: "d"}, Metric{Name: "w", Doc: "d"})
		},
	} {
		r := Builtin()
		change(r)
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A call has one text in specs, however it is written.
func TestCallsAreCanonical(t *testing.T) {
	r := extended()
	for _, c := range []struct{ key, text, want string }{
		{"allocator", "corner", `allocator = "corner"`},
		{"allocator", "corner:2,column,wide", `allocator = "corner:from=2,wide=true,by=column"`},
		{"allocator", "corner:from=1,by=row", `allocator = "corner"`},
		{"allocator", "corner: bias=0.250 ,from=3", `allocator = "corner:from=3,bias=0.25"`},
		{"allocator", "corner:wide=true,by=column", `allocator = "corner:wide=true,by=column"`},
		{"scheduler.decision", "corner:from=2", `scheduler.decision = "corner:from=2"`},
		{"allocator", "exec:deadline=10  no-such  a,b=c", `allocator = "exec:no-such a,b=c"`},
		{"scheduler.policy", "lottery:tickets=3", `scheduler.policy = "lottery:tickets=3"`},
		{"job.pattern", "stride:by=1:2+ring", `job.pattern = "stride:2+ring"`},
		{"job.pattern", "ring+stride:by=4:0.5", `job.pattern = "ring+stride:by=4:0.5"`},
	} {
		s := Defaults()
		s.Spec.Registry = r
		if err := s.Assign(c.key, c.text); err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if got := strings.TrimSpace(s.Spec.Canonical()); got != c.want {
			t.Errorf("%s = %q is kept as %s, want %s", c.key, c.text, got, c.want)
		}
		if err := s.Spec.Check(); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

func TestCallsThatAreWrong(t *testing.T) {
	r := extended()
	for _, c := range []struct{ key, text, want string }{
		{"allocator", "corner:from=4", "corner:from is 4: give an integer from 0 to 3"},
		{"allocator", "corner:bias=0", "corner:bias is 0: give a number above 0"},
		{"allocator", "corner:by=rows", `did you mean "row"? (there are row, column)`},
		{"allocator", "corner:form=2", `corner has no parameter "form": there are from (from 0 to 3), ` +
			`wide (boolean)`},
		{"allocator", "corner:from=1,from=2", "corner has the parameter from twice: give it once"},
		{"allocator", "exec", "the command has no program: give a program and its arguments"},
		{"scheduler.policy", "exec:deadline=0 x", `deadline is "0": give seconds above 0`},
		{"allocator", "corner:x", `corner has no parameter "x"`},
		{"allocator", "mbs:from=1", "mbs has no parameters: leave them out"},
		{"scheduler.policy", "lottery:tickets=x", "lottery:tickets is the string \"x\": give an integer"},
		{"job.pattern", "stride:by=0+ring", "stride:by is 0: give an integer at least 1"},
		{"job.pattern", "ring:by=2", "ring has no parameters: the keys of [job] are its parameters"},
	} {
		s := Defaults()
		s.Spec.Registry = r
		err := s.Assign(c.key, c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %q: %v, want %s", c.key, c.text, err, c.want)
		} else if err.Key != c.key {
			t.Errorf("%s = %q: the error is about %q", c.key, c.text, err.Key)
		}
	}
}

// What the registry says of draws, estimates and counts decides which keys act.
func TestRegistryDecidesWhatActs(t *testing.T) {
	r := extended()
	assigned := func(key, text string) *Spec {
		s := Defaults()
		s.Spec.Registry = r
		if err := s.Assign(key, text); err != nil {
			t.Fatal(err)
		}
		return &s.Spec
	}
	places := func(s *Spec) bool { return strings.Contains(strings.Join(s.Draws(), ","), "places") }
	added := &r.Allocators[len(r.Allocators)-1]
	if places(assigned("allocator", "corner")) {
		t.Error("an allocator draws that does not say so")
	}
	added.Draws, added.CountDecides = true, true
	if s := assigned("allocator", "corner"); !places(s) || !s.countDecides() {
		t.Error("an allocator does not draw or count as it says")
	}
	if assigned("scheduler.policy", "lottery").UsesEstimates() {
		t.Error("a policy looks at estimates that says it does not")
	}
	r.Policies[len(r.Policies)-1].IgnoresEstimates = false
	if !assigned("scheduler.policy", "lottery").UsesEstimates() {
		t.Error("a policy does not look at estimates")
	}
	if got := assigned("job.pattern", "stride").MessageFlits(); got != DefaultSpec().Job.Flits {
		t.Errorf("messages of job.flits have %d", got)
	}
	r.Patterns[len(r.Patterns)-1].OwnLengths = true
	if got := assigned("job.pattern", "stride").MessageFlits(); got != 0 {
		t.Errorf("messages of own lengths all have %d flits", got)
	}
}

// A ring is drawn if its parameters say so. Parts of a mix may have classes in place of parameters.
func TestPatternsThatDrawPartners(t *testing.T) {
	for pattern, want := range map[string]bool{"npb-mg:S": false, "ring-exchange": false,
		"ring-exchange:redraw=3": true, "ring-exchange:host=2,redraw=0": false, "random": true,
		"all-reduce-doubling:host=2": false, "npb-ft:A+ring-exchange:redraw=1": true} {
		s := set(t, Builtin(), "job.pattern", pattern)
		if got := slices.Contains(s.Draws(), "partners"); got != want {
			t.Errorf("%s draws partners: %v", pattern, got)
		}
	}
}

// Everything built in that has a constructor can be made by it.
func TestBuiltinConstructors(t *testing.T) {
	r := Builtin()
	var machines []topology.Topology
	for kind, size := range map[string]string{"mesh": "4x4", "tree": "2x4", "dragonfly": "a2h2p2",
		"hyperx": "4x4", "fat-tree": "2x4"} {
		machines = append(machines, topologytest.Machine(t, kind+":"+size))
	}
	s := DefaultSpec()
	for _, a := range r.Allocators {
		var problems []string
		text := a.Name
		if e, _ := r.find("allocators", a.Name); call.IsText(e.parameters) {
			text += ":sh"
		}
		for _, m := range machines {
			site := allocation.Site{Machine: m, Stream: rand.New(rand.NewPCG(1, 2))}
			v := r.values("allocators", text)
			made, err := a.New(v, site)
			if err != nil {
				problems = append(problems, err.Error())
			} else if got, says := allocation.CountDecides(made), a.DecidesByCount(v); got != says {
				t.Errorf("%s: counts decide is %v in the registry and %v for the allocator", a.Name,
					says, got)
			}
		}
		if len(problems) == len(machines) {
			t.Errorf("%s suits no machine: %q", a.Name, problems)
		}
	}
	for _, x := range r.Topologies {
		if x.Name == "graph" { // which has no size by default
			continue
		}
		s.Machine.Topology = x.Name
		if _, err := r.NewMachine(&s.Machine); err != nil {
			t.Errorf("%s: %v", x.Name, err)
		}
	}
}
