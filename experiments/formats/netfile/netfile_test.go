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
	"contend/internal/must"
	"contend/internal/story"
	"contend/router/topology"
)

// read writes a text to a file and reads it.
func read(t *testing.T, name, text string) (*netfile.Network, error) {
	t.Helper()
	return netfile.ReadFile(write(t, name, text))
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

// TestNetworks reads the files of testdata. A story has the name of a file and its text; what
// happens is the lines of the network, which are read as the same again, or the error.
func TestNetworks(t *testing.T) {
	story.Run(t, "testdata/*.txt", func(t *testing.T, given []string) string {
		path := write(t, given[0], strings.Join(given[1:], "\n"))
		n, err := netfile.ReadFile(path)
		var bad *input.Error
		switch {
		case errors.As(err, &bad):
			return strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", "")
		case err != nil:
			t.Errorf("%v is no error of a file", err)
			return ""
		}
		again, err := netfile.Parse("", n.Lines())
		if err != nil || !slices.Equal(again.Lines(), n.Lines()) {
			t.Errorf("%q is read as %q, %v", n.Lines(), again.Lines(), err)
		}
		return strings.Join(n.Lines(), "\n")
	})
}

// The topology of a network has its nodes, links, times, groups, levels and names.
func TestConfig(t *testing.T) {
	n := must.Have(netfile.Parse("", []string{
		"router 0 name a group 0 level 1 node 0 node 1 router 1 x2 router 2",
		"router 1 name b group 1 router 2 3", "router 2 name c group 1 level 2 node 2 router 1 5"}))
	m := must.Have(topology.NewGraph(n.Config()))
	level, _ := m.Level(2)
	if m.Nodes() != 3 || m.Links(0) != 3 || m.LinkCycles(1, 2) != 3 || m.LinkCycles(2, 1) != 5 ||
		m.Group(2) != 1 || level != 2 || m.Label(1) != "b" {
		t.Errorf("%d nodes, %d links, %d and %d cycles, group %d, level %d, label %s", m.Nodes(),
			m.Links(0), m.LinkCycles(1, 2), m.LinkCycles(2, 1), m.Group(2), level, m.Label(1))
	}
}

// At taper 2 a router has half as many links up as nodes below.
func TestTaper(t *testing.T) {
	path := write(t, "topology.conf", "BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\n"+
		"BlockSizes=4,8\n")
	s := must.Have(netfile.ReadSlurm(path))
	n := must.Have(s.Network(must.Have(netfile.ParseTapers("2"))))
	want := "router 1 name b2 level 0 node 4 node 5 node 6 node 7 router 2 x2"
	if n.Lines()[1] != want {
		t.Errorf("%q, want %s", n.Lines(), want)
	}
	if !s.Blocks() || s.BlockSize() != 4 || netfile.Hostlist(s.Nodes()) != "n[1-8]" {
		t.Errorf("blocks %v of %d, nodes %s", s.Blocks(), s.BlockSize(), netfile.Hostlist(s.Nodes()))
	}
}

// Tapers of three levels by hand: leaves of 8 and of 4 nodes with tapers of 2 and of 4 for one of
// them, then 4+2 and 2 links up from pods whose taper is 3. Without it they have as many up as down.
func TestTapersOfLevelsAndSwitches(t *testing.T) {
	path := write(t, "topology.conf", "SwitchName=s1 Nodes=n[1-8]\nSwitchName=s2 Nodes=n[9-12]\n"+
		"SwitchName=s3 Nodes=n[13-20]\nSwitchName=p Switches=s[1-2]\nSwitchName=q Switches=s3\n"+
		"SwitchName=top Switches=p,q\n")
	s := must.Have(netfile.ReadSlurm(path))
	for text, want := range map[string]string{
		"2,3":          "router 3 x4/router 3 x2/router 4 x4/router 5 x2/router 5 x2",
		"2,3,s3=4":     "router 3 x4/router 3 x2/router 4 x2/router 5 x2/router 5",
		"2":            "router 3 x4/router 3 x2/router 4 x4/router 5 x6/router 5 x4",
		"1,1,s[1-2]=2": "router 3 x4/router 3 x2/router 4 x8/router 5 x6/router 5 x8",
	} {
		lines := must.Have(s.Network(must.Have(netfile.ParseTapers(text)))).Lines()
		var up []string
		for _, line := range lines[:5] {
			up = append(up, line[strings.LastIndex(line, "router"):])
		}
		if got := strings.Join(up, "/"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"2,1,1": "tapers of 3 levels, and 2 with links up", "d=2": "a taper of d, and no such switch",
		"top=2": "taper of top, which has no links up", "a": `"a" is no number from 1 to 1024`,
		"0.5": "is no number", "": "has no number", "a[1=2": "",
	} {
		tapers, err := netfile.ParseTapers(text)
		if err == nil {
			_, err = s.Network(tapers)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
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

// No text of YAML takes much time or memory: neither one that is nested deep, nor aliases that stand
// for more than a file has, nor a large file.
func TestBombsOfYAML(t *testing.T) {
	switches := "- topology: t\n  flat: true\n  tree: &t\n    switches: &l\n"
	for i := range 1000 {
		switches += fmt.Sprintf("    - {switch: s%d, nodes: n%d}\n", i, i)
	}
	laughs := "- &a0 {topology: t}\n"
	for i := range 60 {
		laughs += fmt.Sprintf("- &a%d [%s]\n", i+1, strings.Repeat(fmt.Sprintf("*a%d,", i), 9))
	}
	for text, want := range map[string]string{
		strings.Repeat("[", 100_000):                     "exceeded max depth of 10000",
		strings.Repeat("- ", 100_000):                    "exceeded max depth of 10000",
		"- " + strings.Repeat("{topology: ", 9000) + "t": "did not find expected",
		laughs: "topologies[1] is a list",
		strings.Replace(switches, "  flat: true\n", "", 1) +
			strings.Repeat("- {topology: t, tree: *t}\n", 400): "there are more than 1048576 values",
		strings.Repeat("# comment\n", 500_000): "has 4.768 MiB: at most 4 MiB are read",
	} {
		_, err := read(t, "a.yaml", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
}

// No text makes the readers fail in another way, and what they read is a network whose lines are
// read as the same.
func FuzzReadFile(f *testing.F) {
	forms := []string{".anynet", ".toml", ".conf", ".yaml"}
	for i, text := range []string{"router 0 name a group 0 node 0 router 1 x2 3 f4\nnode 1 router 1\n",
		"[[routers]]\nname = 'a'\nrail = 1\n[[links]]\nfrom = 'a'\nto = 'b'\ncount = 2\nback = 3\n",
		"switchname=root Switches=s[1-2]\nSwitchName=s1 Nodes=srv[9-10,1]\nSwitchName=s2 Nodes=a\n",
		"- topology: t\n  block:\n    block_sizes: [2]\n    blocks:\n      - block: b\n" +
			"        nodes: x[1-4]\n",
		"", "", "",
		"- {topology: t, tree: &t {switches: [&s {switch: s1, nodes: \"n[1-2]\"}]}}\n" +
			"- {topology: u, cluster_default: true, tree: *t}\n",
	} {
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, k uint8, text string) {
		n, err := read(t, "net"+forms[int(k)%len(forms)], text)
		var bad *input.Error
		if errors.As(err, &bad) {
			return
		}
		if err != nil {
			t.Fatal(err)
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
