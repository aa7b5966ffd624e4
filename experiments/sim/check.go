package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/netsim"
	"contend/patterns"
	"contend/router/topology"
	"contend/scheduler"
)

// CheckParts returns an error if the allocator, the scheduler, the mapping or the network of a plan
// do not suit its machine, or if jobs cannot be calibrated on its reference. It makes no jobs.
func (s *Simulator) CheckParts(plan *config.Plan) error {
	if err := CheckJumps(plan, &metrics.Records{}); err != nil {
		return err
	}
	if plan.Workload.Source == config.SourceTraffic {
		return s.checkTraffic(plan)
	}
	if err := s.setScheduler(&Setup{}, plan, 0); err != nil {
		return err
	}
	if _, err := s.spanOrder(plan); err != nil {
		return err
	}
	if plan.Job.Run != config.RunMessages {
		return nil
	}
	if _, err := s.newMappingExecutor(plan, &Work{}, nil); err != nil {
		return err
	}
	if err := s.checkNetwork(plan); err != nil || !measures(plan) || plan.Reference == nil {
		return err
	}
	_, err := s.NewNetwork(plan.Reference, 0)
	return err
}

// measures reports whether jobs of a plan are measured alone before runs.
func measures(plan *config.Plan) bool { return plan.Calibrates || plan.MeasuresLoad }

// CheckJobs returns an error if the jobs of a plan cannot be placed, mapped or measured, or cannot
// communicate; of a log also those of the windows of all replications. Nothing is measured, which
// may take minutes: commands check the jobs of all plans before they measure those of any. Jobs of
// a log that compute between messages are checked by Check alone, since the measurement decides
// which of them send any.
func (s *Simulator) CheckJobs(ctx context.Context, plan *config.Plan, replications int) error {
	w := &plan.Workload
	if w.Source == config.SourceTraffic {
		return nil
	}
	_, err := s.memos.nominalJobs.until(ctx, plan.CheckID(), func() (struct{}, error) {
		var err error
		if measures(plan) {
			err = s.checkJobs(ctx, plan, 0, true)
		} else {
			err = s.checkFirst(ctx, plan)
		}
		windows := w.Source == config.SourceSWF && w.Window > 0
		for r := 1; r < replications && windows && err == nil; r++ {
			err = s.checkJobs(ctx, plan, r, true)
		}
		return struct{}{}, err
	})
	return stopped(ctx, err)
}

// Check returns an error if a plan cannot run. It checks the network, the allocator and the log,
// and whether each job can be placed and can communicate. Plans that differ only in the
// scheduler share the check of their jobs, because studies have hundreds of such points. It returns
// the error of the context if it is cancelled.
func (s *Simulator) Check(ctx context.Context, plan *config.Plan) error {
	err := s.CheckParts(plan)
	if err != nil || plan.Workload.Source == config.SourceTraffic {
		return err
	}
	return stopped(ctx, s.checkFirst(ctx, plan))
}

// checkFirst checks the jobs of the first replication of a plan, once for all plans that differ
// only in the scheduler.
func (s *Simulator) checkFirst(ctx context.Context, plan *config.Plan) error {
	_, err := s.memos.checkedJobs.until(ctx, plan.CheckID(), func() (struct{}, error) {
		return struct{}{}, s.checkJobs(ctx, plan, 0, false)
	})
	return err
}

// checkJobs checks whether the jobs of a replication of a plan, or nominal ones in their place, can
// be placed and can communicate.
func (s *Simulator) checkJobs(
	ctx context.Context, plan *config.Plan, replication int, nominal bool,
) error {
	sends := plan.Job.Run == config.RunMessages
	u, err := s.prepareJobs(ctx, plan, replication, nil, nominal)
	if err != nil {
		return err
	}
	if err := metrics.CheckTrim(plan, u.Work.Source); err != nil {
		return err
	}
	x, err := s.newMappingExecutor(plan, u.Work, nil)
	if err != nil {
		return err
	}
	mapping, _ := x.(*mappingExecutor)
	sizes := map[scheduler.JobID]int{}
	for {
		j, err := u.Work.Source.Next()
		if errors.Is(err, io.EOF) && replication > 0 {
			return nil // pairs are of jobs of the first one
		}
		if errors.Is(err, io.EOF) {
			return plan.RefuseSeriesPairs(sizes)
		}
		if len(plan.SeriesPairs) > 0 {
			sizes[j.ID] = j.Size
		}
		if err == nil {
			err = u.alloc.Check(j.Request())
		}
		if err == nil && sends && (j.Quota > 0 || j.Lead == 0) { // other jobs only compute
			if _, err = s.messages(u.Work, &j); err == nil {
				err = s.fitsMessages(u.Work, &j, plan.Network.PacketFlits)
			}
			if err == nil && mapping != nil {
				err = mapping.check(&j)
			}
		}
		if err != nil {
			return &input.Error{Problem: j.Wrap(s.logFile(plan.Workload.Trace), err).Error(),
				Right: otherSizes(plan, err)}
		}
	}
}

// otherSizes names the key that helps jobs of a log whose sizes their pattern does not support.
func otherSizes(plan *config.Plan, err error) string {
	var size *patterns.SizeError
	if plan.Workload.Source != config.SourceSWF || !errors.As(err, &size) {
		return ""
	}
	return fmt.Sprintf("%s = \"nearest\" rounds the sizes of the log to powers of two",
		config.FieldRoundSizes)
}

// checkNetwork checks the network of a plan, once for all plans with the same one: the seed of
// the routing decides nothing about it.
func (s *Simulator) checkNetwork(plan *config.Plan) error {
	key := networkKey{plan.MachineID(), plan.NetworkID(), plan.Network.MessageFlits,
		plan.Network.MessageMultiple, plan.FailsLinks()}
	_, err := s.memos.networks.of(key, func() (struct{}, error) {
		_, err := s.newFailingNetwork(plan, 0)
		return struct{}{}, err
	})
	if err != nil || len(plan.Failures) == 0 {
		return err
	}
	return s.checkFailing(plan)
}

// checkFailing checks the network of a plan and what fails in it: links that are slow may have no
// such bandwidth.
func (s *Simulator) checkFailing(plan *config.Plan) error {
	net, err := s.newFailingNetwork(plan, 0)
	if err == nil {
		_, err = newFailures(plan, 0, scheduler.Clock{}, net)
	}
	return err
}

// CheckJumps refuses rows and plans that need every flit, if the plan jumps over time, critical
// paths of jobs whose processes share a counter, and slowdowns of jobs that have none. Where
// messages take rails in turn, the rail of a message depends on all messages that its node has sent
// before, also those of jobs that have ended.
func CheckJumps(plan *config.Plan, r *metrics.Records) error {
	if r.Slowdowns {
		if err := checkSlowdowns(plan); err != nil {
			return err
		}
	}
	switch {
	case r.Interference && slices.ContainsFunc(plan.Job.Patterns, sharesCounter):
		return config.FieldCut.Bad(
			`take "round", or leave out --interference, and --record, which has it`,
			"%s is %s, and critical paths do not follow the draws from a counter", config.FieldCut,
			plan.Job.Patterns[0].Cut)
	case plan.FastForward == 0:
	case slices.ContainsFunc(plan.Job.Patterns, sharesCounter):
		return config.FieldFastForward.Bad("take 0, which simulates every flit",
			"%s is %g, and the messages that processes draw from a counter (%s) are known of no jump",
			config.FieldFastForward, plan.FastForward, config.FieldCut)
	case r.Links || r.Series || r.Interference:
		files := "interference.csv and critical-path.csv (which job waits for which)"
		if r.Links {
			files = "links.csv (what packets wait at each channel)"
		} else if r.Series {
			files = "series.csv and load.csv (what happens in each bin of time)"
		}
		return config.FieldFastForward.Bad(
			"take 0, which simulates every flit, or --jobs-csv, which is known of jumps too",
			"%s is %g, and time that is jumped over has no %s", config.FieldFastForward,
			plan.FastForward, files)
	case topology.Rails(plan.Machine) > 1 && plan.Network.Rail != netsim.RailByDestination &&
		plan.Network.Rail != netsim.RailByHost:
		return config.FieldFastForward.Bad(
			fmt.Sprintf(`take 0, which simulates every flit, or %s = "destination" or "host"`,
				config.FieldRail), "%s is %g, and the rail of a message depends on more than its nodes",
			config.FieldFastForward, plan.FastForward)
	}
	return nil
}

// checkSlowdowns refuses plans whose jobs have no slowdowns by single other jobs.
func checkSlowdowns(plan *config.Plan) error {
	const leave = "leave out --slowdowns"
	switch {
	case plan.Workload.Source == config.SourceTraffic || plan.Workload.Source == config.SourceBatsim:
		return config.FieldSource.Bad(leave, "%s is %s, and only jobs of patterns also run alone and "+
			"in pairs", config.FieldSource, plan.Workload.Source)
	case plan.Job.Run != config.RunMessages:
		return config.FieldRun.Bad(leave, "%s is %s, and jobs without a network slow nobody down",
			config.FieldRun, plan.Job.Run)
	case len(plan.Failures) > 0:
		return config.FieldFailures.Bad(leave, "%s has failures, and pairs of jobs run on a network "+
			"without any", config.FieldFailures)
	case slices.ContainsFunc(plan.Workload.Listed,
		func(j config.ListedJob) bool { return j.Background }):
		return config.FieldList.Bad(leave+", or give iterations", "jobs of %s go on without end",
			config.FieldList)
	case plan.FastForward > 0:
		return config.FieldFastForward.Bad("take 0, which simulates every flit, or "+leave+"; "+
			"runs.alone is known of jumps too", "%s is %g, and pairs of jobs do not jump: intervals rest "+
			"on audits of many jumps, and a pair has few", config.FieldFastForward, plan.FastForward)
	}
	return nil
}

// sharesCounter reports whether the processes of a pattern draw their messages from one counter.
func sharesCounter(p config.PatternPlan) bool { return p.SharesCounter() }

// CheckWindows refuses a plan whose replications are windows of a log, if the last one
// does not have all its jobs in the log: it would fail in mid-study, or have fewer jobs than the
// others.
func (s *Simulator) CheckWindows(plan *config.Plan, replications int) error {
	w := &plan.Workload
	if w.Source != config.SourceSWF || w.Window == 0 || replications < 2 {
		return nil
	}
	if w.Windows > 0 && replications > w.Windows {
		return config.FieldWindows.Bad(fmt.Sprintf("give %d, or %s = %d at most", replications,
			config.FieldReplications, w.Windows), "%s is %d, and %s asks for %d replications",
			config.FieldWindows, w.Windows, config.FieldReplications, replications)
	}
	last := replications - 1
	start := w.Start + last*w.Window
	usable, err := s.usableJobs(w)
	if err != nil {
		return err
	}
	if start < usable {
		seed, _ := plan.StreamSeed(last, "workload")
		jobs, err := s.logJobs(plan, start, patternWeights(plan), seed)
		if err != nil || len(jobs) >= w.Jobs {
			return err
		}
	}
	return config.FieldWindow.Bad(smallerWindow(w, last, usable),
		"%s is %d: replication %d begins after %d jobs of %s and has %d, but the log has %d jobs",
		config.FieldWindow, w.Window, last, start, s.logFile(w.Trace), w.Jobs, usable)
}

// smallerWindow says which window, or which number of replications, fits into a log.
func smallerWindow(w *config.WorkloadPlan, last, usable int) string {
	room := usable - w.Start - w.Jobs
	if fit := room / w.Window; fit > 0 && fit < last {
		return fmt.Sprintf("give %d at most, or %s = %d at most", room/last,
			config.FieldReplications, fit+1)
	}
	return fmt.Sprintf("give less, or a smaller %s", config.FieldReplications)
}

// usableJobs returns the number of jobs of a log that can be simulated, before transforms.
func (s *Simulator) usableJobs(w *config.WorkloadPlan) (int, error) {
	l, err := s.readLog(w)
	if err != nil {
		return 0, err
	}
	jobs, err := scheduler.ReadAll(l)
	return len(jobs), err
}
