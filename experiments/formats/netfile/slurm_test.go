package netfile_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"contend/experiments/formats/netfile"
	"contend/internal/input"
	"contend/internal/must"
	"contend/router/topology"
)

// slurmTree is one tree in both forms.
var slurmTree = map[string]string{
	"topology.conf": "# two leaves\nswitchname=root Switches=s[1-2] LinkSpeed=100\n" +
		"SwitchName=s1 Nodes=srv[9-10,1],\\\nlogin # more\nSwitchName=s2 Nodes=srv[02-03]\n",
	"topology.yaml": "---\n- topology: other\n  flatly: no\n",
	"topo.yml": "# one of two\n- topology: \"blocks\"\n  block:\n    block_sizes: [2, 4]\n    blocks:\n" +
		"      - block: b1\n        nodes: x[1-4]\n- topology: tree\n  cluster_default: true\n  tree:\n" +
		"    switches:\n      - switch: root\n        children: s[1-2]\n" +
		"      - nodes: srv[9-10,1],login\n        switch: s1\n" +
		"      - switch: s2\n        nodes: srv[02-03]\n",
}

// A tree of Slurm is a network of routers in the order of the file, with levels. Nodes are in the
// order of their names, and links are as many as nodes below.
func TestSlurmTreesAreNetworks(t *testing.T) {
	want := []string{"router 0 name root level 1 router 1 x4 router 2 x2",
		"router 1 name s1 level 0 node 0 node 3 node 4 node 5",
		"router 2 name s2 level 0 node 1 node 2"}
	for _, name := range []string{"topology.conf", "topo.yml"} {
		n, err := read(t, name, slurmTree[name])
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Lines(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		again := must.Have(netfile.Parse("", n.Lines()))
		g := must.Have(topology.NewGraph(again.Config()))
		if level, ok := g.Level(0); level != 1 || !ok {
			t.Errorf("the root is on level %d, %v", level, ok)
		}
	}
}

// Blocks of two and four base blocks are routers of levels 1 and 2; more than four have a root. At
// taper 2 a router has half as many links up as nodes below.
func TestSlurmBlocksAreNetworks(t *testing.T) {
	path := write(t, "topology.conf", "BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\n"+
		"BlockName=b3 Nodes=n[9-12]\nBlockName=b4 Nodes=n[13-16]\nBlockName=b5 Nodes=n[17-20]\n"+
		"BlockSizes=4,8,16\n")
	s := must.Have(netfile.ReadSlurm(path))
	n := must.Have(s.Network(2))
	want := []string{"name b1 level 0 node 0 node 1 node 2 node 3 router 5 x2", "name b2",
		"name b3", "name b4", "name b5 level 0 node 16 node 17 node 18 node 19 router 7 x2",
		"name b1..b2 level 1 router 8 x4", "name b3..b4 level 1 router 8 x4",
		"name b5..b5 level 1 router 9 x2", "name b1..b4 level 2 router 10 x8",
		"name b5..b5 level 2 router 10 x2", "name b1..b5 level 16"}
	for r, line := range n.Lines() {
		if !strings.Contains(line, want[r]) {
			t.Errorf("%q, want %q", line, want[r])
		}
	}
	if !s.Blocks() || s.BlockSize() != 4 || netfile.Hostlist(s.Nodes()) != "n[1-20]" {
		t.Errorf("blocks %v of %d, nodes %s", s.Blocks(), s.BlockSize(), netfile.Hostlist(s.Nodes()))
	}
}

// Two switches above the same leaves share the links of those.
func TestSlurmSwitchesShareLinks(t *testing.T) {
	_, err := read(t, "t.conf", "SwitchName=a Nodes=n[1-8]\nSwitchName=b Nodes=n[9-16]\n"+
		"SwitchName=u Switches=a,b\nSwitchName=v Switches=[a,b]\n")
	if err == nil || !strings.Contains(err.Error(), `t.conf:4: "a" is no number or range of numbers`) {
		t.Error(err)
	}
	n, err := read(t, "t.conf", "SwitchName=a Nodes=n[1-8]\nSwitchName=b Nodes=n[9-16]\n"+
		"SwitchName=u Switches=a,b\nSwitchName=v Switches=a,b\n")
	if err != nil || !strings.HasSuffix(n.Lines()[0], "router 2 x4 router 3 x4") {
		t.Error(n.Lines(), err)
	}
}

func TestFaultsOfSlurmFiles(t *testing.T) {
	for _, k := range []struct{ name, text, want string }{
		{"a.conf", "", "a.conf: there is no switch and no block: give lines such as: SwitchName=s0 Nodes="},
		{"a.conf", "SwitchName=a Nodes=n1\nSpeed=3", "a.conf:2: Speed=3 has no meaning here"},
		{"a.conf", "SwitchName=a", "a.conf:1: switch a has both or none of nodes and switches below it"},
		{"a.conf", "SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2", "a.conf:2: switch a is defined twice"},
		{"a.conf", "SwitchName=a Nodes=n1\nBlockName=b Nodes=n2",
			"a.conf:2: there are switches and blocks"},
		{"a.conf", "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1",
			"a.conf:2: node n1 is below two of them"},
		{"a.conf", "SwitchName=a Nodes=n1\nSwitchName=b Switches=c",
			"a.conf:2: switch b has the child c"},
		{"a.conf", "SwitchName=a Nodes=n1\nSwitchName=b Switches=a,c\nSwitchName=c Switches=b",
			"a.conf: the switches are no tree: let no switch be above itself"},
		{"a.conf", "SwitchName=a Nodes=n[3-1]", `a.conf:1: "3-1" is no number or range of numbers`},
		{"a.conf", "SwitchName=a Nodes=n[1", `a.conf:1: "n[1" has no ] behind its [`},
		{"a.conf", "SwitchName=a Nodes=n]1", `a.conf:1: "n]1" has a ] out of place`},
		{"a.conf", "SwitchName=a Nodes=n[0-9999999]", "a.conf:1: there are more than 1048576 names"},
		{"a.conf", "BlockName=a Nodes=n1\nBlockSizes=4,12",
			"a.conf:2: block size 12 is 3 times 4: give a " +
				"power of two times the first size"},
		{"a.conf", "BlockName=a", "a.conf:1: block a has no nodes"},
		{"topology.yaml", slurmTree["topology.yaml"],
			`topology.yaml:3: "flatly: no" has no meaning here`},
		{"a.yaml", "- topology: a\n  tree:\n    switches:\n      - switch: s\n        speed: 3\n",
			`a.yaml:5: "speed: 3" has no meaning here`},
		{"a.yaml", "- topology: a\n- topology: b\n",
			"a.yaml: there are 2 topologies: say cluster_default: " +
				"true of one"},
	} {
		_, err := read(t, k.name, k.text)
		var bad *input.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), "/"+k.want) {
			t.Errorf("%q: %v, want %s", k.text, err, k.want)
		}
	}
}
