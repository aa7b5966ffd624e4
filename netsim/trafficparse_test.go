package netsim

import (
	"strings"
	"testing"

	"contend/internal/must"
	"contend/router/topology"
)

// Where the bits of node numbers send, by hand.
func TestBitPermutationsByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		m    topology.Topology
		to   []topology.Node
	}{
		{"bit-reverse", cube(t, false, 4, 2), []topology.Node{0, 4, 2, 6, 1, 5, 3, 7}},
		{"shuffle", cube(t, false, 8), []topology.Node{0, 2, 4, 6, 1, 3, 5, 7}},
		{"bit-complement", tree(t, 2, 3), []topology.Node{7, 6, 5, 4, 3, 2, 1, 0}},
		{"shuffle", tree(t, 4, 1), []topology.Node{0, 2, 1, 3}},
	} {
		to := must.Have(TrafficByName(c.name, c.m))
		for n, want := range c.to {
			if got := to(topology.Node(n), nil); got != want {
				t.Errorf("%s: %d sends to %d, want %d", c.name, n, got, want)
			}
		}
	}
}

// Equal patterns have equal texts, without what is by default.
func TestTrafficTexts(t *testing.T) {
	for text, want := range map[string]string{
		"uniform":                                     "uniform",
		"hotspot:share=0.05":                          "hotspot",
		"hotspot:share=0.20,nodes=9/3":                "hotspot:nodes=3/9,share=0.2",
		"hotspot: nodes=3 , share=0.2":                "hotspot:nodes=3,share=0.2",
		"adversarial:groups=1":                        "adversarial",
		"adversarial:groups=2":                        "adversarial:groups=2",
		"matrix:file=a b/c.csv":                       "matrix:file=a b/c.csv",
		"matrix":                                      "",
		"matrix:file=a,sha256=12":                     "",
		"matrix:file=a,sha256=0123456789ABCDEF":       "",
		"matrix:sha256=0123456789abcdef":              "",
		"matrix:sha256=0123456789abcdef,file=a/b.csv": "matrix:file=a/b.csv,sha256=0123456789abcdef",
		"uniform:self=true":                           "",
		"hotspot:share=1.5":                           "",
		"hotspot:share=NaN":                           "",
		"hotspot:nodes=":                              "",
		"hotspot:nodes=3/3":                           "",
		"hotspot:nodes=3,nodes=4":                     "",
		"hotspot:":                                    "",
		"adversarial:groups=0":                        "",
		"tornado:":                                    "",
		"storm":                                       "",
		"hotspot:weight=3":                            "",
		"permutation":                                 "permutation",
		"matrix:file=":                                "",
		"hotspot:nodes=-1":                            "",
		"hotspot:share=1,nodes=5/123456":              "hotspot:nodes=5/123456,share=1",
	} {
		p, err := ParseTraffic(text)
		if want == "" {
			if err == nil {
				t.Errorf("%q is taken as %q", text, p)
			}
			continue
		}
		if err != nil || p.String() != want {
			t.Errorf("%q is %q, %v; want %q", text, p, err, want)
		}
		if again, err := ParseTraffic(p.String()); err != nil || again.String() != want {
			t.Errorf("%q is read as %q, %v", want, again, err)
		}
	}
}

// Traffic that a machine does not have is refused with the reason.
func TestTrafficRefusesMachines(t *testing.T) {
	lonely := cube(t, false, 1)
	mesh := cube(t, false, 6, 4)
	for _, c := range []struct {
		text string
		m    topology.Topology
		want string
	}{
		{"uniform", lonely, "at least two nodes"},
		{"transpose", mesh, "the same in reverse order, not [6 4]"},
		{"bit-reverse", mesh, "a power of two, not 24"},
		{"bit-complement", tree(t, 3, 2), "a power of two, not 9"},
		{"tornado", tree(t, 2, 2), "needs a mesh, torus, hypercube or HyperX"},
		{"adversarial", mesh, "a machine of several groups"},
		{"hotspot:nodes=24", mesh, "the hot node 24, and the machine nodes 0 to 23"},
		{"permutation", mesh, "no stream"},
		{"matrix:file=x", mesh, "no weight above 0"},
		{"storm", mesh, "unknown traffic"},
	} {
		if _, err := TrafficByName(c.text, c.m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	p := TrafficPattern{Name: "matrix", Matrix: Matrix{{From: 0, To: 24, Weight: 1}}}
	if _, err := p.On(mesh, false, nil); err == nil || !strings.Contains(err.Error(), "0 to 23") {
		t.Error(err)
	}
	p.Matrix = Matrix{{0, 1, 1e308}, {1, 0, 1e308}}
	if _, err := p.On(mesh, false, nil); err == nil || !strings.Contains(err.Error(), "whose sum") {
		t.Error(err)
	}
	fly := must.Have(topology.NewDragonfly(topology.DragonflyConfig{GroupRouters: 2, GlobalLinks: 1}))
	if _, err := TrafficByName("adversarial:groups=3", fly); err == nil ||
		!strings.Contains(err.Error(), "give 1 to 2") {
		t.Error(err)
	}
}
