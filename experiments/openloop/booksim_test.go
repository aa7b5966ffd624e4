package openloop_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments/openloop"
)

func readBookSim(t *testing.T, text string) (*openloop.BookSim, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return openloop.ReadBookSim(path)
}

// The configuration of the study booksim gives its keys.
func TestBookSimOfTheStudy(t *testing.T) {
	b, err := readBookSim(t, `// a comment
topology = torus; k = 8; n = 2;
routing_function = dim_order;
use_noc_latency = 0; num_vcs = 2; vc_buf_size = 8;
vc_allocator = piggyback; speculative = 1;
routing_delay = 0; packet_size = 8; injection_rate = 0.3; injection_rate_uses_flits = 1;
sample_period = 2000;
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range [][2]string{{"machine.topology", "torus"}, {"machine.dims", "[8, 8]"},
		{"network.routing", "balanced-dateline"}, {"network.routing_cycles", "0"},
		{"network.link_cycles", "3"}, {"network.credit_cycles", "2"}, {"network.buffer_flits", "8"},
		{"network.packet_flits", "8"}, {"job.flits", "8"}, {"network.virtual_channels", "2"},
		{"network.headers_yield", "true"}, {"network.node_virtual_channels", "0"}} {
		if !slices.Contains(b.Keys, want) {
			t.Errorf("%s is not %s in %v", want[0], want[1], b.Keys)
		}
	}
	if b.Load != 0.3 || b.Traffic != "uniform" || len(b.Lost) > 0 {
		t.Errorf("load %v, traffic %s, lost %q", b.Load, b.Traffic, b.Lost)
	}
}

// Every topology becomes one of this program; the load of packets is one of flits.
func TestBookSimTopologies(t *testing.T) {
	for text, want := range map[string]string{
		"topology = mesh; k = 4; n = 3; routing_function = dor;": "mesh [4, 4, 4] dimension-order",
		"topology = cmesh; k = 4; c = 4; routing_function = dor_no_express; use_noc_latency = 0;": "" +
			"mesh [4, 4] 4 dimension-order",
		"topology = fattree; k = 4; n = 3; routing_function = nca;": "tree 4 3 random",
		"topology = flatfly; k = 4; n = 2; c = 4; use_noc_latency = 0; routing_function = ran_min;": "" +
			"hyperx [4, 4] 4 dimension-order",
	} {
		b, err := readBookSim(t, text+"packet_size = 4; injection_rate = 0.1;")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, k := range b.Keys {
			if k[0] == "network.routing" || strings.HasPrefix(k[0], "machine.") && k[1] != "1" {
				got = append(got, k[1])
			}
		}
		if text := strings.Join(got, " "); text != want || b.Load != 0.4 || len(b.Lost) > 0 {
			t.Errorf("%s: %s at load %v, lost %q, want %s", text, got, b.Load, b.Lost, want)
		}
	}
}

// With one virtual channel an input port has nothing to share, whatever its speedup.
func TestBookSimSpeedupOfOneVirtualChannel(t *testing.T) {
	for vcs, want := range map[string]bool{"1": false, "2": true} {
		b, err := readBookSim(t, "topology = mesh; routing_function = dor; input_speedup = 2; num_vcs = "+
			vcs+";")
		if err != nil {
			t.Fatal(err)
		}
		set := slices.Contains(b.Keys, [2]string{"network.input_speedup", "2"})
		if set != want || len(b.Lost) > 0 {
			t.Errorf("%s virtual channels: network.input_speedup = 2 is set: %t, lost %q", vcs, set, b.Lost)
		}
	}
}

// What nothing here stands for is listed with its line.
func TestBookSimListsWhatIsLost(t *testing.T) {
	b, err := readBookSim(t, `topology = dragonflynew;
k = 2; n = 1;
routing_function = ugal;
internal_speedup = 2.0;
wait_for_tail_credit = 1;
speed = 3;
`)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"config:3: routing_function = ugal", "config:4: internal_speedup = 2.0",
		"config:5: wait_for_tail_credit = 1", "config:6: speed = 3"}
	if want := [2]string{"network.class_link_cycles", "[12, 102]"}; !slices.Contains(b.Keys, want) {
		t.Errorf("local links of 10 cycles and global ones of 100 are not in %v", b.Keys)
	}
	if len(b.Lost) != len(lines) {
		t.Fatalf("lost %q", b.Lost)
	}
	for i, want := range lines {
		if !strings.Contains(b.Lost[i], want) {
			t.Errorf("%s, want %s", b.Lost[i], want)
		}
	}
}

func TestBookSimFaults(t *testing.T) {
	for text, want := range map[string]string{
		"topology = qtree;":                     "config:1: topology is qtree: this program has mesh",
		"topology = mesh;\n\nk = x;":            "config:3: k is x: give a number from 1",
		"k = 4":                                 "config:1: the setting has no semicolon at its end",
		"k = 4;\nn 2;":                          "config:2: this is no setting: give lines such as",
		"topology = anynet;":                    "config: network_file is not given",
		"topology = mesh; traffic = shuffle;":   "config:1: traffic is shuffle",
		"topology = mesh;\ninjection_rate = 2;": "config:2: injection_rate is 2: give a number above 0",
		"topology = dragonflynew; n = 2;":       "config:1: n is 2, and groups of dragonflynew have one",
		"topology = mesh; packet_size = 20;":    "config: injection_rate is 0.1 packets",
		"topology = mesh;\ninput_speedup = x;":  "config:2: input_speedup is x: give a number from 1",
	} {
		_, err := readBookSim(t, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
