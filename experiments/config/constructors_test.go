package config

import (
	"strings"
	"testing"

	"contend/internal/call"
	"contend/internal/must"
	"contend/router"
	routes "contend/router/routes"
	"contend/router/topology"
)

// plain is a topology that counts no hops and names no routing.
type plain struct{ topology.Topology }

// apart is two nodes on two routers between which there is no channel.
type apart struct{ topology.Topology }

func (apart) Peer(topology.Router, topology.Port) (topology.Router, topology.Port, bool) {
	return 0, 0, false
}

func cube(t *testing.T, dims ...int) *topology.Cube {
	t.Helper()
	return must.Have(topology.NewCube(topology.CubeConfig{Dims: dims, Concentration: 2}))
}

// routed is the built-in registry, a topology and a routing for it.
func routed(t *testing.T) *Registry {
	r := Builtin()
	r.Topologies = append(r.Topologies, Topology{Name: "plain", Doc: "a grid in other words",
		Parameters: []call.Parameter{{Name: "width", Type: call.Integer, Default: "4", Min: "1"},
			{Name: "split", Type: call.Boolean, Default: "false"}},
		Routings: []string{"way:turns=2", "dimension-order"},
		New: func(v call.Values) (topology.Topology, error) {
			if v.Bool("split") {
				return apart{cube(t, v.Int("width"), 3)}, nil
			}
			return plain{cube(t, v.Int("width"), 3)}, nil
		}})
	r.Routings = append(r.Routings, Routing{Name: "way", Doc: "dimension order in other words",
		Parameters:      []call.Parameter{{Name: "turns", Type: call.Integer, Default: "1", Min: "1"}},
		Suits:           func(m topology.Topology) bool { _, ok := m.(plain); return ok },
		VirtualChannels: func(topology.Topology) int { return 3 },
		New: func(v call.Values, w *router.Wiring, _ topology.Topology, _ uint64) (
			router.Routing, error) {
			return routes.NewDimensionOrder(w, false)
		}})
	return r
}

// set returns a spec with keys set in the order of the list.
func set(t *testing.T, r *Registry, keys ...any) *Spec {
	t.Helper()
	s := Defaults()
	s.Spec.Registry = r
	for i := 0; i < len(keys); i += 2 {
		if err := s.Assign(keys[i].(string), keys[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return &s.Spec
}

// The search finds the distances that a grid knows, and a grid stays a grid.
func TestDistancesAreFound(t *testing.T) {
	c := cube(t, 4, 3)
	type gridOnly struct{ topology.Grid }
	for _, other := range []topology.Topology{plain{c}, gridOnly{c}} {
		m := must.Have(topology.WithDistances(other))
		for a := range topology.Node(c.Nodes()) {
			for b := range topology.Node(c.Nodes()) {
				if got, want := m.Distance(a, b), c.Distance(a, b); got != want {
					t.Fatalf("%T: %d hops from %d to %d, want %d", other, got, a, b, want)
				}
			}
		}
		if _, before := other.(topology.Grid); before {
			if _, after := m.(topology.Grid); !after {
				t.Error("the machine is no grid any more")
			}
		}
		if topology.Unwrap(m) != other {
			t.Errorf("routings see a %T, want a %T", topology.Unwrap(m), other)
		}
	}
	if m, err := topology.WithDistances(c); err != nil || m != Machine(c) {
		t.Errorf("a machine with distances became %T, %v", m, err)
	}
}

// A plan has the machine and the routing that the registry makes.
func TestPlanOfAddedMachine(t *testing.T) {
	r := routed(t)
	s := set(t, r, "machine.topology", "plain: split=false,width=5")
	if got := strings.TrimSpace(s.Canonical()); got != `machine.topology = "plain:width=5"` {
		t.Errorf("the canonical text is %s", got)
	}
	p := must.Have(s.Plan())
	if p.Topology != "plain" || p.Size != "width=5,split=false" || p.Machine.Nodes() != 30 {
		t.Errorf("the machine is %s %s of %d nodes", p.Topology, p.Size, p.Machine.Nodes())
	}
	c, err := p.Network.Resolved()
	if err != nil || c.Routing != "way:turns=2" || c.VirtualChannels != 3 {
		t.Errorf("%s with %d virtual channels, %v", c.Routing, c.VirtualChannels, err)
	}
	if w := s.routedMachine(); w.nodes != 30 || w.links != 2*(4*3+5*2) {
		t.Errorf("%d nodes and %d links", w.nodes, w.links)
	}
	q, err := s.Plan()
	if err != nil || q.Machine != p.Machine {
		t.Errorf("the machine was made twice, %v", err)
	}
	if keys, err := r.MachineKeys("plain:width=4"); err != nil || keys["machine.topology"] != "plain" {
		t.Errorf("--machine stands for %v, %v", keys, err)
	}
}

// What topology and routing need decides which keys act, and what is refused.
func TestAddedMachineDecidesWhatActs(t *testing.T) {
	r := routed(t)
	s := set(t, r, "machine.topology", "plain")
	for path, want := range map[string]bool{"machine.dims": false, "machine.wrap": false,
		"machine.arity": false, "network.input_speedup": true, "network.vc_select": true} {
		if k, _ := FindKey(path); k.Acts(s) != want {
			t.Errorf("%s acts: %v", path, !want)
		}
	}
	for _, drawn := range []bool{false, true} {
		r := routed(t)
		r.Routings[len(r.Routings)-1].Draws = drawn
		draws := set(t, r, "machine.topology", "plain").Draws()
		if got := strings.Contains(strings.Join(draws, ","), "routes"); got != drawn {
			t.Errorf("a routing draws: %v, and says so: %v", got, drawn)
		}
	}
	for want, s := range map[string]*Spec{
		"is 2, and the routing way:turns=2 needs 3": set(t, r, "machine.topology", "plain",
			"network.virtual_channels", int64(2)),
		"no way leads from router 0 to router 1": set(t, r, "machine.topology", "plain:split=true"),
		"network.virtual_channels is 1, and": set(t, r, "machine.topology", "plain",
			"network.preset", "procsimity"),
	} {
		if _, err := s.Plan(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := r.MachineKeys("plane"); err == nil || !strings.Contains(err.Right, `"plain"`) {
		t.Errorf("a wrong name: %v", err)
	}
}

func TestRegistryRefusesUnknownRoutings(t *testing.T) {
	for want, routings := range map[string][]string{
		`"plain" has no Routings`:                    nil,
		`names the routing "zigzag", which there is`: {"zigzag"},
		`way has no parameter "turn"`:                {"way:turn=1"},
	} {
		r := routed(t)
		if err := r.Check(); err != nil {
			t.Fatal(err)
		}
		r.Topologies[len(r.Topologies)-1].Routings = routings
		if err := r.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

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
func TestAddedMachinesAreChecked(t *testing.T) {
	r := Builtin()
	r.Topologies = append(r.Topologies, Topology{Name: "crossed", Doc: "a mesh that is wrong",
		Routings: []string{"dimension-order"},
		New: func(call.Values) (topology.Topology, error) {
			c, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}})
			return crossed{c}, err
		}})
	_, err := r.NewMachine(&MachineSpec{Topology: "crossed"})
	if err == nil || !strings.Contains(err.Error(), "whose peer is") {
		t.Errorf("got %v, want an error about Peer", err)
	}
}
