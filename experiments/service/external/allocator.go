package external

import (
	"cmp"
	"errors"
	"fmt"

	"contend/allocation"
	"contend/internal/input"
	"contend/router/topology"
	"contend/scheduler"
)

// Allocator is an allocator that is a program, which answers the requests "machine" and "free" of
// contend network.
type Allocator struct {
	site    allocation.Site
	program runProgram
	free    []topology.Node // scratch
}

// NewAllocator returns the allocator of a command. The program starts with the first request.
func NewAllocator(command string, s allocation.Site) (*Allocator, error) {
	c, err := newChild(command, s)
	return &Allocator{site: s, program: c, free: []topology.Node{}}, err
}

// Check implements allocation.Allocator by the size alone. A request that the program refuses on
// the empty machine ends the run when it is the only job.
func (a *Allocator) Check(req allocation.Request) error { return req.Check(a.site.Machine.Nodes()) }

// Allocate implements allocation.Allocator. After a failure it refuses everything.
func (a *Allocator) Allocate(
	dst []topology.Node, free *allocation.FreeSet, req allocation.Request,
) (nodes []topology.Node, placed bool) {
	a.free = free.AppendTo(a.free[:0])
	nodes = dst
	line := allocatorLine{a.free, req.Size, req.Shape}
	a.program.ask(a.firstLine, line, func(answer []byte) (err error) {
		nodes, placed, err = readPlacement(dst, answer, free, req.Size)
		return err
	})
	return nodes, placed
}

// firstLine describes the machine.
func (a *Allocator) firstLine() firstLine { return firstLine{Machine: describeMachine(&a.site)} }

// allocatorLine is the line of a request for nodes.
type allocatorLine struct {
	Free  []topology.Node `json:"free"`
	Size  int             `json:"size"`
	Shape []int           `json:"shape,omitempty"`
}

// Placement is the answer to a request for nodes.
type Placement struct {
	Nodes    []topology.Node    `json:"nodes,omitempty"`
	Reserved []topology.Node    `json:"reserved,omitempty"`
	Measures map[string]float64 `json:"measures,omitempty"`
	Refused  string             `json:"refused,omitempty"`
}

// firstLine is the first line to a program.
type firstLine struct {
	Machine Machine `json:"machine"`
	// CyclesPerSecond and Kills are what policies also need: the cycles in a second or a time unit
	// of the workload, and whether running jobs can be killed.
	CyclesPerSecond float64 `json:"cycles_per_second,omitempty"`
	Kills           *bool   `json:"kills,omitempty"`
}

// Machine describes a machine to a program; keys that its topology lacks are left out.
type Machine struct {
	Topology string            `json:"topology,omitempty"`
	Nodes    int               `json:"nodes"`
	Routers  int               `json:"routers"`
	Dims     []int             `json:"dims,omitempty"`
	Wrap     []bool            `json:"wrap,omitempty"`
	Arity    int               `json:"arity,omitempty"`
	Levels   int               `json:"levels,omitempty"`
	RouterOf []topology.Router `json:"router_of"`             // by node
	Places   [][]int           `json:"coordinates,omitempty"` // by router
	GroupOf  []int             `json:"group_of,omitempty"`    // by router
	Links    [][2]int          `json:"links"`                 // pairs of routers, the lower first
}

// describeMachine returns the description of the machine of a run.
func describeMachine(s *allocation.Site) Machine {
	t := s.Machine
	m := Machine{Topology: s.Kind, Nodes: t.Nodes(), Routers: t.Routers()}
	for n := range topology.Node(m.Nodes) {
		r, _ := t.Attach(n)
		m.RouterOf = append(m.RouterOf, r)
	}
	if g, ok := t.(topology.Grid); ok {
		m.Wrap = g.Wrap()
	}
	if h, ok := t.(topology.Hierarchy); ok {
		m.Arity, m.Levels = h.Arity(), h.Levels()
	}
	lattice, hasPlaces := t.(topology.Lattice)
	if hasPlaces {
		m.Dims = lattice.Dims()
	}
	grouped, hasGroups := t.(topology.Grouped)
	for r := range topology.Router(m.Routers) {
		if hasPlaces {
			var place []int
			for d := range m.Dims {
				place = append(place, lattice.Coordinate(r, d))
			}
			m.Places = append(m.Places, place)
		}
		if hasGroups {
			m.GroupOf = append(m.GroupOf, grouped.Group(r))
		}
		for p := range topology.Port(t.Ports()) {
			if to, _, ok := t.Peer(r, p); ok && to > r {
				m.Links = append(m.Links, [2]int{int(r), int(to)})
			}
		}
	}
	return m
}

// readAnswer parses an answer. An error that the answer states is an error too.
func readAnswer(line []byte) (input.Object, error) {
	o, err := input.ReadObject(line)
	if err != nil {
		return nil, fmt.Errorf("%w: write an object in a line, and other text to standard error", err)
	}
	var stated *string
	if err = o.Read("error", "a text", &stated); err == nil && stated != nil {
		err = statedError(*stated)
	}
	return o, err
}

// statedError is an error that a program states itself.
type statedError string

func (e statedError) Error() string { return string(e) }

// readPlacement parses the answer of an allocator and appends the nodes to dst. It reports false if
// the job has to wait.
func readPlacement(
	dst []topology.Node, line []byte, free *allocation.FreeSet, size int,
) ([]topology.Node, bool, error) {
	o, err := readAnswer(line)
	if err != nil {
		return dst, false, err
	}
	var nodes, reserved []topology.Node
	var refused *string
	err = cmp.Or(o.Only("nodes", "reserved", "measures", "refused"),
		o.Read("nodes", "a list of nodes", &nodes), o.Read("reserved", "a list of nodes", &reserved),
		o.Read("refused", "a text", &refused))
	switch {
	case err != nil:
		return dst, false, err
	case (nodes == nil) == (refused == nil):
		return dst, false, errors.New(`it has neither nodes nor refused, or both: give the list "nodes"` +
			`, with "reserved" for further nodes, or the text "refused"`)
	case refused != nil:
		return dst, false, nil
	case len(nodes) != size:
		return dst, false, fmt.Errorf("nodes has %s: give %d, and further ones in reserved",
			input.Plural(len(nodes), "node"), size)
	}
	first := len(dst)
	dst = append(append(dst, nodes...), reserved...)
	if err := free.CheckGrant(dst[first:], size); err != nil {
		return dst[:first], false, fmt.Errorf("%w: give free nodes, each once", err)
	}
	return dst, true, nil
}

// decision is the answer of a policy.
type decision struct {
	start []scheduler.JobID // waiting jobs to start, in this order
	kill  []scheduler.JobID // running jobs to end before that
	timer *scheduler.Cycle  // cycle of a further line, 0 for none; nil leaves the timer as it is
}

// readDecision parses the answer of a policy.
func readDecision(line []byte) (d decision, err error) {
	o, err := readAnswer(line)
	if err == nil {
		err = cmp.Or(o.Only("start", "kill", "timer"), o.Read("start", "a list of jobs", &d.start),
			o.Read("kill", "a list of jobs", &d.kill), o.Read("timer", "a cycle", &d.timer))
	}
	return d, err
}
