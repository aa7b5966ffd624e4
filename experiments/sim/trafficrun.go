package sim

import (
	"context"
	"errors"

	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/scheduler"
)

// checkTraffic returns an error if a plan of traffic cannot run.
func (s *Simulator) checkTraffic(plan *config.Plan) error {
	if _, err := s.newFailingNetwork(plan, 0); err != nil {
		return err
	}
	w := &plan.Workload.Traffic
	tr, err := NewTraffic(plan, 0)
	var file *input.Error
	if errors.As(err, &file) {
		return file
	}
	if err != nil {
		return config.FieldTraffic.Bad("take uniform or hotspot, or another machine",
			"%s is %s: %v", config.FieldTraffic, w.Pattern, err)
	}
	if err := tr.Check(); err != nil {
		return config.FieldTrafficLoad.Refuse(err)
	}
	return nil
}

// runTraffic simulates one replication of a plan of traffic (workload.source = "traffic").
func (s *Simulator) runTraffic(
	ctx context.Context, plan *config.Plan, replication int, rows *metrics.Records,
) (r metrics.Result, err error) {
	if err := s.checkTraffic(plan); err != nil {
		return r, err
	}
	net, err := s.newFailingNetwork(plan, replication)
	if err != nil {
		return r, err
	}
	var t *metrics.Timeline
	if rows.Series {
		t = metrics.NewTimeline(plan, scheduler.Clock{}, net)
	}
	f, err := newFailures(plan, replication, scheduler.Clock{}, net)
	if err != nil {
		return r, err
	}
	p, err := measureLoad(ctx, plan, replication, net, f)
	if err != nil {
		return r, err
	}
	if rows.Links {
		rows.LinkRows = metrics.LinkRows(net)
	}
	if t != nil {
		rows.SeriesRows, rows.LoadRows = t.Rows(0)
	}
	if rows.Failures {
		rows.FailureRows = f.rows(plan)
	}
	if rows.Lengths {
		rows.LengthRows = p.lengthRows()
	}
	r = p.Result()
	r.AddFailures(net)
	r.Complete(plan, 1)
	return r, nil
}
