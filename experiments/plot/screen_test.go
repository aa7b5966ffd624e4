package plot

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/internal/input"
	"contend/router"
	"contend/router/topology"
)

// planOf returns the decoded spec with the keys of a machine.
func planOf(t *testing.T, keys string) *config.Plan {
	t.Helper()
	raw, err := input.DecodeTOML("machine.toml", keys)
	if err != nil {
		t.Fatal(err)
	}
	settings := config.Defaults()
	settings.Spec.Allocator = "random"
	for _, key := range input.SortedKeys(raw) {
		if err := settings.Assign("machine."+key, raw[key], config.BuiltinNames()); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := settings.Spec.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// The channels of a figure stand apart and within it.
func TestChannelsStandApart(t *testing.T) {
	for _, keys := range []string{
		"topology = \"torus\"\ndims = [4, 3]", "topology = \"torus\"\ndims = [3, 3, 3]",
		"topology = \"torus\"\ndims = [4, 2]", "dims = [3, 3, 2, 2]", "dims = [4, 4]\nconcentration = 3",
		"topology = \"tree\"\narity = 4\nlevels = 3",
		"topology = \"tree\"\narity = 3\nlevels = 3\nup_ports = [2]\nnodes = 20",
	} {
		m := planOf(t, keys).Machine
		d, ok := ChannelMap{Channels: channelsOf(m), Label: "Load"}.Draw(m).(Scene)
		if !ok {
			t.Fatalf("%s is drawn as no scene", keys)
		}
		checkApart(t, keys, d)
	}
}

// Two routers of a mesh beside each other have no channel around the machine: each is one tile.
func TestChannelsOfANarrowMesh(t *testing.T) {
	m := planOf(t, "dims = [4, 2]").Machine
	tiles := 0
	for _, tile := range (ChannelMap{Channels: channelsOf(m)}).Draw(m).(Scene).Tiles {
		if tile.Fill == Valued {
			tiles++
		}
	}
	if want := len(channelsOf(m)); tiles != want {
		t.Errorf("%d tiles for %d channels", tiles, want)
	}
}

// machineOf returns the map of a machine of which a study has the keys.
func machineOf(t *testing.T, keys string) *Screen { return NewScreen(planOf(t, keys)) }

// On the map of every machine each node has a place of its own within the map, and so has each
// channel.
func TestPlaces(t *testing.T) {
	for _, keys := range []string{
		`dims = [7, 3]`, `dims = [1]`, `dims = [100]`, `dims = [4, 3, 5]`, `dims = [3, 2, 2, 3]`,
		"topology = \"torus\"\ndims = [5, 4]", "topology = \"torus\"\ndims = [3, 4, 3]",
		"topology = \"torus\"\ndims = [40]", "topology = \"hypercube\"\ndims = [7]",
		"dims = [4, 3]\nconcentration = 3", "dims = [4, 6]\nservice_rows = [0, 5]",
		"topology = \"tree\"\narity = 4\nlevels = 3",
		"topology = \"tree\"\narity = 3\nlevels = 3\nup_ports = [2, 1]\nnodes = 20",
	} {
		t.Run(keys, func(t *testing.T) { checkPlaces(t, machineOf(t, keys)) })
	}
}

func checkPlaces(t *testing.T, m *Screen) {
	t.Helper()
	if len(m.X) != m.Nodes || len(m.Y) != m.Nodes {
		t.Fatalf("%d and %d coordinates of %d nodes", len(m.X), len(m.Y), m.Nodes)
	}
	for n := range m.X {
		half := m.Size / 2
		if x, y := m.X[n], m.Y[n]; x < half || y < half || x+half > m.Width || y+half > m.Height {
			t.Fatalf("node %d at %g, %g is not within %g by %g", n, x, y, m.Width, m.Height)
		}
		for other := range n {
			if math.Abs(m.X[n]-m.X[other]) < m.Size && math.Abs(m.Y[n]-m.Y[other]) < m.Size {
				t.Fatalf("nodes %d and %d overlap", other, n)
			}
		}
	}
	lines := map[string]int{}
	for k := range m.Links.Number {
		line := m.Links.Line[4*k : 4*k+4]
		for i, limit := range []float64{m.Width, m.Height, m.Width, m.Height} {
			if line[i] < -0.15 || line[i] > limit+0.15 {
				t.Fatalf("channel %d from %v is not within the map", m.Links.Number[k], line)
			}
		}
		key := fmt.Sprint(line)
		if other, twice := lines[key]; twice {
			t.Fatalf("channels %d and %d are the same line", other, m.Links.Number[k])
		}
		lines[key] = m.Links.Number[k]
	}
	if routers := len(m.Links.Number); routers == 0 && m.Nodes > 1 {
		t.Error("no channels")
	}
}

// Node 0 of a mesh is at the bottom left, node 1 to the right of it.
func TestPlacesOfMesh(t *testing.T) {
	m := machineOf(t, "dims = [4, 3]")
	if m.X[0] != 0.5 || m.Y[0] != 2.5 || m.X[1] != 1.5 || m.Y[4] != 1.5 {
		t.Errorf("nodes are at %v, %v", m.X, m.Y)
	}
	for k, from := range m.Links.From {
		if line := m.Links.Line[4*k:]; from == 0 && m.Links.To[k] == 1 &&
			!(line[0] < line[2] && line[1] == line[3]) {
			t.Errorf("the channel from router 0 to 1 goes from %v", line[:4])
		}
	}
}

// ring is a topology that the map knows nothing of.
type ring struct{ topology.Topology }

// A machine that is neither grid nor tree is a strip of nodes, and one of channels.
func TestPlacesOfOther(t *testing.T) {
	cube, err := topology.NewCube(topology.CubeConfig{Dims: []int{30}, Wrap: []bool{true}})
	if err != nil {
		t.Fatal(err)
	}
	p := placerOf(ring{cube}, true)
	m := &Screen{Nodes: 30, X: make([]float64, 30), Y: make([]float64, 30)}
	p.place(m)
	for k := range 60 {
		line := p.line(m, router.End{}, router.End{})
		m.Links.Number = append(m.Links.Number, k)
		m.Links.Line = append(m.Links.Line, line[:]...)
	}
	checkPlaces(t, m)
}

func TestHugeMachineHasNoMap(t *testing.T) {
	m := machineOf(t, "dims = [300, 300]")
	if len(m.X) != 0 || len(m.Frames) != 1 || m.Width == 0 {
		t.Errorf("%d places, %d headings", len(m.X), len(m.Frames))
	}
}

// Nodes above each other on the map are neighbours, nodes at the ends of two rows are only over
// time, and nodes of two layers are none.
func TestBesideOnTheMap(t *testing.T) {
	pairs := machineOf(t, "dims = [4, 2, 2]").Beside()
	for pair, want := range map[[2]int]bool{{0, 1}: true, {0, 4}: true, {3, 4}: true, {0, 5}: false,
		{0, 8}: false, {7, 8}: true, {8, 12}: true} {
		if slices.Contains(pairs, pair) != want {
			t.Errorf("%v is among the neighbours: %v", pair, !want)
		}
	}
}
