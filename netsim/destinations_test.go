package netsim

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// destinationsOf returns the destinations of traffic on a machine.
func destinationsOf(t *testing.T, text string, m topology.Topology, self bool) Destinations {
	t.Helper()
	p := must.Have(ParseTraffic(text))
	return must.Have(p.On(m, self, rand.New(rand.NewPCG(31, 32))))
}

// All nodes of a group of a dragonfly send to the nodes of another group alike (Kim et al. 2008).
func TestAdversarialSendsToAGroup(t *testing.T) {
	m := fly(t, "minimal").Topology.(*topology.Dragonfly)
	group := func(n topology.Node) int { return m.Group(m.RouterOf(n)) }
	for text, ahead := range map[string]int{"adversarial": 1, "adversarial:groups=3": 3} {
		d, rng := destinationsOf(t, text, m, false), rand.New(rand.NewPCG(5, 6))
		got := map[topology.Node]int{}
		for range 1000 {
			for from := range topology.Node(m.Nodes()) {
				to := d.To(from, rng)
				if got[to]++; group(to) != (group(from)+ahead)%m.Groups() {
					t.Fatalf("%s: node %d of group %d sends to group %d", text, from, group(from), group(to))
				}
			}
		}
		for n, k := range got {
			if len(got) != m.Nodes() || math.Abs(float64(k)-1000) > 5*math.Sqrt(1000) {
				t.Errorf("%s: node %d of %d gets %d messages, want about 1000", text, n, len(got), k)
			}
		}
	}
}

// On drawn HyperX networks a node sends one coordinate ahead in one dimension, which is the same
// in whatever order the dimensions are given: the narrowest, then the shortest.
func TestAdversarialOnHyperXTakesTheNarrowestDimension(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 100 {
		dims, width := make([]int, 1+rng.IntN(3)), []int{}
		for d := range dims {
			dims[d], width = 1+rng.IntN(4), append(width, 1+rng.IntN(3))
		}
		dims[rng.IntN(len(dims))]++
		m := must.Have(topology.NewHyperX(topology.HyperXConfig{Dims: dims, Width: width,
			Concentration: 1 + rng.IntN(2)}))
		to := destinationsOf(t, "adversarial", m, false).To
		ahead := slices.Repeat([]bool{true}, len(dims)) // always one
		for from := range topology.Node(m.Nodes()) {
			for range 20 {
				n := to(from, rng)
				for d, k := range dims {
					x, y := m.Coordinate(m.RouterOf(from), d), m.Coordinate(m.RouterOf(n), d)
					ahead[d] = ahead[d] && k > 1 && y == (x+1)%k
				}
			}
		}
		at := slices.Index(ahead, true)
		if at < 0 {
			t.Fatalf("%v, width %v: no dimension is always one ahead", dims, width)
		}
		for d, k := range dims {
			if k > 1 && (width[d] < width[at] || width[d] == width[at] && k < dims[at]) {
				t.Errorf("%v, width %v: traffic goes along dimension %d", dims, width, at)
			}
		}
	}
}

// On drawn trees, of any number of ports up and with nodes missing, each node gets as much as it
// sends, from one other leaf. Under d-mod-k, which takes the port of the number of the destination
// modulo that of ports, no traffic of which this is true puts more on a port of a leaf.
func TestAdversarialOnTreesIsTheWorstThatNodesTakeIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for drawn := range 300 {
		size, leaves := 1+rng.IntN(20), 2+rng.IntN(20)
		c := topology.FatTreeConfig{Children: []int{size, leaves}, Parents: []int{1 + rng.IntN(20)},
			Bundle: []int{1 + rng.IntN(2)}, Rails: 1 + rng.IntN(2), Nodes: size * leaves}
		if drawn%3 == 0 {
			c.Nodes = 2*size + rng.IntN(size*(leaves-2)+1)
		}
		m := fatTree(t, c)
		to := congruentPartition(c.Nodes, size, m.UpPorts(0))
		from, most := make([]int, c.Nodes), 0
		ports := make([]int, m.UpPorts(0)) // nodes by the port to them
		for n := range c.Nodes {
			ports[n%len(ports)]++
		}
		bound := 0
		for leaf, list := range to {
			here, own := make([]int, len(ports)), make([]int, len(ports))
			nodes := min(size, c.Nodes-leaf*size)
			for n := leaf * size; n < leaf*size+nodes; n++ {
				own[n%len(ports)]++
			}
			for _, n := range list {
				if here[int(n)%len(ports)]++; int(n)/size == leaf {
					t.Errorf("%+v: leaf %d sends to itself", c, leaf)
				}
				from[n]++
			}
			if len(list) != nodes {
				t.Errorf("%+v: the %d nodes of leaf %d send to %d", c, nodes, leaf, len(list))
			}
			most = max(most, slices.Max(here))
			for p := range ports {
				bound = max(bound, min(nodes, ports[p]-own[p]))
			}
		}
		if slices.Min(from) != 1 || slices.Max(from) != 1 {
			t.Errorf("%+v: leaves that send to each node: %v", c, from)
		}
		if most > bound || most < bound-1 || most < bound && size%len(ports) == 0 {
			t.Errorf("%+v: a port carries %d nodes' traffic, could carry %d", c, most, bound)
		}
		d := destinationsOf(t, "adversarial", m, false)
		for from := range topology.Node(c.Nodes) {
			if n := d.To(from, rng); !slices.Contains(to[int(from)/size], n) {
				t.Fatalf("%+v: node %d sends to %d, the others of its leaf to %v", c, from, n,
					to[int(from)/size])
			}
		}
	}
}

// Of N nodes N-1 send the share s to the hot node, and all others the rest alike: it gets
// (N-1)s + 1-s times what a node sends, so its channel is full at the inverse of that load.
// Several hot nodes divide the share.
func TestHotspotLoadsItsNode(t *testing.T) {
	m := cube(t, false, 8, 8)
	const nodes, draws = 64, 4000
	for _, c := range []struct {
		text  string
		hot   map[topology.Node]bool
		share float64
	}{
		{"hotspot", map[topology.Node]bool{36: true}, 0.05},
		{"hotspot:share=0.3,nodes=9", map[topology.Node]bool{9: true}, 0.3},
		{"hotspot:nodes=0/9/63,share=0.6", map[topology.Node]bool{0: true, 9: true, 63: true}, 0.6},
	} {
		d, rng := destinationsOf(t, c.text, m, false), rand.New(rand.NewPCG(7, 8))
		got := [nodes]float64{}
		for range draws {
			for from := range topology.Node(nodes) {
				got[d.To(from, rng)]++
			}
		}
		// A hot node draws itself with the probability s/h and then sends elsewhere.
		s, h := c.share, float64(len(c.hot))
		plain, hot := (1-s)/(nodes-1), (1-s+s/h)/(nodes-1) // of a node and a hot one to any other
		for n, count := range got {
			want := draws * ((nodes-h-1)*plain + h*hot)
			if c.hot[topology.Node(n)] {
				want = draws * ((nodes-h)*plain + (h-1)*hot + (nodes-1)*s/h)
			}
			if math.Abs(count-want) > 5*math.Sqrt(want) {
				t.Errorf("%s: node %d gets %v messages, want %.0f", c.text, n, count, want)
			}
		}
	}
}

// Hot nodes send to themselves if nodes do, and get all of a share of 1.
func TestHotspotSendsToItself(t *testing.T) {
	m, got := cube(t, false, 4, 4), map[topology.Node]int{}
	d, rng := destinationsOf(t, "hotspot:nodes=5/9,share=1", m, true), rand.New(rand.NewPCG(7, 8))
	for range 4000 {
		got[d.To(5, rng)]++
	}
	if len(got) != 2 || math.Abs(float64(got[5]-got[9])) > 5*math.Sqrt(4000) {
		t.Errorf("node 5 sends to %v, want 5 and 9 alike", got)
	}
}

// A permutation sends to each node once and gets from each once; the same stream draws the
// same one, another stream another one.
func TestPermutationSendsAndReceivesOnce(t *testing.T) {
	m := cube(t, false, 5, 5)
	p := TrafficPattern{Name: "permutation"}
	draw := func(seed uint64) (list [25]topology.Node) {
		d := must.Have(p.On(m, true, rand.New(rand.NewPCG(seed, 1))))
		seen := map[topology.Node]bool{}
		for n := range list {
			list[n] = d.To(topology.Node(n), nil)
			seen[list[n]] = true
		}
		if len(seen) != 25 {
			t.Errorf("%d destinations of 25 nodes", len(seen))
		}
		return list
	}
	if first, again, other := draw(1), draw(1), draw(2); first != again || first == other {
		t.Error("the stream does not decide the permutation")
	}
}

// A kind says that nodes send to themselves if they do on every machine that it suits.
func TestKindsSayWhereNodesSendToThemselves(t *testing.T) {
	fly := must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 2, GlobalLinks: 1}))
	for _, k := range TrafficKinds() {
		p, suits, own := TrafficPattern{Name: k.Name, Matrix: Matrix{{0, 0, 1}}}, 0, 0
		for _, m := range []topology.Topology{cube(t, false, 3, 3), cube(t, false, 4),
			cube(t, true, 8, 8), tree(t, 2, 3), fly} {
			rng, itself := rand.New(rand.NewPCG(1, 1)), false
			var err error
			for range 20 { // permutations
				var d Destinations
				if d, err = p.On(m, true, rng); err == nil {
					itself = itself || sendsToItself(d, m, rng)
				}
			}
			if err == nil {
				suits++
			}
			if itself {
				own++
			}
		}
		if suits == 0 || (own == suits) != k.Self {
			t.Errorf("%s: nodes send to themselves on %d of %d machines, and Self is %t", k.Name, own, suits,
				k.Self)
		}
	}
}

// sendsToItself reports whether some node does so in many draws.
func sendsToItself(d Destinations, m topology.Topology, rng *rand.Rand) bool {
	for n := range topology.Node(m.Nodes()) {
		if d.Rates != nil && d.Rates[n] == 0 {
			continue
		}
		for range 200 {
			if d.To(n, rng) == n {
				return true
			}
		}
	}
	return false
}

// Destinations of a matrix have the proportions of its weights, and so have the loads of
// nodes. A weight of a node to itself counts only with messages to itself.
func TestMatrixHasItsProportions(t *testing.T) {
	m := cube(t, false, 2, 2)
	p := TrafficPattern{Name: "matrix", Matrix: Matrix{{0, 1, 3}, {0, 2, 1}, {2, 2, 4}, {3, 0, 8},
		{1, 0, 0}}}
	for self, want := range map[bool][]float64{false: {4. / 12, 0, 0, 8. / 12},
		true: {4. / 16, 0, 4. / 16, 8. / 16}} {
		d := must.Have(p.On(m, self, nil))
		got, rng := [4]float64{}, rand.New(rand.NewPCG(3, 3))
		for range 4000 {
			got[d.To(0, rng)]++
		}
		if got[0] != 0 || got[3] != 0 || math.Abs(got[1]-3000) > 5*math.Sqrt(4000*0.25*0.75) {
			t.Errorf("node 0 sends %v, want 3 to 1", got)
		}
		n := must.Have(New(Default(m)))
		sent := [4]float64{}
		tr := started(n, Traffic{Load: 0.2, Flits: 2, Self: self, Rates: d.Rates,
			Destination: func(from topology.Node, rng *rand.Rand) topology.Node {
				sent[from]++
				return d.To(from, rng)
			}}, 9, 9)
		run(t, n, tr, 20000)
		for i, share := range want {
			if want := share * 4 * 0.1 * 20000; math.Abs(sent[i]-want) > 5*math.Sqrt(want) {
				t.Errorf("self %t: node %d sends %v messages, want %.0f", self, i, sent[i], want)
			}
		}
	}
}

// A permutation needs a stream, and a matrix nodes of the machine and weights that can be added up.
func TestTrafficRefusesPatterns(t *testing.T) {
	for want, p := range map[string]TrafficPattern{
		"there is no stream": {Name: "permutation"},
		"0 to 23":            {Name: "matrix", Matrix: Matrix{{From: 0, To: 24, Weight: 1}}},
		"whose sum":          {Name: "matrix", Matrix: Matrix{{0, 1, 1e308}, {1, 0, 1e308}}},
	} {
		if _, err := p.On(cube(t, false, 6, 4), false, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", p.Name, err, want)
		}
	}
}

// Traffic of which each node would send to itself is refused, unless nodes do. Where some node
// sends to another one it is not.
func TestTrafficOfSilentNodes(t *testing.T) {
	for _, c := range []struct {
		name    string
		self    bool
		dims    []int
		refused bool
	}{
		{"tornado", false, []int{2}, true}, {"tornado", false, []int{2, 1, 2}, true},
		{"tornado", false, []int{2, 3}, false}, {"transpose", false, []int{7}, true},
		{"transpose", false, []int{2, 2}, false}, {"transpose", true, []int{7}, false},
		{"shuffle", false, []int{2}, true}, {"shuffle", true, []int{2}, false},
		{"shuffle", false, []int{4}, false}, {"bit-reverse", false, []int{2}, true},
		{"bit-reverse", false, []int{4}, false}, {"neighbour", false, []int{2, 1}, false},
		{"bit-complement", false, []int{3, 1}, false}, {"uniform", false, []int{2}, false},
	} {
		_, err := TrafficPattern{Name: c.name}.On(cube(t, false, c.dims...), c.self, nil)
		if (err != nil) != c.refused ||
			c.refused && !strings.Contains(err.Error(), c.name+" traffic has each node") {
			t.Errorf("%s on %v: %v", c.name, c.dims, err)
		}
	}
}
