package floor

import (
	"slices"
	"testing"

	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/internal/input"
	"contend/internal/must"
)

// planOf returns the decoded spec with the keys of a machine.
func planOf(t *testing.T, keys string) *config.Plan {
	t.Helper()
	raw := must.Have(input.ReadTOML("machine.toml", keys)).Values
	settings := config.Defaults()
	settings.Spec.Allocator = "random"
	for _, key := range input.SortedKeys(raw) {
		if err := settings.Assign("machine."+key, raw[key]); err != nil {
			t.Fatal(err)
		}
	}
	plan := must.Have(settings.Spec.Plan())
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
		d, ok := ChannelMap{Channels: channelsOf(m), Label: "Load"}.Drawable(m).(plot.Scene)
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
	for _, tile := range (ChannelMap{Channels: channelsOf(m)}).Drawable(m).(plot.Scene).Tiles {
		if tile.Fill == plot.Valued {
			tiles++
		}
	}
	if want := len(channelsOf(m)); tiles != want {
		t.Errorf("%d tiles for %d channels", tiles, want)
	}
}

// machineOf returns the map of a machine of which a study has the keys.
func machineOf(t *testing.T, keys string) *MachineMap { return NewMachineMap(planOf(t, keys)) }

// On the map of every machine nodes and channels are rectangles within the map that do not
// overlap, and each channel is drawn.
func TestPlaces(t *testing.T) {
	for _, keys := range []string{
		`dims = [7, 3]`, `dims = [1]`, `dims = [100]`, `dims = [4, 3, 5]`, `dims = [3, 2, 2, 3]`,
		"topology = \"torus\"\ndims = [5, 4]", "topology = \"torus\"\ndims = [3, 4, 3]",
		"topology = \"torus\"\ndims = [40]", "topology = \"hypercube\"\ndims = [7]",
		"dims = [4, 3]\nconcentration = 3", "dims = [4, 6]\nservice_rows = [0, 5]",
		"topology = \"tree\"\narity = 4\nlevels = 3",
		"topology = \"tree\"\narity = 3\nlevels = 3\nup_ports = [2, 1]\nnodes = 20",
		"topology = \"dragonfly\"\ngroup_routers = 4\nglobal_links = 2\nconcentration = 2",
	} {
		t.Run(keys, func(t *testing.T) { checkPlaces(t, machineOf(t, keys)) })
	}
}

func checkPlaces(t *testing.T, m *MachineMap) {
	t.Helper()
	if len(m.Cells) != 4*m.Nodes {
		t.Fatalf("%d numbers for %d nodes", len(m.Cells), m.Nodes)
	}
	boxes, drawn := slices.Collect(slices.Chunk(m.Cells, 4)), map[int]bool{}
	for tile := range slices.Chunk(m.Links.Tiles, 5) {
		drawn[int(tile[0])] = true
		boxes = append(boxes, tile[1:])
	}
	const within = 0.0021 // of rounding
	for i, a := range boxes {
		if a[0] < -within || a[1] < -within || a[0]+a[2] > m.Width+within ||
			a[1]+a[3] > m.Height+within || a[2] <= 0 || a[3] <= 0 {
			t.Fatalf("the rectangle %v is not within %g by %g", a, m.Width, m.Height)
		}
		for _, b := range boxes[:i] {
			if min(a[0]+a[2], b[0]+b[2])-max(a[0], b[0]) > within &&
				min(a[1]+a[3], b[1]+b[3])-max(a[1], b[1]) > within {
				t.Fatalf("the rectangles %v and %v overlap", a, b)
			}
		}
	}
	for _, line := range m.Links.Lines {
		drawn[int(line[0])] = true
	}
	if len(drawn) != len(m.Links.Number) || len(drawn) == 0 && m.Nodes > 1 {
		t.Errorf("%d of %d channels are drawn", len(drawn), len(m.Links.Number))
	}
}

// Node 0 of a mesh is at the bottom left, node 1 to the right of it; their channels lie between.
func TestPlacesOfMesh(t *testing.T) {
	m := machineOf(t, "dims = [4, 3]")
	at := func(n int) []float64 { return m.Cells[4*n : 4*n+2] }
	if !slices.Equal(at(0), []float64{0.28, 2.28}) || !slices.Equal(at(1), []float64{1.28, 2.28}) ||
		!slices.Equal(at(4), []float64{0.28, 1.28}) {
		t.Errorf("nodes are at %v", m.Cells)
	}
	for tile := range slices.Chunk(m.Links.Tiles, 5) {
		k := int(tile[0])
		if m.Links.From[k] == 0 && m.Links.To[k] == 1 &&
			!slices.Equal(tile[1:], []float64{0.72, 2.52, 0.56, 0.17}) {
			t.Errorf("the channel from router 0 to 1 is at %v", tile[1:])
		}
	}
}

func TestHugeMachineHasNoMap(t *testing.T) {
	m := machineOf(t, "dims = [300, 300]")
	if len(m.Cells) != 0 || len(m.Headings) != 1 || m.Width == 0 {
		t.Errorf("%d places, %d headings", len(m.Cells), len(m.Headings))
	}
}

// Nodes above each other on the map are neighbours, nodes at the ends of two rows are only over
// time, and nodes of two layers are none.
func TestBesideOnTheMap(t *testing.T) {
	pairs := machineOf(t, "dims = [4, 2, 2]").Floor.NeighbourNodes()
	for pair, want := range map[[2]int]bool{{0, 1}: true, {0, 4}: true, {3, 4}: true, {0, 5}: false,
		{0, 8}: false, {7, 8}: true, {8, 12}: true} {
		if slices.Contains(pairs, pair) != want {
			t.Errorf("%v is among the neighbours: %v", pair, !want)
		}
	}
}
