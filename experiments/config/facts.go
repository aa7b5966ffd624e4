package config

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"contend/allocation/mapping"
	"contend/allocation/order"
	"contend/internal/input"
	"contend/internal/quantity"
	"contend/netsim"
)

// drawnPatterns lists the patterns that jobs draw from, or those of listed jobs, each once.
func (s *Spec) drawnPatterns() []Weighted {
	switch {
	case batsim.Holds(s): // profiles say what jobs send
		return nil
	case ListWorkload.Holds(s):
		return s.listedPatterns()
	}
	return s.Job.Pattern.Parts
}

// allPatterns lists the patterns jobs may have.
func (s *Spec) allPatterns() []Weighted {
	mix := s.drawnPatterns()
	if mix == nil {
		return nil
	}
	mix = slices.Clip(mix)
	for _, r := range s.Job.Rules {
		mix = append(mix, r.Pattern)
	}
	return append(mix, s.Background()...)
}

// listedPatterns returns the patterns of the rows, each once.
func (s *Spec) listedPatterns() (mix []Weighted) {
	for _, j := range s.Workload.List {
		if !slices.Contains(mix, j.Pattern) {
			mix = append(mix, j.Pattern)
		}
	}
	return mix
}

// Background returns the patterns of the jobs that run beside the first, which take them in turn;
// nil if there are none.
func (s *Spec) Background() []Weighted {
	b := s.Workload.Background
	if s.Workload.Source != "together" || b.text == backgroundSame || b.text == backgroundIdle {
		return nil
	}
	return b.Parts
}

// MessageFlits returns the length of all messages, or 0 if lengths differ.
func (s *Spec) MessageFlits() int {
	if !oneLength.Holds(s) {
		return 0
	}
	mix := s.allPatterns()
	if mix == nil || slices.ContainsFunc(mix,
		func(m Weighted) bool { return !s.Registry.oneLength(m) }) {
		return 0
	}
	return s.Job.Flits
}

// MessageMultiple returns a number that divides the length of every message, or 0 if
// there is no such promise.
func (s *Spec) MessageMultiple() int {
	if !oneLength.Holds(s) {
		lengths, _ := netsim.ParseLengths(s.Workload.Lengths)
		return netsim.CommonDivisor(lengths)
	}
	mix := s.allPatterns()
	if batsim.Holds(s) {
		return s.Network.PadFlits
	}
	if mix == nil || slices.ContainsFunc(mix,
		func(m Weighted) bool { return !s.Registry.ownSizes(m) }) {
		return 0
	}
	return s.Network.PadFlits
}

// hasLogClock holds for a log, and for a model of logs.
var hasLogClock = WorkloadIs("swf", "lublin", "batsim")

// inSeconds holds where network.cycle says how many cycles a second of the workload has.
var inSeconds = WorkloadIs("swf", "lublin", "list", "batsim")

// ClockUnit returns the unit of the clock of runs. It is seconds for a log or a model
// of logs, and for a workload that gives the length of a second, as network.cycle does for listed
// jobs. It is cycles if
// generated jobs send messages. It is the workload's time units if jobs only take time.
func (s *Spec) ClockUnit() string {
	given := s.Job.CyclesPerSecond != input.Automatic
	switch {
	case hasLogClock.Holds(s), s.Workload.Source == "cplant-stream" && given,
		ListWorkload.Holds(s) && (given || s.Network.Cycle != ""):
		return "s"
	case s.Job.Run == "messages" && !given:
		return "cycles"
	}
	return "time units"
}

// UnitCycles is the resolution of a time unit of generated jobs that have no
// network, and of a second of a log that has fractions: a millionth.
const UnitCycles = 1e6

// unitCycles returns how many cycles a unit of the run's clock has; the most that it may have where
// jobs have run times alone.
func (s *Spec) unitCycles() float64 {
	switch rate := float64(s.cyclesPerSecond()); {
	case s.ClockUnit() == "cycles":
		return 1
	case s.Job.Run == RunMessages && rate > 0:
		return rate
	}
	return UnitCycles
}

// CycleSeconds returns the length of a network cycle in seconds, nil without network.cycle.
func (s *Spec) CycleSeconds() *big.Rat {
	if s.Network.Cycle == "" {
		return nil
	}
	q, err := quantity.Parse(s.Network.Cycle)
	if err != nil {
		return nil // not a text of readCycle
	}
	return q.Value
}

// cyclesPerSecond returns job.cycles_per_second, which follows from network.cycle where
// jobs come in seconds.
func (s *Spec) cyclesPerSecond() input.Auto {
	cycle := s.CycleSeconds()
	if s.Job.CyclesPerSecond != input.Automatic || cycle == nil ||
		!inSeconds.Holds(s) || s.Job.Run != "messages" {
		return s.Job.CyclesPerSecond
	}
	rate, _ := new(big.Rat).Inv(cycle).Float64()
	return input.Auto(rate)
}

// sameRate is the largest relative distance between job.cycles_per_second and 1/network.cycle.
const sameRate = 1e-9

// rateAgrees reports whether job.cycles_per_second is 1/network.cycle, where both are given
// and jobs come in seconds.
func (s *Spec) rateAgrees() (both, agrees bool) {
	cycle, cps := s.CycleSeconds(), s.Job.CyclesPerSecond
	if cycle == nil || cps == input.Automatic || s.Job.Run != "messages" || s.ClockUnit() != "s" {
		return false, true
	}
	seconds, _ := cycle.Float64()
	return true, math.Abs(float64(cps)*seconds-1) <= sameRate
}

// Calibrates reports whether the messages or the clock of s depend on a calibration.
func (s *Spec) Calibrates() bool {
	j := &s.Job
	return j.Run == "messages" && LogWorkloads.Holds(s) &&
		(j.Quota.PerSecond == input.Automatic || s.cyclesPerSecond() == input.Automatic)
}

// MeasuresLoad reports whether the time that drawn jobs take alone sets how fast they arrive.
func (s *Spec) MeasuresLoad() bool {
	w := &s.Workload
	return messages.Holds(s) && synthetic.Holds(s) && (w.SystemLoad > 0 || w.TargetLoad > 0)
}

// UsesEstimates reports whether the estimates of users affect the run.
func (s *Spec) UsesEstimates() bool {
	p := s.Registry.policy(s.Scheduler.Policy)
	return !p.IgnoresEstimates || s.Scheduler.OnOverrun == "kill"
}

// knowsTimes reports whether jobs have run times.
func (s *Spec) knowsTimes() bool {
	return s.Job.Run != "messages" || WorkloadIs("swf", "lublin").Holds(s) ||
		DrawnServices.Holds(s)
}

// Speedup is the share of their run times by which jobs of several processors
// are faster: "we cannot assume any acceleration with non-contiguous
// allocation" (pascual2009 sec. 6).
func (s *Spec) Speedup() float64 {
	if !s.Registry.allocator(s.Allocator).Contiguous {
		return 0
	}
	return s.Job.AssumedSpeedup / 100
}

// Draws lists the random draws in runs of s: sizes, submissions, run times, quotas,
// patterns, partners, places, routes. If the list is empty, runs with other seeds are
// the same run.
func (s *Spec) Draws() []string {
	var list []string
	add := func(what string, drawn bool) {
		if drawn {
			list = append(list, what)
		}
	}
	s.drawsJobs(add)
	if s.Job.Run == "messages" && s.Workload.Source != "traffic" {
		mix := s.allPatterns()
		add("patterns", len(s.drawnPatterns()) > 1 && drawnJobs.Holds(s))
		add("mappings", s.Job.Mapping == mapping.Random)
		add("partners", slices.ContainsFunc(mix, s.Registry.drawsPartners))
		add("stragglers", slices.ContainsFunc(mix, s.Registry.drawsSlow))
	}
	if s.Job.Run == "messages" {
		add("routes", s.drawsRoutes())
		add("marks", s.drawsMarks())
	}
	add("failures", slices.ContainsFunc(s.Failures, Failure.draws))
	if queued.Holds(s) {
		add("places", s.drawsPlaces(s.Allocator))
		add("places of scheduler.decision", s.drawsPlaces(s.Scheduler.Decision))
	}
	return list
}

// drawsJobs lists the random draws that make jobs.
func (s *Spec) drawsJobs(add func(what string, drawn bool)) {
	w, exponential := &s.Workload, "exponential"
	quotas := s.Job.Run == "messages" && s.Job.Quota.PerSecond == 0 &&
		s.Job.Quota.Distribution == exponential
	arrivals := w.Interarrival.Kind == exponential && w.InterarrivalMean() > 0
	switch w.Source {
	case "synthetic":
		add("sizes", w.Processors == 0 && w.Side.Distribution != "fixed" &&
			(w.Side.Max == 0 || w.Side.Min < w.Side.Max))
		add("submissions", arrivals)
		add("run times", s.Job.Run == "fixed" && w.Service.Kind == exponential)
	case "lublin":
		add("jobs", true)
	case "cplant-stream":
		add("submissions", arrivals)
		add("run times", DrawnServices.Holds(s) && w.Service.Kind == exponential)
	case "traffic":
		add("messages", true)
		return
	case "list":
		return
	case "together":
		add("places", w.Placement.draws())
		return
	}
	add("quotas", quotas)
	if w.Source != "synthetic" {
		add("submission times", w.Shake > 0)
		add("moments", w.Snapshots)
		add("copies of jobs", w.Replication > 1)
	}
}

// Varies reports whether replications differ, because of random draws or because they are
// windows of a log.
func (s *Spec) Varies() bool { return s.Workload.Window > 0 || len(s.Draws()) > 0 }

// drawsPlaces reports whether an allocator draws nodes at random.
func (s *Spec) drawsPlaces(text string) bool {
	a := s.Registry.allocator(text)
	return a != nil && a.Draws
}

// countDecides reports whether the allocator refuses jobs by the number of free nodes alone.
func (s *Spec) countDecides() bool {
	a := s.Registry.allocator(s.Allocator)
	return a.DecidesByCount(s.Registry.values("allocators", s.Allocator))
}

// logField returns the key by which jobs get patterns by a field that only lines of a log have, and
// the field; "" if there is none.
func (s *Spec) logField() (key, field string) {
	if by := s.Job.PatternBy; by == ByUser || by == ByQueue {
		return "job.pattern_by", string(by)
	}
	for i, r := range s.Job.Rules {
		if r.Field != BySize {
			return fmt.Sprintf("job.rules[%d]", i), string(r.Field)
		}
	}
	return "", ""
}

// AllocatorOrder names the order in which the allocator takes processors. It is row-major
// for allocators without such an order; an order of pages of several processors does
// not count.
func (s *Spec) AllocatorOrder() string {
	v := s.Registry.values("allocators", s.Allocator)
	if v.Has("order") && (!v.Has("page") || v.Int("page") == 0) {
		return v.Word("order")
	}
	return order.RowMajor
}
