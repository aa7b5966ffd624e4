// Package byname has the table of allocators: their names, parameters and short forms. Parse
// reads a short form, such as "mc1x1" or "hilbert/best-fit-1d", and New makes the allocator
// for a machine.
package byname

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"contend/allocation"
	"contend/router/topology"
)

// Config names an allocator and its parameters, the section [allocator] of a study: tags name the
// keys. It is comparable. Two configurations from Parse that mean the same are equal.
type Config struct {
	// Name is one of Names.
	Name string `key:"allocator.name"`
	// Page sets the size of a page of paging: its side is 2^Page, with Page at least 0.
	Page int `key:"allocator.page"`
	// Order is the order of the pages of paging, one of Orders, or of the processors of
	// a packer, one of NodeOrders, which may be turned. The default is row-major.
	Order string `key:"allocator.order"`
	// Span is the packer's measure of how far apart processors are, one of Spans. The
	// default is the first of them.
	Span string `key:"allocator.span"`
	// Rotate lets first-fit, best-fit and frame-sliding exchange the sides of a submesh
	// that does not fit as requested.
	Rotate bool `key:"allocator.rotate"`
	// LastShell says how mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc choose processors
	// of the last shell, one of LastShells. The default is the first of them. The last
	// three allocators refuse LastShellL1.
	LastShell string `key:"allocator.last_shell"`
	// ScanRadius, in shells, and the weights Available, Wall and Border are the
	// parameters (SR, AF, WF, BF) of mc1x1-tie [Johnson et al. 2010], all at least 0.
	// If all weights are 0, the first candidate wins. Parse sets (2, 13, 20, 6) if the
	// short form has no numbers.
	ScanRadius int `key:"allocator.scan_radius"`
	Available  int `key:"allocator.available"`
	Wall       int `key:"allocator.wall"`
	Border     int `key:"allocator.border"`
	// Corners, Score and Start select readings of papers that are ambiguous: of
	// mc1x1-tie, best-fit and frame-sliding. They are one of Corners, Scores and
	// Starts, with the first as default.
	Corners string `key:"allocator.corners"`
	Score   string `key:"allocator.score"`
	Start   string `key:"allocator.start"`
	// Limit is the greatest number of nodes of the search tree of optimal, at least 1.
	// The value 0 means DefaultLimit.
	Limit int `key:"allocator.limit"`
	// Strips is m of ptas, the number of strips each way, at least 1. The value 0 means
	// DefaultStrips.
	Strips int `key:"allocator.m"`
	// Percent is qct of quasi-contiguous: the share of a job's processes, in percent
	// from 0 to 100, that may use one more level of the tree.
	Percent int `key:"allocator.qct"`
	// Version is that of Slurm whose rule slurm-tree follows, one of manager.Versions. The default
	// is the first of them.
	Version string `key:"allocator.version"`
	// BlockNodes and Segment are of slurm-block: the planning size of base blocks, 0 for the
	// nodes of the first one, and the nodes of a segment, 0 for no segments.
	BlockNodes int `key:"allocator.block_nodes"`
	Segment    int `key:"allocator.segment"`
}

// Names lists the allocators.
func Names() []allocation.Info {
	var names []allocation.Info
	for _, e := range table() {
		names = append(names, e.Info)
	}
	return names
}

// find returns the entry of an allocator.
func find(name string) (entry, error) {
	all := table()
	if i := slices.IndexFunc(all, func(e entry) bool { return e.Name == name }); i >= 0 {
		return all[i], nil
	}
	return entry{}, allocation.Unknown("allocator", name, Names())
}

// Parameters returns the names of an allocator's parameters, or nil for an unknown
// allocator.
func Parameters(allocator string) []string {
	e, _ := find(allocator)
	var names []string
	for _, p := range e.parameters {
		names = append(names, p.name)
	}
	return names
}

// New returns the configured allocator for a machine. Only random uses the stream,
// which may be nil for the others.
func New(c Config, machine topology.Topology, stream *rand.Rand) (allocation.Allocator, error) {
	return NewAt(c, allocation.Site{Machine: machine, Stream: stream})
}

// NewAt is New for a site.
func NewAt(c Config, s allocation.Site) (allocation.Allocator, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	e, _ := find(c.Name)
	a, err := e.made(c, s)
	if err != nil {
		return nil, err // a nil pointer in a would not be a nil Allocator
	}
	return a, nil
}

// Check returns an error unless the name is known and has all parameters
// given.
func (c Config) Check() error {
	e, err := find(c.Name)
	if err != nil {
		return err
	}
	for _, p := range e.parameters {
		if err := p.check(&c); err != nil {
			return fmt.Errorf("allocator %s: %w", c.Name, err)
		}
	}
	for _, other := range table() {
		for _, p := range other.parameters {
			if !e.has(p.name) && !p.standing(&c) {
				return fmt.Errorf("allocator %s takes no %s; %s", c.Name, p.name, Takers(p.name))
			}
		}
	}
	return nil
}

func (e *entry) has(name string) bool {
	return slices.ContainsFunc(e.parameters, func(p parameter) bool { return p.name == name })
}

// Takers lists the allocators that have a parameter, as a phrase for messages.
func Takers(parameter string) string {
	var names []string
	for _, e := range table() {
		if e.has(parameter) {
			names = append(names, e.Name)
		}
	}
	switch last := len(names) - 1; last {
	case -1:
		return "no allocator does"
	case 0:
		return "only " + names[0] + " does"
	default:
		return strings.Join(names[:last], ", ") + " and " + names[last] + " do"
	}
}
