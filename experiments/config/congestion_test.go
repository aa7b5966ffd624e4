package config

import (
	"strings"
	"testing"

	"contend/internal/call"
	"contend/netsim"
	"contend/router/topology"
)

// Values that would act as another one, or as none, are refused with those that would be right.
func TestRefusedValuesOfControls(t *testing.T) {
	for text, right := range map[string]string{
		"ib-cca:delay_step=1e300":    "give a number from 0.001 to 1000",
		"ib-cca:delay_step=1e-300":   "give a number from 0.001 to 1000", // no delay
		"ib-cca:ccti_limit=100000":   "give an integer from 1 to 65535",
		"ib-cca:marking_rate=100000": "give an integer from 0 to 65535",
		"ib-cca:ccti_min=127":        "must be at least 0 and below Limit",
		"ib-cca:threshold=48":        "give threshold below 48",
		"dcqcn:additive=1":           "give a number from 1e-6 to 0.1", // each pair is at once released
		"dcqcn:additive=1e-300":      "give a number from 1e-6 to 0.1", // none ever
		"dcqcn:g=1e-300":             "give a number from 1e-6 to 1",
		"dcqcn:pmax=1e-300":          "give a number from 1e-6 to 1", // below the step of a draw
		"dcqcn:least=1e-300":         "give a number from 1e-6 to 1", // time overflows
		"dcqcn:hyper=NaN":            "give a number from 1e-6 to 1",
		"dcqcn:recovery=1000000":     "give an integer from 1 to 1000",
		"dcqcn:kmin=4294967297":      "give an integer from 0 to 1000000000",
		"dcqcn:kmin=40,kmax=20":      "kmin) must be at least 0 and at most MarkTo (kmax",
		"dcqcn:kmin=48":              "give kmin below 48, or raise network.buffer_flits",
		"throttle:senders=16":        "give senders below 16",
		"throttle:outstanding=0":     "give an integer from 1 to 1000000000",
	} {
		s, err := specOf(control(text, "network.buffer_flits", int64(8), "network.virtual_channels",
			int64(1), "machine.dims", []any{int64(4), int64(2)}, "machine.concentration", int64(2))...)
		var failed error
		if err == nil {
			var p *Plan
			if p, failed = s.Plan(); failed == nil {
				_, failed = netsim.New(p.Network)
			}
		} else {
			failed = err
		}
		if failed == nil || !strings.Contains(failed.Error(), right) {
			t.Errorf("%s: %v, want %q", text, failed, right)
		}
	}
	for _, text := range []string{"dcqcn:kmin=47", "ib-cca:threshold=47", "throttle:senders=15"} {
		s, err := specOf(control(text, "network.buffer_flits", int64(8), "network.virtual_channels",
			int64(1), "machine.dims", []any{int64(4), int64(2)}, "machine.concentration", int64(2))...)
		if err != nil {
			t.Fatal(err)
		}
		if _, failed := s.Plan(); failed != nil {
			t.Errorf("%s: %v", text, failed)
		}
	}
}

// With each parameter at each of its bounds all messages of an incast arrive, no earlier than
// without control.
func TestControlsAtTheirBounds(t *testing.T) {
	base := map[string]string{"dcqcn": "kmin=0,kmax=4,pmax=1,cnp_cycles=50,alpha_cycles=60," +
		"timer_cycles=60,counter_flits=200", "ib-cca": "threshold=2,marking_rate=0,ccti_timer=100",
		"throttle": "outstanding=4,senders=2"}
	free := incastCycles(t, netsim.NoControl)
	for _, of := range parametersOfControls() {
		name, p := of[0].(string), of[1].(call.Parameter)
		for _, bound := range []string{p.Min, p.Max} {
			var parts []string
			for part := range strings.SplitSeq(base[name], ",") {
				if !strings.HasPrefix(part, p.Name+"=") {
					parts = append(parts, part)
				}
			}
			if k := p.Name + " " + bound; k == "kmin "+p.Max || k == "kmax 0" || k == "ccti_min "+p.Max {
				continue // one above the other
			}
			text := name + ":" + strings.Join(append(parts, p.Name+"="+bound), ",")
			if got := incastCycles(t, text); got < free {
				t.Errorf("%s: %d cycles, and %d without control", text, got, free)
			}
		}
	}
}

// incastCycles returns the time of an incast of three nodes.
func incastCycles(t *testing.T, text string) int64 {
	t.Helper()
	s, err := specOf(control(text, "job.flits", int64(400), "network.buffer_flits", int64(16),
		"machine.dims", []any{int64(1)}, "machine.concentration", int64(4))...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	built, failed := s.Registry.NewMachine(&s.Machine)
	if failed != nil {
		t.Fatal(failed)
	}
	n, failed := netsim.New(s.networkPlan(topology.Unwrap(built)))
	if failed != nil {
		t.Fatalf("%s: %v", text, failed)
	}
	for k := range 3 {
		n.Send(netsim.Message{From: topology.Node(k + 1), To: 0, Flits: 400})
	}
	for n.Pending() > 0 {
		before := n.Now()
		now, _, failed := n.Advance(1 << 50)
		if failed != nil || now <= before || now >= 1<<50 {
			t.Fatalf("%s: cycle %d, %v", text, now, failed)
		}
	}
	return n.Now()
}
