package cli

import (
	"fmt"
	"strings"

	"contend/experiments"
	"contend/experiments/sim"
	"contend/internal/decimal"
	"contend/internal/input"
)

// From nearShare of what routers carry at most of a link a load is near to it, and so is one at
// which packets take slowdown times as long as in the idle network.
const nearShare, slowdown = 0.7, 2

// linkNotes returns at most one note: at the point whose load comes nearest to the share of a link
// that the routers can carry, if it comes near, that share and what limits it. Where links are
// loaded less, the limit changes little.
func linkNotes(r *experiments.Results) []string {
	note, nearest, near := "", 0.0, 0
	for i := range r.Points {
		p := &r.Points[i]
		plan, err := p.Spec.Plan()
		if err != nil {
			continue // a point without its log
		}
		text, share := sim.LinkNote(plan)
		part, load := nearness(r, i, share)
		if text == "" || part < 1 {
			continue
		}
		near++
		if part > nearest {
			nearest, note = part, fmt.Sprintf("%s, and %s", load, text)
			if at := strings.Join(p.Labels, ", "); at != "" {
				note = "at " + at + " " + note
			}
		}
	}
	switch near {
	case 0:
		return nil
	case 1:
		return []string{note}
	}
	return []string{fmt.Sprintf("%s (%s come near to what routers carry)", note,
		input.Plural(near, "point"))}
}

// nearness returns how near the load of a point comes to a share of a link, from 1 on for near, and
// what it is, in words: for jobs by the busiest channel, for traffic by latencies.
func nearness(r *experiments.Results, point int, share float64) (part float64, load string) {
	if e, ok := r.Estimate(point, "max_channel_utilization"); ok {
		busiest := e.Mean / 100
		return busiest / share / nearShare, fmt.Sprintf("the busiest channel carries flits for %s of "+
			"the time", decimal.Significant(busiest, 2))
	}
	latency, ok := r.Estimate(point, "latency")
	idle, known := r.Estimate(point, "idle_latency")
	if !ok || !known {
		return 0, ""
	}
	times := latency.Mean / idle.Mean
	return times / slowdown, fmt.Sprintf("packets take %s times as long as in the idle network",
		decimal.Significant(times, 2))
}
