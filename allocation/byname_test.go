package allocation

import (
	"math/rand/v2"
	"strings"
	"testing"

	"contend/netsim/topology"
)

func TestParseAndString(t *testing.T) {
	for short, want := range map[string]Config{
		"random":                  {Name: "random"},
		"mbs":                     {Name: "mbs"},
		"paging:0":                {Name: "paging"},
		"paging:2":                {Name: "paging", Page: 2},
		"paging:2,snake":          {Name: "paging", Page: 2, Order: "snake"},
		"paging:1,shuffled-snake": {Name: "paging", Page: 1, Order: "shuffled-snake"},
		"first-fit":               {Name: "first-fit"},
		"first-fit:rotate":        {Name: "first-fit", Rotate: true},
	} {
		got, err := Parse(short)
		if err != nil || got != want {
			t.Errorf("Parse(%q) is %+v, %v; want %+v", short, got, err, want)
		}
		if got.String() != short {
			t.Errorf("%+v is %q, want %q", got, got.String(), short)
		}
	}
	for short, canonical := range map[string]string{"paging": "paging:0", "paging:2,row-major": "paging:2", "paging:03": "paging:3"} {
		if got, err := Parse(short); err != nil || got.String() != canonical {
			t.Errorf("Parse(%q) is %q, %v; want %q", short, got, err, canonical)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for short, want := range map[string]string{
		"firstfit":          `unknown allocator "firstfit": there are random, paging, buddy2d, mbs, first-fit, best-fit, frame-sliding`,
		"":                  `unknown allocator "": there are random, paging, buddy2d, mbs, first-fit, best-fit, frame-sliding`,
		"MBS":               `unknown allocator "MBS": there are random, paging, buddy2d, mbs, first-fit, best-fit, frame-sliding`,
		"paging:":           `allocator "paging:": page "" is not a whole number from 0: write paging:2 or paging:2,snake`,
		"paging:-1":         `allocator "paging:-1": page "-1" is not a whole number from 0: write paging:2 or paging:2,snake`,
		"paging:snake":      `allocator "paging:snake": page "snake" is not a whole number from 0: write paging:2 or paging:2,snake`,
		"paging:2,snail":    `allocator "paging:2,snail": unknown order "snail": there are row-major, shuffled-row-major, snake, shuffled-snake, middle-out`,
		"first-fit:rotated": `allocator "first-fit:rotated": unknown parameter "rotated": first-fit takes rotate only`,
		"mbs:2":             `allocator "mbs:2": mbs takes no parameters`,
		"random:":           `allocator "random:": random takes no parameters`,
	} {
		if _, err := Parse(short); err == nil || err.Error() != want {
			t.Errorf("Parse(%q):\n got %v\nwant %s", short, err, want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	concentrated, err := topology.NewCube(topology.CubeConfig{Dims: []int{4, 4}, Concentration: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		config  Config
		machine topology.Topology
		want    string
	}{
		{Config{Name: "pageing"}, mesh(t, 4, 4), `unknown allocator "pageing": there are random, paging, buddy2d, mbs, first-fit, best-fit, frame-sliding`},
		{Config{Name: "mbs", Page: 1}, mesh(t, 4, 4), "allocator mbs has no page; only paging does"},
		{Config{Name: "mbs", Order: "snake"}, mesh(t, 4, 4), "allocator mbs has no order; only paging does"},
		{Config{Name: "random", Rotate: true}, mesh(t, 4, 4), "allocator random does not rotate; first-fit, best-fit and frame-sliding do"},
		{Config{Name: "paging", Page: -1}, mesh(t, 4, 4), "allocator paging: page is -1; it must be 0 or more"},
		{Config{Name: "paging", Order: "rowmajor"}, mesh(t, 4, 4), `unknown order "rowmajor": there are row-major, shuffled-row-major, snake, shuffled-snake, middle-out`},
		{Config{Name: "paging", Page: 3}, mesh(t, 12, 4), "allocator paging: page 3 has side 2^3, which does not divide the sides of the 12x4 mesh; pages 0 to 2 (side 4) do"},
		{Config{Name: "paging", Page: 2}, mesh(t, 12, 10), "allocator paging: page 2 has side 2^2, which does not divide the sides of the 12x10 mesh; page 0 and page 1 (side 2) do"},
		{Config{Name: "paging", Page: 70}, mesh(t, 7, 4), "allocator paging: page 70 has side 2^70, which does not divide the sides of the 7x4 mesh; only page 0 (side 1) does"},
		{Config{Name: "buddy2d"}, mesh(t, 8, 4), "allocator buddy2d needs a square machine whose side is a power of two, not a 8x4 mesh; mbs takes any"},
		{Config{Name: "buddy2d"}, mesh(t, 6, 6), "allocator buddy2d needs a square machine whose side is a power of two, not a 6x6 mesh; mbs takes any"},
		{Config{Name: "first-fit"}, mesh(t, 2, 2, 2), "allocator first-fit needs a 2D mesh or torus; this machine has 3 dimensions"},
		{Config{Name: "mbs"}, concentrated, "allocator mbs needs one node on every router; this machine has 32 nodes on 16 routers"},
	} {
		a, err := New(c.config, c.machine, rand.New(rand.NewPCG(1, 1)))
		if a != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v:\n got %v, %v\nwant %s", c.config, a, err, c.want)
		}
	}
}

// Every name listed can be made, and has a line about it.
func TestNamesCanBeMade(t *testing.T) {
	for _, info := range Names() {
		a := makeAllocator(t, info.Name, mesh(t, 8, 8))
		if _, ok := a.Allocate(nil, NewFreeSet(64), Request{Size: 1}); !ok || !strings.Contains(info.Doc, "19") {
			t.Errorf("%s (%s) places no single processor or cites nothing", info.Name, info.Doc)
		}
	}
}

func TestRandomNeedsItsStream(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("random was made without a stream")
		}
	}()
	New(Config{Name: "random"}, mesh(t, 2, 2), nil)
}
