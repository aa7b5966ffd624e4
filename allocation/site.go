package allocation

import (
	"math/rand/v2"

	"contend/netsim/topology"
)

// Site is the machine of an allocator, with its random stream and its orders.
type Site struct {
	// Machine is the machine to allocate.
	Machine topology.Topology
	// Stream provides the draws of random. Other allocators do not need it.
	Stream *rand.Rand
	// Order returns the nodes of the machine in the named order. If nil, order.New does.
	Order func(name string, machine topology.Topology) ([]topology.Node, error)
	// Distances returns the hops on the machine. If nil, NewDistances does. Runs on one
	// machine may share them.
	Distances func(machine topology.Topology) (*Distances, error)
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
