package sim

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/decimal"
	"contend/internal/input"
	"contend/netsim"
	"contend/router"
	"contend/scheduler"
)

// planNotes are the notes on the jobs and the network of a plan, which plans share that differ in
// their schedulers alone.
type planNotes struct {
	notes       []string
	cut         CutJobs
	jobs        int // of a log
	noEstimates int // jobs of the log without an estimate
	escape      EscapePairs
}

// Notes returns sentences for the user on how a plan turns its log into messages and cycles: the
// load of the log, the values that "auto" chose, and missing estimates. It returns the error of the
// context if it is cancelled.
func (s *Simulator) Notes(ctx context.Context, plan *config.Plan) ([]string, error) {
	k, err := s.memos.notes.until(ctx, plan.NotesID(),
		func() (planNotes, error) { return s.planNotes(ctx, plan) })
	notes := append(slices.Clip(k.notes), k.estimateNote(plan))
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" }), stopped(ctx, err)
}

// planNotes returns the notes on the jobs of a plan and on its machine.
func (s *Simulator) planNotes(
	ctx context.Context, plan *config.Plan,
) (k planNotes, err error) {
	k.notes = []string{planesNote(plan), plan.HostNote()}
	if k.escape, err = s.escapePairs(plan); err != nil {
		return k, err
	}
	log, cuts := plan.Workload.HasTrace(), plan.Job.Quota.Cuts() && plan.Job.Run == config.RunMessages
	if !log && len(plan.Job.Rules) == 0 && plan.Job.Iteration == 0 && !plan.MeasuresLoad && !cuts {
		return k, nil
	}
	w, err := s.NewWork(ctx, plan, 0)
	if err != nil {
		return k, err
	}
	if cuts {
		k.cut = s.cutJobs(w)
	}
	k.notes = append(k.notes, w.notes...)
	if log {
		k.jobs, k.noEstimates = len(w.Source.(*scheduler.List).Jobs), w.noEstimates
	}
	return k, nil
}

// EscapePairs has the shares of the pairs of nodes that take escape paths, or have no path, with the
// links that have failed from the beginning of the first replication.
type EscapePairs struct{ OnEscapePaths, Cut float64 }

// EscapePairs returns the shares of a plan. It returns the error of the context if it is cancelled.
func (s *Simulator) EscapePairs(ctx context.Context, plan *config.Plan) (EscapePairs, error) {
	k, err := s.memos.notes.until(ctx, plan.NotesID(),
		func() (planNotes, error) { return s.planNotes(ctx, plan) })
	return k.escape, stopped(ctx, err)
}

// escapePairs computes the shares.
func (s *Simulator) escapePairs(plan *config.Plan) (k EscapePairs, err error) {
	if !plan.FailsLinks() {
		return k, nil
	}
	net, err := s.newFailingNetwork(plan, 0)
	if err != nil {
		return k, err
	}
	f, err := newFailures(plan, 0, scheduler.Clock{}, net)
	if err != nil {
		return k, err
	}
	for i := range f.parts {
		if p := &f.parts[i]; p.rng == nil && p.row.At == 0 && p.row.Bandwidth == 0 {
			net.Fail(p.links...)
		}
	}
	k.OnEscapePaths, k.Cut = net.EscapePairs()
	return k, nil
}

// Note returns a sentence for the user on the pairs, "" if there are none.
func (k EscapePairs) Note() string {
	var parts []string
	if k.OnEscapePaths > 0 {
		parts = append(parts, decimal.Significant(100*k.OnEscapePaths, 2)+
			"% of pairs of nodes have no path of this routing left and take one over a spanning tree")
	}
	if k.Cut > 0 {
		parts = append(parts, decimal.Significant(100*k.Cut, 2)+"% of pairs of nodes have no path")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " and ") + ", as links failed"
}

// CutJobs counts the jobs whose quotas end within the first iteration of their patterns.
type CutJobs struct {
	Jobs, Cut int // that send messages; and those that end within the first iteration
	// Least and Most are the shares of an iteration that these do.
	Least, Most float64
}

// CutJobs returns how the quotas of a plan cut its jobs. Where the quota counts iterations, and
// where Notes says which jobs run for less than one, none are cut. It returns the error of the
// context if it is cancelled.
func (s *Simulator) CutJobs(ctx context.Context, plan *config.Plan) (CutJobs, error) {
	k, err := s.memos.notes.until(ctx, plan.NotesID(),
		func() (planNotes, error) { return s.planNotes(ctx, plan) })
	return k.cut, stopped(ctx, err)
}

// cutJobs counts the jobs of a run that end within an iteration. What is wrong with the pattern of
// a job is said where jobs are checked.
func (s *Simulator) cutJobs(w *Work) (c CutJobs) {
	for j := range metrics.Jobs(w.Source) {
		per, err := s.messages(w, j)
		if err != nil || per == 0 {
			continue
		}
		c.Jobs++
		if j.Quota >= per {
			continue
		}
		share := float64(j.Quota) / float64(per)
		if c.Cut == 0 {
			c.Least = share
		}
		c.Cut++
		c.Least, c.Most = min(c.Least, share), max(c.Most, share)
	}
	return c
}

// Note returns a sentence for the user on the jobs of a plan that are cut, "" if none are.
func (c CutJobs) Note(plan *config.Plan) string {
	if c.Cut == 0 {
		return ""
	}
	share := shareText(c.Least)
	if most := shareText(c.Most); most != share {
		share += " to " + most
	}
	return fmt.Sprintf("%s ends %d of %s within the first iteration of their pattern, after %s of "+
		"it, so jobs of other sizes send another part of it; %s = 1 has each do a whole one",
		plan.Job.Quota.Field(), c.Cut, input.Plural(c.Jobs, "job"), share, config.FieldIterations)
}

// noteQuotas notes that quotas were chosen by run times, and how many of the parallel jobs send a
// part of an iteration.
func (m *workMaker) noteQuotas(parallel, partial int) {
	rate := cyclesText(m.clock)
	m.note(fmt.Sprintf("%s = auto: every job sends as many messages as it can in its run time with "+
		"the machine to itself, at %s, so the log's load is kept", config.FieldPerSecond, rate))
	if partial > 0 {
		m.note(fmt.Sprintf("%d of %d parallel jobs run for less than one iteration of their pattern "+
			"at %s and send a part of it; a larger %s has fewer of them and takes as much longer to "+
			"simulate", partial, parallel, rate, config.FieldCyclesPerSecond))
	}
}

// noteRate notes the cycles of a second that keep the load of the log.
func (m *workMaker) noteRate() {
	if m.plan.Workload.HasTrace() {
		m.note(fmt.Sprintf("%s = auto: %s, which keeps the log's load when every job runs as it would "+
			"alone", config.FieldCyclesPerSecond, decimal.Number(m.clock.CyclesPerSecond)))
	}
}

// cyclesText returns the rate of a clock in words.
func cyclesText(c scheduler.Clock) string {
	if c.CyclesPerSecond == 1 {
		return "1 cycle a second"
	}
	return decimal.Number(c.CyclesPerSecond) + " cycles a second"
}

// estimateNote returns a note on the number of jobs without an estimate and on the assumed
// estimates. It returns "" if no job lacks an estimate or the scheduler ignores them.
func (k *planNotes) estimateNote(plan *config.Plan) string {
	p := &plan.Scheduler
	if k.jobs == 0 || !p.UsesEstimates {
		return ""
	}
	name, assumed := input.BaseName(plan.Workload.Trace), "their run times, as if users knew them"
	if p.MissingEstimate > 1 {
		assumed = fmt.Sprintf("%g times their run times", p.MissingEstimate)
	}
	switch {
	case k.noEstimates > 0:
		return fmt.Sprintf("%s: %d of %d jobs have no estimate; %s is given %s (%s = %g)", name,
			k.noEstimates, k.jobs, p.Policy, assumed, config.FieldMissingEstimate, p.MissingEstimate)
	case p.MissingEstimate > 1:
		return fmt.Sprintf("%s: no job lacks an estimate, so %s = %g changes nothing", name,
			config.FieldMissingEstimate, p.MissingEstimate)
	}
	return ""
}

// LinkNote returns the share of a link's bandwidth that the routers of a plan's network can use, and
// a note on it, on what limits it, and on what would raise it. The note is "" where they can use all
// of it, to half a percent.
func LinkNote(plan *config.Plan) (note string, share float64) {
	if plan.Workload.Source != config.SourceTraffic && plan.Job.Run == config.RunFixed {
		return "", 1
	}
	k, err := plan.Network.LinkShare()
	if err != nil || k.Share >= maxNotedShare {
		return "", 1 // what is wrong with a network is said where it is built
	}
	link := "a link"
	if k.Kind == router.Injection {
		link = "a link from a node"
	}
	if k.Channels > 1 {
		link += fmt.Sprintf(", over its %d virtual channels", k.Channels)
	}
	return fmt.Sprintf("the routers of this run carry at most %s of %s: a packet of %d flits takes "+
		"%s cycles or more of a virtual channel, since %s; %s", shareText(k.Share), link, k.Packet,
		decimal.Significant(math.Ceil(k.Cycles), 2), limitText(plan, k), remedyText(k)), k.Share
}

// maxNotedShare is the share of a link above which there is no note.
const maxNotedShare = 0.995

// shareText writes a share with two digits.
func shareText(share float64) string { return decimal.Significant(share, 2) }

// limitText says what limits the share of a link: the credit loop or the routing of the next head.
func limitText(plan *config.Plan, k netsim.LinkShare) string {
	if k.Share < k.Best {
		return fmt.Sprintf("a place in a buffer is free again %d cycles after a flit was sent to it "+
			"(%s = %d)", k.Link+k.Credit, config.FieldBufferFlits, plan.Network.BufferFlits)
	}
	return fmt.Sprintf("a head flit is routed once the tail before it has left the buffer "+
		"(%s = %d)", config.FieldRoutingCycles, plan.Network.RoutingCycles)
}

// maxChannels is the greatest network.virtual_channels.
const maxChannels = 64

// remedyText names the buffers and the number of virtual channels that would raise the share.
func remedyText(k netsim.LinkShare) string {
	var by []string
	if k.Share < k.Best {
		by = append(by, fmt.Sprintf("buffers of %d flits carry %s", k.Buffer, shareText(k.Best)))
	}
	field := config.FieldVirtualChannels
	if k.Kind == router.Injection {
		field = config.FieldNodeChannels
	}
	if k.Enough <= maxChannels {
		by = append(by, fmt.Sprintf("%s = %d carries all of it", field, k.Enough))
	}
	if len(by) == 0 {
		return "longer packets carry more"
	}
	return strings.Join(by, ", and ")
}

// DescribeTrace reads a log and returns a description of its jobs. The argument processors is the
// size of the machine; 0 takes it from the header of the log.
func DescribeTrace(path string, format scheduler.SWFFormat, processors int) (string, error) {
	l, err := config.ReadLog(path, format)
	if err != nil {
		return "", err
	}
	jobs, err := scheduler.ReadAll(l)
	if err != nil {
		return "", &input.Error{Problem: err.Error()}
	}
	if processors == 0 {
		processors, _ = l.Processors()
	}
	s := scheduler.NewTraceStats(jobs, processors)
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-22s %s\n", name, fmt.Sprintf(format, args...))
	}
	line("jobs", "%d, and %d lines left out", s.Jobs, l.Skipped)
	line("processors", "%d", s.Processors)
	if format.NodesField > 0 {
		line("sizes of jobs", "field %d of each line", format.NodesField)
	}
	line("submitted", "%s to %s s, %.1f days", seconds(s.First), seconds(s.Last),
		(s.Last-s.First)/86400)
	if s.SubmittedLoad > 0 {
		line("load", "%.4g", s.SubmittedLoad)
	}
	if s.LoadKnown {
		line("load by Eq. 2", "%.4g (Pascual et al. 2009)", s.Load)
	}
	line("work", "%.0f processor-seconds", s.Work)
	line("interarrival", "mean %.1f s, coefficient of variation %.2f", s.InterarrivalMean,
		s.InterarrivalCV)
	line("size", "mean %.2f, %.1f%% powers of two, %d different", s.MeanSize, 100*s.PowersOfTwo,
		len(s.Sizes))
	quantiles := func(name string, q scheduler.Quantiles) {
		line(name, "min %s, 25%% %s, median %s, 75%% %s, 90%% %s, 99%% %s, max %s, mean %.1f s",
			seconds(q.Min), seconds(q.Q25), seconds(q.Median), seconds(q.Q75), seconds(q.Q90),
			seconds(q.Q99), seconds(q.Max), q.Mean)
	}
	quantiles("run time", s.RunTime)
	if s.NoEstimate < s.Jobs {
		quantiles("estimate", s.Estimate)
	}
	line("no estimate", "%d of %d jobs", s.NoEstimate, s.Jobs)
	b.WriteString("\nsize  jobs\n")
	for _, c := range s.Sizes {
		fmt.Fprintf(&b, "%4d  %d\n", c.Size, c.Jobs)
	}
	warnings := l.Warnings
	if w := loadWarning(s.SubmittedLoad, s.Load, s.LoadKnown); w != "" {
		warnings = append(slices.Clip(warnings), w)
	}
	for _, w := range warnings {
		b.WriteString("\nwarning: " + w)
	}
	if len(warnings) > 0 {
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// seconds formats seconds with at most three decimals, and without trailing zeros.
func seconds(s float64) string {
	return strconv.FormatFloat(math.Round(s*1000)/1000, 'f', -1, 64)
}
