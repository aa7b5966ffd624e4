package spec

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
)

// StreamSeed returns the two words that seed the PCG of one random stream of one
// replication. They depend only on runs.seed, the replication and the name of the
// stream. Runs that differ in anything else are therefore compared on common random
// numbers (Law, Simulation Modeling and Analysis, sec. 11.2): the same jobs, of the
// same sizes, patterns, quotas and submission times, as far as the keys of their own
// distributions are the same.
func (s *Spec) StreamSeed(replication int, stream string) (uint64, uint64) {
	text := fmt.Sprintf("seed = %d\nreplication = %d\nstream = %q\n", s.Seed, replication, stream)
	h := sha256.Sum256([]byte(text))
	return binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])
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
		mix := s.sent()
		add("patterns", len(s.mixed()) > 1 && s.Workload.Source != "together")
		add("partners", slices.ContainsFunc(mix, s.Registry.drawsPartners))
	}
	if s.Job.Run == "messages" {
		add("routes", s.drawsRoutes())
		add("virtual channels", s.Network.VCSelect == "random" && s.choosesChannels())
	}
	if queued.Holds(s) {
		add("places", s.drawsPlaces(s.Allocator.Name))
		add("places of scheduler.decision", s.drawsPlaces(s.Scheduler.Decision))
	}
	return list
}

// drawsJobs lists the random draws that make jobs.
func (s *Spec) drawsJobs(add func(what string, drawn bool)) {
	w, exponential := &s.Workload, "exponential"
	quotas := s.Job.Run == "messages" && s.Job.Quota.PerSecond == 0 &&
		s.Job.Quota.Distribution == exponential
	arrivals := w.Interarrival.Distribution == exponential && w.InterarrivalMean() > 0
	switch w.Source {
	case "synthetic":
		add("sizes", w.Processors == 0 && w.Side.Distribution != "fixed" &&
			(w.Side.Max == 0 || w.Side.Min < w.Side.Max))
		add("submissions", arrivals)
		add("run times", s.Job.Run == "fixed" && w.Service.Distribution == exponential)
	case "lublin":
		add("jobs", true)
	case "cplant-stream":
		add("submissions", arrivals)
		add("run times", DrawnServices.Holds(s) && w.Service.Distribution == exponential)
	case "traffic":
		add("messages", true)
		return
	case "together":
		p, err := ParsePlacement(w.Placement)
		add("places", err == nil && p.draws())
		return
	}
	add("quotas", quotas)
	if w.Source != "synthetic" {
		add("submission times", w.Shake > 0)
		add("copies of jobs", w.Replication > 1)
	}
}

// Varies tells whether replications differ, because of random draws or because they are
// windows of a log.
func (s *Spec) Varies() bool { return s.Workload.Window > 0 || len(s.Draws()) > 0 }
