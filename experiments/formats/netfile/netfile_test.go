package netfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments/formats/netfile"
	"contend/internal/input"

	"contend/router/topology"
)

// read writes a text to a file and reads it.
func read(t *testing.T, name, text string) (*netfile.Network, error) {
	t.Helper()
	return netfile.ReadFile(write(t, name, text), input.DecodeTOML)
}

// write writes a text to a file of a folder of its own.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// triangle is one network in both forms: two links from a to b, three cycles from b to c and
// five back.
var triangle = map[string]string{
	"net.anynet": "router 0 name a group 0 node 0 node 1 router 1 x2 router 2\n\n" +
		"router 1 name b group 1 router 2 3 # a comment\nnode 2 router 2\n" +
		"router 2 name c group 1 router 1 5\n",
	"net.toml": `[[routers]]
name = "a"
nodes = 2
group = 0
[[routers]]
name = "b"
nodes = 0
group = 1
[[routers]]
name = "c"
group = 1
[[links]]
from = "a"
to = "b"
count = 2
[[links]]
from = "c"
to = "b"
cycles = 5
back = 3
[[links]]
from = "a"
to = "c"
`,
}

var triangleLines = []string{"router 0 name a group 0 node 0 node 1 router 1 x2 router 2",
	"router 1 name b group 1 router 2 3", "router 2 name c group 1 node 2 router 1 5"}

// Both forms say the same, and what Lines writes is read as the same again.
func TestFormsSayTheSame(t *testing.T) {
	for name, text := range triangle {
		n, err := read(t, name, "\ufeff"+text) // as some editors begin
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := n.Lines(); !slices.Equal(got, triangleLines) {
			t.Errorf("%s: %q, want %q", name, got, triangleLines)
		}
		again, err := netfile.Parse("", n.Lines())
		if err != nil || !slices.Equal(again.Lines(), triangleLines) {
			t.Errorf("%s: read again %q, %v", name, again.Lines(), err)
		}
		m, err := topology.NewGraph(n.Config())
		if err != nil {
			t.Fatal(err)
		}
		if m.Nodes() != 3 || m.Links(0) != 3 || m.LinkCycles(1, 2) != 3 || m.LinkCycles(2, 1) != 5 ||
			m.Group(2) != 1 || m.Label(1) != "b" {
			t.Errorf("%s: %d nodes, %d links, %d and %d cycles, group %d, label %s", name, m.Nodes(),
				m.Links(0), m.LinkCycles(1, 2), m.LinkCycles(2, 1), m.Group(2), m.Label(1))
		}
	}
}

// Links have widths of their own in each direction, in both forms.
func TestLinksHaveWidths(t *testing.T) {
	want := []string{"router 0 name a node 0 router 1 3 f4 x2", "router 1 name b node 1 router 0 f2"}
	for name, text := range map[string]string{
		"a":      "router 0 name a node 0 router 1 f4 3 x2\nrouter 1 name b node 1 router 0 f2\n",
		"a.toml": "[[links]]\nfrom='a'\nto='b'\ncount=2\ncycles=3\nflit_cycles=4\nback_flit_cycles=2\n",
	} {
		n, err := read(t, name, text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := n.Lines(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// BookSim's own example of an anynet file has this form: links at one end or at both.
func TestLinksOfAnynetAreBothWays(t *testing.T) {
	n, err := netfile.Parse("", []string{"router 0 node 0 router 1", "router 1 node 1 router 0 7",
		"router 2 node 2 router 1 router 0 4"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"router 0 node 0 router 1 router 2", "router 1 node 1 router 0 7 router 2",
		"router 2 node 2 router 0 4"}
	if got := n.Lines(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Parallel links count each: a short text could otherwise stand for more than fit in memory.
func TestParallelLinksAreBounded(t *testing.T) {
	lines := []string{"router 0 node 0"}
	for r := range 5000 { // as many links as there may be between each two of a chain of routers
		lines = append(lines, fmt.Sprintf("router %d router %d x1024", r, r+1))
	}
	_, err := netfile.Parse("a", lines)
	if err == nil || err.Error() != "a:4098: there are more than 4194304 links: give fewer" {
		t.Error(err)
	}
}

// What is refused names the line and what would be right.
func TestFaultsNameTheirLines(t *testing.T) {
	for _, k := range []struct{ name, text, want string }{
		{"a", "router 0 node 0\nswitch 1", `a:2: the line begins with "switch": give lines such as: ` +
			`router 0 node 0 node 1 router 1`},
		{"a", "router 0 node", `a:1: the line ends behind "node": give lines such as`},
		{"a", "router x", `a:1: router is "x": give a number from 0 behind router`},
		{"a", "router 0 node 0 router 0", "a:1: there is a link from router 0 to itself: leave it out"},
		{"a", "router 0 node 0\nrouter 1 node 0", "a:2: node 0 hangs on router 0, and on router 1: " +
			"a node hangs on one router of each rail"},
		{"a", "router 0 node 0\nrouter 1 node 0 rail 2", "a: no node hangs on a router of rail 1: " +
			"number rails from 0 without a gap"},
		{"a", "router 0 node 0 node 1\nrouter 1 rail 1 node 0", "a: there are 2 nodes on rail 0, and 1 " +
			"on rail 1: hang every node on a router of each rail"},
		{"a", "router 0 node 0 router 1 f3\nrouter 0 router 1 f4", "a:2: a flit of the link from " +
			"router 0 to router 1 takes 3 cycles, and 4: give one of them"},
		{"a.toml", "[[links]]\nfrom='a'\nto='b'\nflit_cycles=65536\n", "a.toml: links[0]: a flit of a " +
			"link takes 65536 cycles: at most 65535"},
		{"a", "router 0 rail 64", "a:1: a router belongs to rail 64, and there are at most 64: give"},
		{"a.toml", "[[routers]]\nname='a'\n[[routers]]\nname='a'\nnodes=3\n", "a.toml: routers[1]: " +
			"router a is described twice: give it once"},
		{"a.toml", "[[routers]]\nname='a'\nnodes='x'\n", "a.toml: routers[0]: nodes is x: give a " +
			"number from 0 to"},
		{"a.toml", "[[routers]]\nname='a b'\n", `a.toml: routers[0]: "a b" is not the name of a router`},
		{"a.toml", "[[links]]\nfrom='a'\nto='b'\ncount=-1\n", "a.toml: links[0]: count is -1: give a " +
			"number from 1 to"},
		{"a.toml", "[[links]]\nfrom='a'\n", `a.toml: links[0]: "" is not the name of a router`},
		{"a.toml", "links = 3\n", "a.toml: links is no array of tables: give [[routers]]"},
		{"a", "node 0 node 1", "a:1: node 0 is joined with node 1: nodes hang on routers"},
		{"a", "router 0 node 0 3", "a:1: the link to a node takes 3 cycles"},
		{"a", "router 0 node 0 router 2", "a: there is no router 1: number routers from 0 without a gap"},
		{"a", "router 0 node 1", "a: there is no node 0: number nodes from 0 without a gap"},
		{"a", "router 0", "a: there is no node: hang nodes on routers"},
		{"a", "", "a: there is no router: name a router"},
		{"a", "router 0 node 0 router 1 3\nrouter 0 router 1 4", "a:2: the link from router 0 to " +
			"router 1 takes 3 cycles, and 4: give one of them"},
		{"a", "router 0 node 0 router 1 x0", "a:1: there are 0 parallel links: give 1 to 1024"},
		{"a", "router 0 node 0 router 1 99999999", "a:1: a link takes 99999999 cycles: at most 1048576"},
		{"a", "router 99999999", "a:1: there is a router 99999999: routers are 0 to 1048575"},
		{"a.toml", "[[links]]\nfrom='a'\nto='b'\n[[links]]\nfrom='b'\nto='a'\n[[links]]\nfrom='a'\n" +
			"to='b'\n", "a.toml: links[2]: the link from a to b is given twice: give it once, with count"},
		{"a.toml", "[[links]]\nfrom='a'\nto='b'\ncount=3\n[[links]]\nfrom='b'\nto='a'\ncount=2\n",
			"a.toml: links[1]: 3 links and 2 join router 0 and router 1: give one of them"},
		{"a", "router 0 node 0 router 1 x2\nrouter 1 router 0 x3", "a:2: 2 links and 3 join router 0 " +
			"and router 1: give one of them"},
		{"a.toml", "[[links]]\nfrom = \"a\"\nto = \"b\"\nlength = 2\n", `a.toml: links[0]: there is a ` +
			`field "length": it is none of from, to, count`},
		{"a.toml", "speed = 3\n", `a.toml: there is a key "speed": give [[routers]]`},
	} {
		_, err := read(t, k.name, k.text)
		var bad *input.Error
		if !errors.As(err, &bad) {
			t.Errorf("%q: %v is no fault of a file", k.text, err)
			continue
		}
		if got := err.Error(); !strings.Contains(got, "/"+k.want) {
			t.Errorf("%q: %s, want %s", k.text, got, k.want)
		}
	}
}

// No text makes the readers fail in another way, and what they read is a network whose lines are
// read as the same.
func FuzzReadFile(f *testing.F) {
	forms := []string{".anynet", ".toml", ".conf", ".yaml"}
	f.Add(uint8(2), slurmTree["topology.conf"])
	f.Add(uint8(3), slurmTree["topo.yml"])
	for name, text := range triangle {
		f.Add(uint8(slices.Index(forms, filepath.Ext(name))), text)
	}
	f.Fuzz(func(t *testing.T, k uint8, text string) {
		n, err := read(t, "net"+forms[int(k)%len(forms)], text)
		if err != nil {
			return
		}
		again, err := netfile.Parse("", n.Lines())
		if err != nil {
			t.Fatalf("%q: %v", n.Lines(), err)
		}
		if !slices.Equal(again.Lines(), n.Lines()) {
			t.Errorf("%q is read as %q", n.Lines(), again.Lines())
		}
	})
}
