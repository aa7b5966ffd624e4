package cli

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/internal/decimal"
	"contend/internal/input"
)

// loadsNotGiven says whose the loads are if no flag gives them, "" if one does.
func (f *netFlags) loadsNotGiven() string {
	isLoad := func(axis string) bool {
		key, _, _ := strings.Cut(axis, "=")
		return strings.TrimSpace(key) == string(config.FieldTrafficLoad)
	}
	switch {
	case f.loads != "" || slices.ContainsFunc(f.run.axes, isLoad):
		return ""
	case f.booksim != "":
		return "the load of " + f.booksim
	}
	return "the lowest load by default"
}

// saturatedNotes returns a note if the network is saturated at the lowest load of a curve, since
// then the curve has no point below saturation. whose says whose loads they are, "" if the user's.
func saturatedNotes(r *experiments.Results, whose string) []string {
	if whose == "" {
		return nil
	}
	var full []int // points
	for _, curve := range r.Study.Curves(r.Points) {
		if e, ok := r.Estimate(curve[0], "saturated"); ok && sim.MostSaturated(e.Mean) {
			full = append(full, curve[0])
		}
	}
	if len(full) == 0 {
		return nil
	}
	p, others := &r.Points[full[0]], ""
	accepted, _ := r.Estimate(full[0], "accepted_load")
	if n := len(full) - 1; n > 0 {
		others = fmt.Sprintf(", and it begins saturated on %s", input.Plural(n, "other curve"))
	}
	return []string{fmt.Sprintf("the network is saturated at %s: at %s it accepted %s flits per node "+
		"and cycle%s: give smaller loads with --loads%s", whose, strings.Join(p.Labels, ", "),
		decimal.Significant(accepted.Mean, 3), others, creditText(&p.Spec))}
}

// creditText suggests larger buffers where those of a virtual channel do not cover the time in
// which a credit returns.
func creditText(s *config.Spec) string {
	plan, err := s.Plan()
	if err != nil {
		return ""
	}
	k, err := plan.Network.LinkShare()
	if err != nil || plan.Network.BufferFlits >= k.RoundTrip {
		return ""
	}
	return fmt.Sprintf(", or a larger %s, which is %d where a credit of the slowest link returns "+
		"after the time of %d flits", config.FieldBufferFlits, plan.Network.BufferFlits, k.RoundTrip)
}
