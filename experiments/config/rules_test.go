package config

import (
	"math"
	"strings"
	"testing"

	"contend/internal/input"
	"contend/internal/must"
)

func TestParseRule(t *testing.T) {
	plain := func(name string) Weighted { return Weighted{Name: name, Weight: 1} }
	for text, want := range map[string]Rule{
		"size 1-4: near-neighbour":    {"", BySize, 1, 4, plain("near-neighbour")},
		"user 17: npb-ft:B":           {"", ByUser, 17, 17, Weighted{"npb-ft", "B", "", 1}},
		"  queue   0-:all-to-all ":    {"", ByQueue, 0, math.MaxInt64, plain("all-to-all")},
		"size 3: butterfly:stride=2":  {"", BySize, 3, 3, Weighted{"butterfly", "", "stride=2", 1}},
		"size 9223372036854775807: x": {"", BySize, math.MaxInt64, math.MaxInt64, plain("x")},
	} {
		want.text = text
		if got, err := ParseRule(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                    "FIELD VALUES: PATTERN",
		"size: ring":          "FIELD VALUES: PATTERN",
		"size 4 ring":         "FIELD VALUES: PATTERN",
		"group 4: ring":       `"group" is none of size, user, queue`,
		"size four: ring":     `"four" is neither a number nor a range`,
		"size 4-2: ring":      `"4-2" is neither`,
		"size -1: ring":       `"-1" is neither`,
		"size 1-2-3: ring":    `"1-2-3" is neither`,
		"size 1: ring:2":      `"ring:2" is not one pattern without a weight`,
		"size 1: ring+n-body": `"ring+n-body" is not one pattern`,
		"size 1: npb-ft:D":    `"D" of npb-ft is neither a class`,
	} {
		if _, err := ParseRule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Rules are checked like job.pattern, and errors name the rule.
func TestAssignRules(t *testing.T) {
	for _, c := range []struct {
		raw       any
		key, want string
	}{
		{[]any{"size 1: ring", "user 2: rung"}, "job.rules[1]", `did you mean "ring"?`},
		{[]any{"size 1: ring:stride=2"}, "job.rules[0]", "the keys of [job] are its parameters"},
		{[]any{"size one: ring"}, "job.rules[0]", `"size 1-4: near-neighbour"`},
		{[]any{int64(3)}, "job.rules[0]", "give a string"},
		{int64(3), "job.rules", "give a list of strings"},
		{[]any{"size 1:\nring"}, "job.rules[0]", "printable"},
	} {
		s := Defaults()
		err := s.Assign("job.rules", c.raw)
		if err == nil || err.Key != c.key || !strings.Contains(err.Right, c.want) {
			t.Errorf("%v: %+v, want %s: %s", c.raw, err, c.key, c.want)
		}
	}
	s := Defaults()
	err := s.Assign("job.rules", "size 1: ring")
	if err != nil || len(s.Spec.Job.Rules) != 1 {
		t.Errorf("a string for a list of one: %v, %v", s.Spec.Job.Rules, err)
	}
	k, _ := FindKey("job.rules")
	if got := k.Format(&s.Spec); got != `["size 1: ring"]` {
		t.Errorf("written as %s", got)
	}
}

// Patterns of rules count as sent: a network is promised no length that they break, and
// keys of theirs act.
func TestPatternsOfRulesAreSent(t *testing.T) {
	s := DefaultSpec()
	s.Workload.Source, s.Workload.Trace = "swf", "some.swf"
	s.Job.Pattern = must.Have(ParseMix("ring"))
	bits, _ := FindKey("job.bits")
	if s.MessageFlits() != 8 || bits.Acts(&s) {
		t.Error("a ring has messages of several lengths, or bits")
	}
	s.Job.Rules = []Rule{must.Have(ParseRule("size 4: fft"))}
	if s.MessageFlits() != 8 || !bits.Acts(&s) {
		t.Error("the bits of fft do not act")
	}
	s.Job.Rules = []Rule{must.Have(ParseRule("size 4: npb-ft"))}
	if s.MessageFlits() != 0 {
		t.Error("npb-ft is promised to have one length")
	}
	p, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Job.Patterns); n != 2 || p.Job.Patterns[1].Weight != 0 || p.Job.Rules[0].Index != 1 {
		t.Errorf("%d patterns, %+v", n, p.Job.Rules)
	}
	s.Job.Rules = []Rule{must.Have(ParseRule("size 4: ring"))}
	if p, err = s.Plan(); err != nil || len(p.Job.Patterns) != 1 || p.Job.Patterns[0].Weight != 1 {
		t.Errorf("a rule with the pattern of the mix: %+v, %v", p.Job.Patterns, err)
	}
	s.Workload.Source = "synthetic"
	s.Normalize()
	if s.Job.Rules != nil {
		t.Error("rules act for generated jobs")
	}
}

// Keys that say how long processes compute exclude each other, with the reason.
func TestComputingTimesExcludeEachOther(t *testing.T) {
	log := DefaultSpec()
	log.Workload.Source, log.Job.Pattern = "swf", must.Have(ParseMix("npb-ft"))
	log.Job.Quota = QuotaSpec{Distribution: "fixed", PerSecond: input.Automatic}
	for _, c := range []struct {
		change    func(*Spec)
		key, want string
	}{
		{func(s *Spec) { s.Job.Iteration = 2 }, "job.iteration", ""},
		{func(s *Spec) { s.Job.Iteration, s.Job.Quota.PerSecond = 2, 3 }, "job.iteration",
			"job.quota.per_second = auto"},
		{func(s *Spec) { s.Job.Iteration, s.Workload.Source = 2, "synthetic" }, "job.iteration",
			"workload.source is synthetic"},
		{func(s *Spec) { s.Job.Iteration, s.Job.Share = 2, 0.5 }, "job.communication_share",
			"job.iteration is 2"},
		{func(s *Spec) { s.Job.Iteration, s.Job.ComputeCycles = 2, 9 }, "job.compute_cycles",
			"job.iteration = 0"},
		{func(s *Spec) { s.Job.FlopRate = 1e9 }, "job.flop_rate", "job.cycles_per_second is auto"},
		{func(s *Spec) { s.Job.FlopRate, s.Job.CyclesPerSecond = 1e9, 1e9 }, "job.flop_rate", ""},
		{func(s *Spec) {
			s.Job.FlopRate, s.Job.CyclesPerSecond = 1e9, 1e9
			s.Job.Pattern = must.Have(ParseMix("ring"))
		}, "job.flop_rate", "a NAS benchmark"},
		{func(s *Spec) { s.Job.FlopRate, s.Job.CyclesPerSecond, s.Job.Share = 1e9, 1e9, 0.5 },
			"job.flop_rate", "job.communication_share = 1"},
	} {
		s := log
		c.change(&s)
		k, _ := FindKey(c.key)
		if why := k.Idle(&s); (why == "") != (c.want == "") || !strings.Contains(why, c.want) {
			t.Errorf("%s: %q, want %q", c.key, why, c.want)
		}
	}
	whole := log
	whole.Job.Quota = QuotaSpec{Distribution: "fixed", Benchmarks: 1}
	if err := whole.Check(); err != nil {
		t.Error(err)
	}
	whole.Job.Pattern = must.Have(ParseMix("npb-ft+ring"))
	if err := whole.Check(); err == nil || !strings.Contains(err.Problem, "ring is no NAS benchmark") {
		t.Errorf("full runs of a ring: %v", err)
	}
	log.Job.Iteration, log.Job.Share = 2, 0.5
	if err := log.Check(); err == nil || err.Key != "job.communication_share" {
		t.Errorf("a share and an iteration: %v", err)
	}
}

// The rate of operations becomes operations per cycle.
func TestOperationsPerCycle(t *testing.T) {
	s := DefaultSpec()
	s.Job.FlopRate, s.Job.CyclesPerSecond = 4e9, 1e9
	if c := s.PatternConfig(Weighted{Name: "npb-ft"}); c.OperationsPerCycle != 4 {
		t.Errorf("%v operations a cycle, want 4", c.OperationsPerCycle)
	}
	s.Job.CyclesPerSecond = input.Automatic
	if c := s.PatternConfig(Weighted{Name: "npb-ft"}); c.OperationsPerCycle != 0 {
		t.Errorf("%v operations a cycle without a rate of cycles", c.OperationsPerCycle)
	}
}
