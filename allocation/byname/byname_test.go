package byname_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"contend/allocation"
	"contend/allocation/byname"
	"contend/allocation/byname/bynametest"
	"contend/allocation/exact"
	"contend/internal/must"
	"contend/router/topology"
	"contend/router/topology/topologytest"
)

func TestParseAndString(t *testing.T) {
	for short, want := range map[string]byname.Config{
		"random":                  {Name: "random"},
		"mbs":                     {Name: "mbs"},
		"paging:0":                {Name: "paging"},
		"paging:2":                {Name: "paging", Page: 2},
		"paging:2,snake":          {Name: "paging", Page: 2, Order: "snake"},
		"paging:1,shuffled-snake": {Name: "paging", Page: 1, Order: "shuffled-snake"},
		"first-fit":               {Name: "first-fit"},
		"first-fit:rotate":        {Name: "first-fit", Rotate: true},
		"mc":                      {Name: "mc"},
		"mc1x1:greedy":            {Name: "mc1x1", LastShell: "greedy"},
		"mc1x1-tie:2,13,20,6": {Name: "mc1x1-tie", ScanRadius: 2, Available: 13,
			Wall: 20, Border: 6},
		"mc1x1-tie:0,0,0,0,l1": {Name: "mc1x1-tie", LastShell: "l1"},
		"mc1x1-tie:2,13,20,6,twice": {Name: "mc1x1-tie", ScanRadius: 2, Available: 13, Wall: 20,
			Border: 6, Corners: "twice"},
		"best-fit:rotate,boundary":    {Name: "best-fit", Rotate: true, Score: "boundary"},
		"frame-sliding:free":          {Name: "frame-sliding", Start: "free"},
		"mm":                          {Name: "mm"},
		"mm:node-order":               {Name: "mm", LastShell: "node-order"},
		"mm-inc:greedy":               {Name: "mm-inc", LastShell: "greedy"},
		"gen-alg:node-order":          {Name: "gen-alg", LastShell: "node-order"},
		"optimal":                     {Name: "optimal", Limit: exact.DefaultLimit},
		"optimal:500":                 {Name: "optimal", Limit: 500},
		"ptas":                        {Name: "ptas", Strips: exact.DefaultStrips},
		"ptas:5":                      {Name: "ptas", Strips: 5},
		"free-list":                   {Name: "free-list"},
		"hilbert/best-fit-1d":         {Name: "best-fit-1d", Order: "hilbert"},
		"snake/x-y/free-list":         {Name: "free-list", Order: "snake/x-y"},
		"hilbert/first-fit-1d:linear": {Name: "first-fit-1d", Order: "hilbert", Span: "linear"},
		"quasi-contiguous:20":         {Name: "quasi-contiguous", Percent: 20},
		"level-spread":                {Name: "level-spread"},
		"slurm-tree":                  {Name: "slurm-tree"},
		"slurm-tree:22.05":            {Name: "slurm-tree", Version: "22.05"},
		"slurm-block:16,4":            {Name: "slurm-block", BlockNodes: 16, Segment: 4},
	} {
		got, err := byname.Parse(short)
		if err != nil || got != want {
			t.Errorf("Parse(%q) is %+v, %v; want %+v", short, got, err, want)
		}
		if got.String() != short {
			t.Errorf("%+v is %q, want %q", got, got.String(), short)
		}
	}
	for short, canonical := range map[string]string{"paging": "paging:0",
		"paging:2,row-major": "paging:2", "paging:03": "paging:3",
		"paging:snake": "paging:0,snake", "paging:order=snake,page=1": "paging:1,snake",
		"snake/paging:1":      "paging:1,snake",
		"row-major/paging":    "paging:0",
		"row-major/free-list": "free-list", "sum-of-squares:ring,hilbert": "hilbert/sum-of-squares",
		"quasi-contiguous": "quasi-contiguous:0",
		"mc:previous":      "mc", "mm:previous": "mm", "gen-alg:previous": "gen-alg",
		"mc1x1-tie": "mc1x1-tie:2,13,20,6", "mc1x1-tie:greedy": "mc1x1-tie:2,13,20,6,greedy",
		"optimal:1000000": "optimal", "ptas:3": "ptas"} {
		if got, err := byname.Parse(short); err != nil || got.String() != canonical {
			t.Errorf("Parse(%q) is %q, %v; want %q", short, got, err, canonical)
		}
	}
}

// allNames lists the allocators as messages do.
func allNames() string { return allocation.JoinNames(byname.Names()) }

func TestParseErrors(t *testing.T) {
	for short, want := range map[string]string{
		"firstfit": `unknown allocator "firstfit": there are ` + allNames(),
		"":         `unknown allocator "": there are ` + allNames(),
		"MBS":      `unknown allocator "MBS": there are ` + allNames(),
		"paging:": `allocator "paging:": paging has nothing after its colon: leave out the colon, or ` +
			`give parameters`,
		"paging:-1": `allocator "paging:-1": page "-1" is not a whole number from 0: write ` +
			`paging:2 or paging:2,snake`,
		"paging:2,3": `allocator "paging:2,3": paging has no parameter "3": there are page (from 0), ` +
			`order (row-major, shuffled-row-major, snake, shuffled-snake, middle-out)`,
		"paging:snake,order=snake": `allocator "paging:snake,order=snake": paging has the parameter ` +
			`order twice: give it once`,
		"snake/mbs": `allocator "snake/mbs": mbs has no parameters: leave them out`,
		"snail/paging": `allocator "snail/paging": unknown order "snail": there are ` +
			`row-major, shuffled-row-major, snake, shuffled-snake, middle-out`,
		"mc1x1-tie:2,13": `allocator "mc1x1-tie:2,13": mc1x1-tie takes 4 numbers: write ` +
			`mc1x1-tie:2,13,20,6`,
		"mc1x1-tie:2,-1,3,4": `allocator "mc1x1-tie:2,-1,3,4": available "-1" is not a whole number ` +
			`from 0: write mc1x1-tie:2,13,20,6`,
		"optimal:0": `allocator "optimal:0": limit "0" is not a whole number from 1: write ` +
			`optimal:1000`,
		"quasi-contiguous:101": `allocator "quasi-contiguous:101": qct "101" is not a whole number ` +
			`from 0 to 100: write quasi-contiguous:20`,
		"gen-alg:l1": `allocator "gen-alg:l1": gen-alg has no parameter "l1": there are last_shell ` +
			`(previous, greedy, node-order)`,
		"first-fit:rotate=2": `allocator "first-fit:rotate=2": rotate "2" is neither true nor false`,
	} {
		if _, err := byname.Parse(short); err == nil || err.Error() != want {
			t.Errorf("Parse(%q):\n got %v\nwant %s", short, err, want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	concentrated := topologytest.Cube(t, topology.CubeConfig{Dims: []int{4, 4}, Concentration: 2})
	for _, c := range []struct {
		config  byname.Config
		machine topology.Topology
		want    string
	}{
		{byname.Config{Name: "pageing"}, topologytest.Mesh(t, 4, 4),
			`unknown allocator "pageing": there are ` + allNames()},
		{byname.Config{Name: "mbs", Page: 1}, topologytest.Mesh(t, 4, 4),
			"allocator mbs takes no page; only paging does"},
		{byname.Config{Name: "mbs", Order: "snake"}, topologytest.Mesh(t, 4, 4),
			"allocator mbs takes no order; paging, " +
				"free-list, first-fit-1d, best-fit-1d and sum-of-squares do"},
		{byname.Config{Name: "random", Rotate: true}, topologytest.Mesh(t, 4, 4),
			"allocator random takes no rotate; first-fit, best-fit and frame-sliding do"},
		{byname.Config{Name: "paging", Page: -1}, topologytest.Mesh(t, 4, 4),
			"allocator paging: page is -1; it must be 0 or more"},
		{byname.Config{Name: "paging", Order: "rowmajor"}, topologytest.Mesh(t, 4, 4),
			`allocator paging: unknown order ` +
				`"rowmajor": there are row-major, shuffled-row-major, snake, shuffled-snake, middle-out`},
		{byname.Config{Name: "paging", Page: 3}, topologytest.Mesh(t, 12, 4),
			"allocator paging: page 3 has side 2^3, " +
				"which does not divide the sides of the 12x4 mesh; pages 0 to 2 (side 4) do"},
		{byname.Config{Name: "paging", Page: 2}, topologytest.Mesh(t, 12, 10),
			"allocator paging: page 2 has side 2^2, " +
				"which does not divide the sides of the 12x10 mesh; page 0 and page 1 (side 2) do"},
		{byname.Config{Name: "paging", Page: 70}, topologytest.Mesh(t, 7, 4),
			"allocator paging: page 70 has side 2^70, " +
				"which does not divide the sides of the 7x4 mesh; only page 0 (side 1) does"},
		{byname.Config{Name: "buddy2d"}, topologytest.Mesh(t, 8, 4),
			"allocator buddy2d needs a square machine whose side " +
				"is a power of two, not a 8x4 mesh; mbs takes any"},
		{byname.Config{Name: "buddy2d"}, topologytest.Mesh(t, 6, 6),
			"allocator buddy2d needs a square machine whose side " +
				"is a power of two, not a 6x6 mesh; mbs takes any"},
		{byname.Config{Name: "first-fit"}, topologytest.Mesh(t, 2, 2, 2),
			"allocator first-fit needs a 2D mesh or torus; this machine has 3 dimensions"},
		{byname.Config{Name: "mc1x1", Wall: 1}, topologytest.Mesh(t, 4, 4),
			"allocator mc1x1 takes no wall; only mc1x1-tie does"},
		{byname.Config{Name: "mbs", LastShell: "greedy"}, topologytest.Mesh(t, 4, 4),
			"allocator mbs takes no last_shell; mc, mc1x1, mc1x1-tie, gen-alg, mm and mm-inc do"},
		{byname.Config{Name: "mm", LastShell: "l1"}, topologytest.Mesh(t, 4, 4),
			`allocator mm: unknown last shell "l1": there are previous, greedy, node-order`},
		{byname.Config{Name: "mm-inc", LastShell: "first"}, topologytest.Mesh(t, 4, 4),
			`allocator mm-inc: unknown last shell "first": there are previous, greedy, node-order`},
		{byname.Config{Name: "mc", LastShell: "first"}, topologytest.Mesh(t, 4, 4),
			`allocator mc: unknown last shell "first": there are previous, l1, greedy, node-order`},
		{byname.Config{Name: "mc1x1-tie", Available: -1}, topologytest.Mesh(t, 4, 4),
			"allocator mc1x1-tie: available is -1; it must be 0 or more"},
		{byname.Config{Name: "optimal", Limit: -1}, topologytest.Mesh(t, 4, 4),
			"allocator optimal: limit is -1; it must be 1 or more"},
		{byname.Config{Name: "ptas", Strips: 1}, topologytest.Mesh(t, 4, 4),
			"allocator ptas: m is 1; it must be 2 or more"},
		{byname.Config{Name: "ptas", Strips: 5}, topologytest.Mesh(t, 4, 4),
			"allocator ptas with m = 5 goes through all " +
				"divisions of the machine and takes at most 9 nodes; the 4x4 mesh has 16"},
		{byname.Config{Name: "ptas"}, topologytest.Torus(t, []int{4, 4}, true, false),
			"allocator ptas needs a mesh of one or two dimensions, not a 4x4 torus"},
		{byname.Config{Name: "mc"}, topologytest.Mesh(t, 2, 2, 2, 2),
			"allocator mc counts along coordinates and needs a " +
				"mesh or torus of up to three dimensions; this machine has 4"},
		{byname.Config{Name: "mc1x1"}, topologytest.Tree(t, 4, 2, 16),
			"allocator mc1x1 counts along coordinates and " +
				"needs a mesh or torus of up to three dimensions; this machine is neither"},
		{byname.Config{Name: "mc1x1"}, concentrated,
			"allocator mc1x1 needs one node on every router; this machine has 32 nodes on 16 routers"},
		{byname.Config{Name: "mbs"}, concentrated,
			"allocator mbs needs one node on every router; this machine has 32 nodes on 16 routers"},
	} {
		a, err := byname.New(c.config, c.machine, rand.New(rand.NewPCG(1, 1)))
		if a != nil || err == nil || err.Error() != c.want {
			t.Errorf("%+v:\n got %v, %v\nwant %s", c.config, a, err, c.want)
		}
	}
}

// Every listed name has a constructor and a description.
func TestNamesCanBeMade(t *testing.T) {
	for _, info := range byname.Names() {
		var machine topology.Topology = topologytest.Mesh(t, 4, 4)
		switch {
		case strings.HasSuffix(info.Name, "contiguous") || info.Name == "isolated":
			machine = topologytest.Tree(t, 4, 2, 16)
		case strings.HasPrefix(info.Doc, "machine of groups"):
			machine = topologytest.Dragonfly(t, 4, 2, 2, 0)
		case strings.HasPrefix(info.Doc, "machine of switches"):
			machine = topologytest.Tree(t, 2, 3, 8)
		case strings.HasPrefix(info.Doc, "HyperX"):
			machine = topologytest.Hyper(t, 1, 4, 4)
		}
		a := bynametest.Make(t, info.Name, machine)
		_, ok := a.Allocate(nil, allocation.NewFreeSet(machine.Nodes()), allocation.Request{Size: 1})
		if !ok || !strings.Contains(info.Doc, "19") && !strings.Contains(info.Doc, "20") {
			t.Errorf("%s (%s) places no single processor or cites nothing", info.Name, info.Doc)
		}
	}
}

func TestRandomNeedsItsStream(t *testing.T) {
	c, m := byname.Config{Name: "random"}, topologytest.Mesh(t, 2, 2)
	if must.Panic(func() { byname.New(c, m, nil) }) == "" {
		t.Error("random was made without a stream")
	}
}
