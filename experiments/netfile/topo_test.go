package netfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments/netfile"
	"contend/internal/bounded"
	"contend/netsim/topology"
)

// pods is a tree of three tiers, with a bundle of two slower links below the last one.
const pods = `# eight nodes
Nodes 8
Tiers 3
Podsize 4

Tier 0
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 2
Downlink_Latency_ns 500
Oversubscribed 1

Tier 1
Downlink_speed_Gbps 200
Radix_Down 2
Radix_Up 4
Downlink_Latency_ns 800
Bundle 1

Tier 2
Downlink_speed_Gbps 100
Radix_Down 4
Downlink_Latency_ns 1000
Bundle 2
`

func readTopo(t *testing.T, text string) (*netfile.Tiers, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.topo")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return netfile.ReadTopo(path)
}

// The shape, by hand: four leaves and four routers above them in two pods, four at the top. Four
// routers of a pod half have two ports to each of two at the top, so 8 links of 100 Gb/s lead
// from one half of the nodes to the other.
func TestTiersByHand(t *testing.T) {
	k, err := readTopo(t, pods)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v", *k)
	if want := "{Config:{Children:[2 2 2] Parents:[2 2] Bundle:[1 2] Rails:0 Nodes:0} " +
		"Speeds:[200 200 100] Latencies:[500 800 1000] SwitchLatency:0}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m, err := topology.NewFatTree(k.Config)
	if err != nil {
		t.Fatal(err)
	}
	top, cut := topology.Router(8), 0
	for r := range top {
		for p := range topology.Port(m.Ports()) {
			if to, _, ok := m.Peer(r, p); ok && to >= top && r < 6 { // of the first pod
				cut++
			}
		}
	}
	if m.Routers() != 12 || cut != 8 {
		t.Errorf("%d routers, %d links between the halves, want 12 and 8", m.Routers(), cut)
	}
}

// What cannot be honoured is refused with its line.
func TestTiersThatAreRefused(t *testing.T) {
	for _, k := range []struct{ old, with, want string }{
		{"Podsize 4", "Podsize 2", "a.topo:4: the pod size is 2, and 4 nodes are below a router of " +
			"tier 1: give 4"},
		{"Nodes 8", "Nodes 16", "a.topo:2: there are 16 nodes, and the routers down have room for 8: " +
			"give 8"},
		{"Tiers 3", "Tiers 4", "a.topo:3: there are 4 tiers: give 2 or 3"},
		{"Tiers 3", "Tiers 2", "a.topo:3: of 2 tiers there are 3"},
		{"Radix_Up 2", "Queue_Up 100", "a.topo:9: Queue_Up is the size of a queue behind a router"},
		{"Radix_Up 2", "Radix_Up 3", "a.topo:11: tier 0 is said to be oversubscribed 1 to 1, and has " +
			"400 Gb/s down and 600 Gb/s up"},
		{"Radix_Up 4", "Radix_Up 3", "a.topo:16: the 3 ports up of tier 1 are no multiple of the " +
			"bundle of 2 of tier 2"},
		{"Radix_Down 4", "Radix_Down 3", "a.topo:22: the 3 ports down of tier 2 are no multiple of its " +
			"bundle of 2"},
		{"Bundle 2", "Switch_Latency_ns 40", "a.topo:24: routers of tier 2 take other times than those " +
			"of tier 0"},
		{"Bundle 2", "Radix_Up 2", "a.topo:24: no router is above those of the last tier: leave it out"},
		{"Bundle 2", "Colour 2", "a.topo:24: Colour is not known here: give one of downlink_speed_gbps"},
		{"Bundle 2", "Bundle two", `a.topo:24: Bundle is "two": give a number from 0`},
		{"Bundle 2", "Bundle", "a.topo:24: this is no name with a number: give lines such as"},
		{"Bundle 2", "Radix_Down 4", "a.topo:24: Radix_Down is given twice: give it once"},
		{"Tier 1", "Tier 2", "a.topo:13: this is tier 2: tier 1 comes here"},
		{"Downlink_Latency_ns 1000", "", "a.topo: tier 2 has no downlink_latency_ns: give a number " +
			"from 1"},
		{"Oversubscribed 1", "Bundle 2", "a.topo:11: a bundle leads to each node: give 1"},
		{"Podsize 4", "", "a.topo: there is no podsize: give it before the first tier"},
	} {
		_, err := readTopo(t, strings.Replace(pods, k.old, k.with, 1))
		var bad *bounded.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), "/"+k.want) {
			t.Errorf("%s for %s: %v, want %s", k.with, k.old, err, k.want)
		}
	}
}

// No text makes the reader fail in another way, and what it reads is a tree of as many nodes.
func FuzzReadTopo(f *testing.F) {
	f.Add(pods)
	f.Fuzz(func(t *testing.T, text string) {
		k, err := readTopo(t, text)
		if err != nil {
			return
		}
		if m, err := topology.NewFatTree(k.Config); err == nil && len(k.Speeds) != m.Levels() {
			t.Errorf("%+v has speeds for %d levels", *k, len(k.Speeds))
		}
		if slices.Min(k.Speeds) < 1 || slices.Min(k.Latencies) < 1 {
			t.Errorf("%+v", *k)
		}
	})
}
