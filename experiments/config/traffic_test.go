package config

import (
	"strings"
	"testing"

	"contend/netsim"
)

// Traffic and lengths of messages are kept in one form, so that equal ones are one run.
func TestTrafficIsCanonical(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"workload.traffic", "hotspot:share=0.10,nodes=9/2", "hotspot:nodes=2/9,share=0.1"},
		{"workload.message_lengths", "8:.2+1:0.80", "1:0.8+8:0.2"},
		{"workload.message_lengths", "16+2", "2:1+16:1"},
		{"workload.message_lengths", "", ""},
	} {
		s := Defaults()
		if err := s.Assign(c.path, c.text); err != nil {
			t.Error(err)
			continue
		}
		got := s.Spec.Workload.Traffic
		if c.path == "workload.message_lengths" {
			got = s.Spec.Workload.Lengths
		}
		if got != c.want {
			t.Errorf("%s = %q is %q, want %q", c.path, c.text, got, c.want)
		}
	}
	for text, want := range map[string]string{"storm": "workload.traffic is \"storm\"",
		"hotspot:share=2": "above 0 and at most 1", "tornado:x=1": "no parameters"} {
		s := Defaults()
		if err := s.Assign("workload.traffic", text); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The network is promised what all lengths of messages have in common.
func TestLengthsPromiseTheirDivisor(t *testing.T) {
	s := DefaultSpec()
	s.Workload.Source = "traffic"
	for lengths, want := range map[string][2]int{"": {8, 1}, "4:1+6:1": {0, 2}, "1:1+8:1": {0, 1},
		"8:3+16:1": {0, 8}} {
		s.Workload.Lengths = lengths
		if got := [2]int{s.MessageFlits(), s.MessageMultiple()}; got[0] != want[0] ||
			lengths != "" && got[1] != want[1] {
			t.Errorf("%q: length and multiple %v, want %v", lengths, got, want)
		}
	}
}

// Bursts and lengths that cannot be are refused.
func TestTrafficIsChecked(t *testing.T) {
	for want, change := range map[string]func(w *WorkloadSpec){
		"at least 1 cycle":   func(w *WorkloadSpec) { w.BurstCycles = 0.5 },
		"less than a cycle":  func(w *WorkloadSpec) { w.BurstCycles, w.BurstShare = 2, 0.9 },
		"is not a number of": func(w *WorkloadSpec) { w.Lengths = "a+b" },
	} {
		s := DefaultSpec()
		s.Workload.Source = "traffic"
		change(&s.Workload)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if kinds := netsim.TrafficKinds(); len(traffics()) != len(kinds) {
		t.Errorf("%d names of %d kinds of traffic", len(traffics()), len(kinds))
	}
}
