package allocation

import (
	"math/rand/v2"

	"contend/internal/lifetime"
	"contend/router/topology"
)

// Site is the machine of an allocator, with its random stream and its orders.
type Site struct {
	// Machine is the machine to allocate, and Kind the name of its topology where that is known,
	// such as mesh.
	Machine topology.Topology
	Kind    string
	// Stream provides the draws of random. Other allocators do not need it.
	Stream *rand.Rand
	// Order returns the nodes of the machine in the named order. If nil, order.New does.
	Order func(name string, machine topology.Topology) ([]topology.Node, error)
	// Distances returns the hops on the machine. If nil, NewDistances does. Runs on one
	// machine may share them.
	Distances func(machine topology.Topology) (*Distances, error)
	// Run is the life of the run: an allocator that holds more than memory says there how to
	// end that, and that it has failed. Where it is nil, allocators are only checked.
	Run *lifetime.Run
}

// Rows returns the hops on the machine for one allocator.
func (s *Site) Rows() (*Rows, error) {
	if s.Distances == nil {
		return NewRows(s.Machine)
	}
	d, err := s.Distances(s.Machine)
	if err != nil {
		return nil, err
	}
	return d.rows(), nil
}
