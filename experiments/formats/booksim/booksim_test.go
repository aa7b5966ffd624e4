package booksim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/experiments/formats/booksim"
)

func read(t *testing.T, text string) (*booksim.Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return booksim.Read(path)
}

// The configuration of the study booksim gives its keys.
func TestBookSimOfTheStudy(t *testing.T) {
	b, err := read(t, `// a comment
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
		{"network.headers_yield", "true"}, {"network.switch_allocator", "islip"}} {
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
		b, err := read(t, text+"packet_size = 4; injection_rate = 0.1;")
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
		b, err := read(t, "topology = mesh; routing_function = dor; input_speedup = 2; num_vcs = "+
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

// Routings over drawn routers are those of this program, with what differs.
func TestBookSimDetours(t *testing.T) {
	const flatfly = "topology = flatfly; use_noc_latency = 0; packet_size = 4; routing_function = "
	for text, want := range map[string]string{
		flatfly + "valiant; num_vcs = 4;": "valiant 1 0",
		flatfly + "valiant; num_vcs = 3;": "valiant 1 1",
		flatfly + "ugal; num_vcs = 4;":    "ugal 0 1",
		"topology = dragonflynew; n = 1; packet_size = 4; routing_function = ugal; num_vcs = 3;": "" +
			"ugal-l 0 1",
	} {
		b, err := read(t, text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, k := range b.Keys {
			if k[0] == "network.routing" {
				got = fmt.Sprint(k[1], " ", len(b.Notes), " ", len(b.Lost))
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s: notes %q, lost %q", text, got, want, b.Notes, b.Lost)
		}
	}
}

// BookSim's min of a dragonfly has one virtual channel before the global link and one behind it.
func TestBookSimDragonflyTakesTwoVirtualChannels(t *testing.T) {
	for text, want := range map[string]string{"min; num_vcs = 3;": "2 1", "min; num_vcs = 2;": "2 0",
		"ugal; num_vcs = 3;": "3 0"} {
		b, err := read(t, "topology = dragonflynew; n = 1; packet_size = 4; routing_function = "+
			text)
		if err != nil {
			t.Fatal(err)
		}
		channels := ""
		for _, k := range b.Keys {
			if k[0] == "network.virtual_channels" {
				channels = k[1]
			}
		}
		if got := fmt.Sprint(channels, " ", len(b.Notes)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What nothing here stands for is listed with its line.
func TestBookSimListsWhatIsLost(t *testing.T) {
	b, err := read(t, `topology = dragonflynew;
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
		"topology = mesh; traffic = diagonal;":  "config:1: traffic is diagonal: this program has",
		"topology = mesh;\nst_final_delay = 0;": "config:2: st_prepare_delay and st_final_delay are 0",
		"topology = mesh;\nvc_allocator = piggyback;": "" +
			"config:2: vc_allocator is piggyback, which needs speculative",
		"topology = mesh;\ninjection_rate = 2;": "config:2: injection_rate is 2: give a number above 0",
		"topology = dragonflynew; n = 2;":       "config:1: n is 2, and groups of dragonflynew have one",
		"topology = mesh; packet_size = 20;":    "config: injection_rate is 0.1 packets",
		"topology = mesh;\ninput_speedup = x;":  "config:2: input_speedup is x: give a number from 1",
		"topology = mesh;\nvc_allocator = banana;": "" +
			"config:2: vc_allocator is banana: give one of piggyback, islip,",
		"topology = mesh;\nsw_allocator = banana;": "" +
			"config:2: sw_allocator is banana: give one of islip,",
		"topology = mesh;\nsw_allocator = piggyback;": "" +
			"config:2: sw_allocator is piggyback: give one of islip,",
	} {
		_, err := read(t, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestBookSimTrafficFaults(t *testing.T) {
	for text, want := range map[string]string{
		"topology = flatfly; c = 4; traffic = bitrev;": "the 4 nodes of a router of flatfly by",
		"topology = fattree; traffic = tornado;":       "config:1: traffic is tornado: give it on mesh",
		"traffic = bad_dragon;":                        "give bad_dragon on dragonflynew",
		"traffic = hotspot;":                           "name the hot nodes, as in hotspot({{0,9}})",
		"traffic = hotspot({});":                       "name the hot nodes",
		"traffic = hotspot({{0,9},{1,2}});":            "give all hot nodes the same rate",
		"injection_process = poisson;":                 "this program has bernoulli and on_off",
		"\nburst_beta = 2;":                            "config:2: burst_beta is 2: give a number",
		"injection_process = on_off({0.1,0});":         "give burst_alpha and burst_beta above 0",
	} {
		if !strings.Contains(text, "topology") {
			text = "topology = mesh;" + text
		}
		_, err := read(t, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Nodes send where BookSim has them send, to themselves too, and in its bursts.
func TestBookSimTraffic(t *testing.T) {
	self := [2]string{"workload.self_messages", "true"}
	for _, c := range []struct {
		text, want string
		keys       [][2]string
	}{
		{"topology = mesh; traffic = transpose;", "transpose", [][2]string{self}},
		{"topology = mesh; n = 3; k = 4; traffic = transpose;", "bit-transpose", [][2]string{self}},
		{"topology = fattree; n = 2; k = 4; traffic = transpose;", "bit-transpose", [][2]string{self}},
		{"topology = mesh; traffic = bitrev;", "bit-reverse", [][2]string{self}},
		{"topology = mesh; traffic = shuffle;", "shuffle", [][2]string{self}},
		{"topology = torus; traffic = tornado;", "tornado", nil},
		{"topology = mesh; traffic = hotspot(5);", "hotspot:nodes=5,share=1", [][2]string{self}},
		{"topology = mesh; traffic = hotspot({{5,10},{2}});", "hotspot:nodes=5/10,share=1",
			[][2]string{self}},
		{"topology = dragonflynew; k = 2; n = 1; traffic = bad_dragon;", "adversarial", nil},
		{"topology = mesh; injection_process = on_off; burst_alpha = 0.02; burst_beta = 0.08;",
			"uniform", [][2]string{{"workload.burst_cycles", "12.5"}, {"workload.burst_share", "0.2"}}},
		{"topology = mesh; injection_process = on_off({0.25,0.25});", "uniform",
			[][2]string{{"workload.burst_cycles", "4"}, {"workload.burst_share", "0.5"}}},
	} {
		b, err := read(t, c.text+"routing_function = dor;")
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range c.keys {
			if !slices.Contains(b.Keys, k) {
				t.Errorf("%s: %s is not %s in %v", c.text, k[0], k[1], b.Keys)
			}
		}
		if has := slices.Contains(b.Keys, self); has != slices.Contains(c.keys, self) &&
			c.want != "uniform" || b.Traffic != c.want {
			t.Errorf("%s: traffic %s, to themselves %t", c.text, b.Traffic, has)
		}
	}
}

// Headers yield where they ask for the switch speculatively. Stages of several cycles and
// buffers in which a node's flits wait are not BookSim's, which is said with the line.
func TestBookSimRouter(t *testing.T) {
	for text, want := range map[string]string{
		"speculative = 1; vc_allocator = piggyback;":                    "true 1 []",
		"speculative = 1; num_vcs = 2;":                                 "true 1 [speculative]",
		"speculative = 1; num_vcs = 2; packet_size = 4;":                "true 1 []",
		"speculative = 1; num_vcs = 3;":                                 "true 1 [speculative]",
		"speculative = 0;":                                              "false 2 []",
		"vc_alloc_delay = 2;":                                           "false 3 [vc_alloc_delay]",
		"speculative = 1; vc_allocator = piggyback; routing_delay = 2;": "true 2 [routing_delay]",
		"sw_alloc_delay = 2;":                                           "false 2 [sw_alloc_delay]",
		"st_prepare_delay = 1; st_final_delay = 0;":                     "false 2 []",
		"st_prepare_delay = 1;":                                         "false 2 [st_prepare_delay]",
		"st_final_delay = 2;":                                           "false 2 [st_final_delay]",
		"num_vcs = 2; vc_buf_size = 2;":                                 "false 2 [vc_buf_size]",
		"num_vcs = 1; vc_buf_size = 4;":                                 " 2 [vc_buf_size]",
		"num_vcs = 3; vc_buf_size = 2;":                                 "false 2 []",
	} {
		b, err := read(t, "topology = mesh; routing_function = dor;"+text)
		if err != nil {
			t.Fatal(err)
		}
		keys, lost := map[string]string{}, []string{}
		for _, k := range b.Keys {
			keys[k[0]] = k[1]
		}
		for _, l := range b.Lost {
			_, rest, _ := strings.Cut(l, ": ")
			lost = append(lost, strings.Fields(strings.TrimSuffix(rest, ":"))[0])
		}
		got := fmt.Sprint(keys["network.headers_yield"], " ", keys["network.routing_cycles"], " ", lost)
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Allocators with which BookSim's latencies are not those of this program within 3% are noted.
func TestBookSimAllocators(t *testing.T) {
	const apart, together = "speculative = 0;", "speculative = 1; vc_allocator = piggyback;"
	for text, lost := range map[string]string{
		apart + "vc_allocator = wavefront;": "10% shorter", apart + "vc_allocator = pim;": "10% shorter",
		apart + "vc_allocator = select;":                             "",
		apart + "num_vcs = 1; vc_allocator = wavefront;":             "",
		"speculative = 1; packet_size = 4; vc_allocator = max_size;": "",
		apart + "sw_allocator = separable_input_first;":              "36% longer",
		apart + "num_vcs = 1; sw_allocator = separable_input_first;": "",
		apart + "sw_allocator = separable_output_first;":             "",
		apart + "sw_allocator = select;":                             "",
		apart + "sw_allocator = wavefront;":                          "up to 8%",
		apart + "sw_allocator = pim;":                                "up to 8%",
		together + "sw_allocator = islip;":                           "",
		together + "sw_allocator = separable_input_first;":           "",
		together + "topology = torus; routing_function = dim_order; sw_allocator = " +
			"separable_input_first;": "3 to 7%",
		together + "sw_allocator = wavefront;":                          "3 to 7%",
		together + "num_vcs = 1; sw_allocator = separable_input_first;": "",
		apart + "num_vcs = 1; sw_allocator = wavefront;":                "",
		apart + "sw_allocator = islip(2);":                              "the parameter of an allocator",
		apart + "vc_allocator = separable_input_first(matrix);":         "the parameter of an allocator",
	} {
		b, err := read(t, "topology = mesh; routing_function = dor; num_vcs = 2;\n"+text)
		if err != nil {
			t.Fatal(err)
		}
		if all := strings.Join(b.Lost, "; "); (lost == "") != (all == "") ||
			!strings.Contains(all, lost) || lost != "" && !strings.Contains(all, "config:2: ") {
			t.Errorf("%s: lost %q, want %q", text, b.Lost, lost)
		}
	}
}

// Virtual channels that BookSim grants with the switch or before it are noted where figures differ.
func TestBookSimGrantsVirtualChannels(t *testing.T) {
	const torus, piggyback = "topology = torus; routing_function = dim_order; packet_size = 8; ",
		"speculative = 1; vc_allocator = piggyback; "
	for text, want := range map[string]string{
		torus + piggyback + "num_vcs = 8; traffic = tornado;":    "past saturation BookSim accepts more",
		torus + piggyback + "num_vcs = 8;":                       "",
		torus + piggyback + "num_vcs = 2; traffic = tornado;":    "",
		torus + "speculative = 1; num_vcs = 2;":                  "",
		torus + "speculative = 0; num_vcs = 2;":                  "",
		torus + "speculative = 0; num_vcs = 2; packet_size = 1;": "",
		"topology = mesh; routing_function = dor; num_vcs = 1;":  "",
	} {
		b, err := read(t, text)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(b.Notes, "; ")
		if (want == "") != (all == "") || !strings.Contains(all, want) {
			t.Errorf("%s: notes %q, want %q", text, b.Notes, want)
		}
	}
}

// Where BookSim wastes grants of the switch under min_adapt, a note says by how much that differs;
// requests without checks are lost.
func TestBookSimSpeculation(t *testing.T) {
	const piggyback = "speculative = 1; vc_allocator = piggyback;"
	for text, want := range map[string][2]int{
		"routing_function = min_adapt;" + piggyback:                                          {1, 0},
		"routing_function = min_adapt_mesh;" + piggyback:                                     {1, 0},
		"routing_function = min_adapt; speculative = 1; packet_size = 4;":                    {0, 1},
		"routing_function = min_adapt; num_vcs = 4;" + piggyback:                             {0, 1},
		"routing_function = min_adapt; num_vcs = 8; traffic = hotspot({{0,9}});" + piggyback: {0, 0},
		"routing_function = dor;" + piggyback:                                                {0, 0},
		"routing_function = dor; spec_check_elig = 0;" + piggyback:                           {0, 1},
		"routing_function = dor; spec_check_elig = 0; spec_check_cred = 0; " + piggyback:     {0, 2},
	} {
		b, err := read(t, "topology = mesh; num_vcs = 2; vc_buf_size = 8; "+text)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]int{len(b.Notes), len(b.Lost)}; got != want {
			t.Errorf("%s: %v notes and losses, want %v; lost %q", text, got, want, b.Lost)
		}
	}
}

// A link of an anynet file takes its cycles and those of a router; the way through a tree, and
// through a ring of five, is BookSim's.
func TestBookSimAnynet(t *testing.T) {
	for lines, want := range map[string]string{
		"router 0 node 0 router 1 5\nrouter 1 node 1": "up-down [\"router 0 node 0 router 1 7\", " +
			"\"router 1 node 1 router 0 3\"] 0",
		"router 0 node 0 router 1 router 2\nrouter 1 node 1 router 2\nrouter 2 node 2": "" +
			"lash [\"router 0 node 0 router 1 3 router 2 3\", \"router 1 node 1 router 0 3 router 2 3\", " +
			"\"router 2 node 2 router 0 3 router 1 3\"] 0",
		"router 0 node 0 router 1 2 router 2\nrouter 1 node 1 router 2\nrouter 2 node 2": "" +
			"lash [\"router 0 node 0 router 1 4 router 2 3\", \"router 1 node 1 router 0 3 router 2 3\", " +
			"\"router 2 node 2 router 0 3 router 1 3\"] 1",
	} {
		file := filepath.Join(t.TempDir(), "net")
		if err := os.WriteFile(file, []byte(lines), 0o666); err != nil {
			t.Fatal(err)
		}
		b, err := read(t, "topology = anynet; routing_function = min; network_file = "+file+";")
		if err != nil {
			t.Fatal(err)
		}
		keys := map[string]string{}
		for _, k := range b.Keys {
			keys[k[0]] = k[1]
		}
		got := fmt.Sprint(keys["network.routing"], " ", keys["machine.graph"], " ", len(b.Lost))
		if got != want {
			t.Errorf("%s: %s, want %s", lines, got, want)
		}
	}
}
