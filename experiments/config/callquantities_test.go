package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contend/internal/call"
	"contend/netsim"
	"contend/router/topology"
)

// Defaults of controls stand for the network at hand: times as they are, queues and flits of dcqcn
// by the rate of nodes or cards, other sizes as they are. Without a length of a cycle they are those
// of links of 40 Gb/s with flits of 64 B.
func TestDefaultsOfControls(t *testing.T) {
	fast := []any{"network.cycle", "1.28 ns", "network.flit_bytes", int64(64)} // 400 Gb/s
	gpus := []any{"network.cycle", "1 ns", "network.flit_bytes", int64(450),
		"network.node_flit_cycles", "450 GB/s"}
	for _, c := range []struct {
		control, want string
		keys          []any
	}{
		{"dcqcn", "78,3125,3906,4297,4297,156250", nil},
		{"dcqcn", "78,3125,3906,4297,4297,156250", []any{"network.cycle", "12.8 ns",
			"network.flit_bytes", int64(64)}},
		{"dcqcn", "781,31250,39063,42969,42969,1562500", fast},
		{"dcqcn", "391,15625,39063,42969,42969,781250", // nodes of 200 Gb/s
			slices.Concat(fast, []any{"network.node_flit_cycles", int64(2)})},
		{"dcqcn", "156,6250,39063,42969,42969,312500", // that send at 80 Gb/s
			slices.Concat(fast, []any{"network.injection_flit_cycles", 5.0})},
		{"dcqcn", "20,781,3906,4297,4297,39063", // 40 Gb/s
			[]any{"network.cycle", "12.8 ns", "network.flit_bytes", int64(256),
				"network.flit_cycles", "40 Gb/s"}},
		{"dcqcn", "111,4444,50000,55000,55000,222222", // cards of 50 GB/s
			slices.Concat(gpus, []any{"machine.topology", "fat-tree:8x32:8",
				"network.class_flit_cycles", []any{"50 GB/s"}})},
		{"dcqcn", "1000,40000,50000,55000,55000,2000000", // routers between nodes are no cards
			slices.Concat(gpus, []any{"machine.topology", "dragonfly:a4h2p3g7",
				"network.class_flit_cycles", []any{"50 GB/s", "50 GB/s"}})},
		{"dcqcn:kmin=3,cnp_cycles=3906", "3,31250,3906,42969,42969,1562500", fast},
		{"dcqcn", "1,40,50,55,55,2000", []any{"network.cycle", "1 us", "network.flit_bytes", int64(64)}},
		{"dcqcn", "0,0,1,1,1,20", []any{"network.cycle", "100 us", "network.flit_bytes", int64(64)}},
		{"ib-cca", "128,12000", nil},
		{"ib-cca", "128,120000", fast},
		{"ib-cca", "32,15000", []any{"network.cycle", "10.24 ns", "network.flit_bytes", int64(256)}},
		{"throttle", "64,2", nil},
		{"throttle", "64,2", fast},
		{"throttle", "512,16", []any{"network.cycle", "1.28 ns", "network.flit_bytes", int64(8)}},
	} {
		s, err := specOf(control(c.control, c.keys...)...)
		if err != nil {
			t.Errorf("%s: %v", c.control, err)
			continue
		}
		var numbers []string
		_, v := s.controlInModelUnits()
		for _, p := range netsim.ControlKinds()[1:] {
			for i := range p.Parameters {
				if q := &p.Parameters[i]; p.Name == v.Owner() && strings.Contains(q.Default, " ") {
					numbers = append(numbers, v.TextOf(q.Name))
				}
			}
		}
		if got := strings.Join(numbers, ","); got != c.want {
			t.Errorf("%s with %v: %s, want %s", c.control, c.keys, got, c.want)
		}
		if note := s.AssumedNote() != ""; note != (c.keys == nil) {
			t.Errorf("%s with %v: %q", c.control, c.keys, s.AssumedNote())
		}
	}
}

// A call is resolved as it was given, whatever it was resolved to before; and what it was resolved
// to is resolved to itself on any network.
func TestCallsAreResolvedAnew(t *testing.T) {
	slow := []any{"network.cycle", "12.8 ns", "network.flit_bytes", int64(64)}
	s, err := specOf(control("dcqcn:kmin=64 B,kmax=6400B,cnp_cycles=3906", slow...)...)
	if err != nil {
		t.Fatal(err)
	}
	first := s.Network.Congestion
	plain, err := specOf(control("dcqcn:cnp_cycles=3906,kmin=64 B,kmax=25 kB")...)
	if want := "dcqcn:kmin=8"; err != nil || plain.Network.Congestion != want {
		t.Errorf("without a length of a cycle it is %s, %v, want %s", plain.Network.Congestion, err, want)
	}
	again, err := specOf(control(first, "network.cycle", "1 ns")...)
	if err != nil || again.Network.Congestion != first || again.AssumedNote() != "" {
		t.Errorf("%s became %s, %v", first, again.Network.Congestion, err)
	}
	at := Settings{Spec: s}
	at.Assign("network.cycle", "6.4 ns")
	if err := at.Spec.Resolve(); err != nil {
		t.Fatal(err)
	}
	want, _ := specOf(control("dcqcn:kmin=1,kmax=100,cnp_cycles=3906", "network.cycle", "6.4 ns",
		"network.flit_bytes", int64(64))...)
	if at.Spec.Hash() != want.Hash() {
		t.Errorf("%s, want %s", at.Spec.Network.Congestion, want.Network.Congestion)
	}
	if s.Network.Congestion != first {
		t.Errorf("the first spec became %s", s.Network.Congestion)
	}
	at.Assign("network.congestion_control", "none")
	if err := at.Spec.Resolve(); err != nil || at.Spec.Network.Congestion != "none" {
		t.Errorf("none became %s, %v", at.Spec.Network.Congestion, err)
	}
}

// parametersOfControls are all parameters, with the names of their controls.
func parametersOfControls() (list [][2]any) {
	for _, c := range netsim.ControlKinds() {
		for _, p := range withQuantities(c.Name, c.Parameters) {
			list = append(list, [2]any{c.Name, p})
		}
	}
	return list
}

// Whatever is given for a parameter of a control is refused with what would be right, or the
// control has just that number and the network takes it: no value acts as another one or as none.
func TestNoValueActsAsAnother(t *testing.T) {
	extreme := []string{"nan", "inf", "-inf", "1e300", "-1e300", "1e-300", "5e-324", "-1", "-0", "0",
		"1", "2", "0.5", "0.999999", "1.000001", "1e-6", "9e-7", "1e9", "1000000001", "2147483648",
		"4294967297", "9223372036854775807", "9223372036854775808", "1e400", "0x10", "1e5", "", " ",
		"1 s", "1e30 s", "0 s", "1e-30 s", "5 KB", "0 B", "1e30 B", "0.9 B", "40 Mb/s", "0 b/s", "1e30 b/s",
		"5 m", "1 GHz", "1.2.3", "--1", "5KB us", "=", "1=2"}
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.SampledFrom(parametersOfControls()).Draw(t, "parameter")
		name, p := of[0].(string), of[1].(call.Parameter)
		text := rapid.OneOf(rapid.SampledFrom(extreme),
			rapid.Map(rapid.Float64(), func(x float64) string { return fmt.Sprint(x) }),
			rapid.Map(rapid.Int64(), func(n int64) string { return fmt.Sprint(n) }),
			rapid.StringMatching(`[-0-9.e]{1,9} ?(|us|kB|KiB|Gb/s|s)`)).Draw(t, "value")
		s, err := specOf(control(name+":"+p.Name+"="+text, "network.cycle", "12.8 ns",
			"network.flit_bytes", int64(64))...)
		if err != nil {
			if err.Right == "" || !strings.Contains(err.Error(), p.Name) &&
				!strings.Contains(err.Error(), name) {
				t.Fatalf("%s=%s: %v", p.Name, text, err)
			}
			return
		}
		_, v := s.controlInModelUnits()
		got, bad := strconv.ParseFloat(v.TextOf(p.Name), 64)
		want, plain := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if bad != nil || plain == nil && got != want || !p.Fits(got) || math.IsNaN(got) {
			t.Fatalf("%s=%s became %v", p.Name, text, got)
		}
		again, err := specOf(control(s.Network.Congestion, "network.cycle", "3 ns")...)
		if err != nil || again.Network.Congestion != s.Network.Congestion {
			t.Fatalf("%s=%s: %s became %s, %v", p.Name, text, s.Network.Congestion,
				again.Network.Congestion, err)
		}
		built, failed := s.Registry.NewMachine(&s.Machine)
		if failed != nil {
			t.Fatal(failed)
		}
		c := s.networkPlan(topology.Unwrap(built))
		if _, refused := netsim.New(c); refused != nil && !strings.Contains(refused.Error(), "must be") {
			t.Fatalf("%s=%s: %v", p.Name, text, refused)
		}
	})
}
