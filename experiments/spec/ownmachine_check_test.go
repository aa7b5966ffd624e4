package spec

import (
	"strings"
	"testing"

	"contend/experiments/spec/machine"
	"contend/netsim/topology"
)

// crossed is a mesh whose Peer is not its own inverse.
type crossed struct{ *topology.Cube }

func (c crossed) Peer(r topology.Router, p topology.Port) (topology.Router, topology.Port, bool) {
	to, q, ok := c.Cube.Peer(r, p)
	if r == 0 {
		q = p
	}
	return to, q, ok
}

// A registered topology that breaks its contract is refused when it is made.
func TestOwnMachinesAreChecked(t *testing.T) {
	r := Builtin()
	r.Topologies = append(r.Topologies, Topology{Name: "crossed", Doc: "a mesh that is wrong",
		Routings: []string{"dimension-order"},
		New: func(Values) (topology.Topology, error) {
			c, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}})
			return crossed{c}, err
		}})
	_, err := r.NewMachine(&machine.Spec{Topology: "crossed"})
	if err == nil || !strings.Contains(err.Error(), "whose peer is") {
		t.Errorf("got %v, want an error about Peer", err)
	}
}
