package allocation

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/internal/call"
	"contend/router/topology"
)

// Entry is an allocator under its name. Studies give its parameters in calls, such as
// allocator = "corner:from=2,spread=true".
type Entry struct {
	// Name is what a study writes. Doc (a line) and Source (the paper that defines the allocator, or
	// "") appear in lists and documentation.
	Name, Doc, Source string
	// Display is the name that figures and tables print; "" stands for the words of Name with a
	// capital at the beginning, as in Slurm tree.
	Display string
	// Parameters are the parameters in the order of calls without names.
	Parameters []call.Parameter
	// Draws says that the allocator draws from its stream. Without it the stream is nil. A point whose
	// runs make no draws is run once.
	Draws bool
	// CountDecides says that the allocator places every request for which enough nodes are free, and
	// reserves no further nodes.
	CountDecides bool
	// CountDecidesFor replaces CountDecides if the value depends on the parameters.
	CountDecidesFor func(v call.Values) bool
	// CountsTies says that the allocator is a TieCounter.
	CountsTies bool
	// Contiguous says that the allocator places the processors of a job together, and that the job
	// waits otherwise.
	Contiguous bool
	// ByHops says that the allocator needs only hops, so that it suits any machine.
	ByHops bool
	// New makes the allocator of one run. With an error its other result has no meaning.
	New func(v call.Values, s Site) (Allocator, error)
}

// DecidesByCount reports whether the number of free nodes alone decides what the allocator can
// place.
func (e *Entry) DecidesByCount(v call.Values) bool {
	return e.CountDecides || e.CountDecidesFor != nil && e.CountDecidesFor(v)
}

// Named makes the allocator of a call from a table of entries.
func Named(table []Entry, text string, s Site) (Allocator, error) {
	i := slices.IndexFunc(table, func(e Entry) bool { return e.Name == call.Name(text) })
	if i < 0 {
		return nil, fmt.Errorf("unknown allocator %q", text)
	}
	v, bad := call.Parse(text, table[i].Parameters)
	if bad != nil {
		return nil, bad
	}
	made, err := table[i].New(v, s)
	if err != nil {
		return nil, err // a nil pointer in made would not be a nil Allocator
	}
	return made, nil
}

// On turns a constructor for a machine into the New of an allocator without parameters.
func On[A Allocator](f func(topology.Topology) (A, error)) func(call.Values, Site) (Allocator,
	error) {
	return func(_ call.Values, s Site) (Allocator, error) { return f(s.Machine) }
}

// Drawing is On for a constructor that takes a stream.
func Drawing[A Allocator](f func(topology.Topology, *rand.Rand) (A, error)) func(call.Values,
	Site) (Allocator, error) {
	return func(_ call.Values, s Site) (Allocator, error) { return f(s.Machine, s.Stream) }
}

// Info is a name and its description in one line.
type Info struct {
	// Name is the name in specifications, and Doc its description.
	Name, Doc string
	// Display is as in Entry.
	Display string
}

// Known returns an error unless the name is listed.
func Known(kind, name string, listed []Info) error {
	if slices.Contains(NamesOf(listed), name) {
		return nil
	}
	return fmt.Errorf("unknown %s %q: there are %s", kind, name, strings.Join(NamesOf(listed), ", "))
}

// NamesOf returns the names of a list, as Choices of a parameter.
func NamesOf(listed []Info) (names []string) {
	for _, info := range listed {
		names = append(names, info.Name)
	}
	return names
}
