package scheduler

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// Step is a part of what a job of a Batsim workload does. Its processes do a step together: each
// computes, and then sends bytes to every other one. The next step begins when all has arrived.
type Step struct {
	// Seconds is the time that each process computes, beside Operations.
	Seconds float64
	// Operations are the floating-point operations of each process.
	Operations float64
	// Bytes go from each process to each other one.
	Bytes float64
}

// batsimProfile is what jobs do.
type batsimProfile struct {
	name   string
	line   int
	step   Step // of a profile that is not composed
	spread bool // its amounts are those of all processes together

	parts  []string // of a composed profile
	repeat int
	state  uint8 // while profiles are resolved: 1 if the parts are looked at, 2 if they are known
	steps  int   // its number of steps
	talks  bool  // there is communication
	works  bool  // there are operations
}

// mostSteps bounds the steps of a profile.
const mostSteps = 1 << 20

// Profile returns the name of the profile of a job.
func (b *Batsim) Profile(id JobID) string { return b.profileOf[id] }

// ProfileLine returns the line of the file in which a profile begins.
func (b *Batsim) ProfileLine(name string) int { return b.profiles[name].line }

// Steps returns what a job of a profile does on a number of nodes.
func (b *Batsim) Steps(name string, nodes int) []Step {
	return b.steps(nil, b.profiles[name], float64(nodes))
}

// steps appends the steps of a profile.
func (b *Batsim) steps(dst []Step, p *batsimProfile, nodes float64) []Step {
	if p.parts == nil {
		s := p.step
		if p.spread {
			s.Operations /= nodes
			s.Bytes /= max(1, nodes*(nodes-1))
		}
		if nodes == 1 {
			s.Bytes = 0
		}
		return append(dst, s)
	}
	for range p.repeat {
		for _, part := range p.parts {
			dst = b.steps(dst, b.profiles[part], nodes)
		}
	}
	return dst
}

// Silent reports whether a job only waits, for its run time.
func (b *Batsim) Silent(j *Job) bool { return b.profiles[b.profileOf[j.ID]].silent(j.Size) }

func (p *batsimProfile) silent(nodes int) bool { return !p.works && !(p.talks && nodes > 1) }

// The types of profiles and their former names.
var (
	delayTypes    = []string{"DelayProfile", "delay"}
	parallelTypes = []string{"ParallelTaskHomogeneousProfile", "parallel_homogeneous",
		"ptask_homogeneous"}
	composedTypes = []string{"SequentialCompositionProfile", "composed"}
)

// readProfile reads a profile.
func (r *batsimReader) readProfile(name string) error {
	p := &batsimProfile{name: name, line: r.line, repeat: 1}
	if r.profiles[name] != nil {
		return r.fail(p.line, "there is a profile %q in line %d too", name, r.profiles[name].line)
	}
	fields, err := r.object("the profile " + name)
	if err != nil {
		return err
	}
	r.profiles[name] = p
	var kind string
	if !decodes(fields["type"], &kind) {
		return r.fail(p.line, "the profile %q has no type", name)
	}
	known := []string{"type"}
	switch {
	case slices.Contains(delayTypes, kind):
		known = append(known, "delay")
		err = r.amounts(p, fields, map[string]*float64{"delay": &p.step.Seconds})
	case slices.Contains(parallelTypes, kind):
		known = append(known, "cpu", "com", "generation_strategy")
		err = r.amounts(p, fields, map[string]*float64{"cpu": &p.step.Operations, "com": &p.step.Bytes})
		if err == nil {
			err = r.strategy(p, fields["generation_strategy"])
		}
	case slices.Contains(composedTypes, kind):
		known = append(known, "seq", "repeat")
		err = r.composed(p, fields)
	default:
		return r.fail(p.line, "the profile %q has the type %q: there are DelayProfile, "+
			"ParallelTaskHomogeneousProfile and SequentialCompositionProfile, and their former names "+
			"delay, parallel_homogeneous and composed", name, kind)
	}
	if err != nil {
		return err
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(known, field) && !slices.Contains(batsimIdle, field) && field != batsimExtra {
			return r.fail(p.line, "the profile %q has the field %q, which is unknown", name, field)
		}
	}
	return nil
}

// mostAmount bounds operations and bytes.
const mostAmount = 1e30

// amounts sets the numbers of a profile.
func (r *batsimReader) amounts(p *batsimProfile, fields map[string]json.RawMessage,
	to map[string]*float64) error {
	for _, field := range slices.Sorted(maps.Keys(to)) {
		raw, x, most := fields[field], to[field], mostAmount
		if field == "delay" {
			most = maxSeconds
		}
		if raw == nil {
			return r.fail(p.line, "the profile %q has no %s", p.name, field)
		}
		if !decodes(raw, x) || !(*x >= 0 && *x <= most) {
			return r.fail(p.line, "the profile %q: %s is %.40s: it should be a number from 0 to %v", p.name,
				field, raw, most)
		}
	}
	return nil
}

// strategy sets whether the amounts of a profile are those of each process or of all.
func (r *batsimReader) strategy(p *batsimProfile, raw json.RawMessage) error {
	strategy := "DefinedAmountsUsedForEachValue"
	if raw != nil && !decodes(raw, &strategy) {
		strategy = string(raw)
	}
	p.spread = strategy == "DefinedAmountsSpreadUniformly"
	if !p.spread && strategy != "DefinedAmountsUsedForEachValue" {
		return r.fail(p.line, "the profile %q has the generation_strategy %.40q: it should be "+
			"DefinedAmountsUsedForEachValue or DefinedAmountsSpreadUniformly", p.name, strategy)
	}
	return nil
}

// composed sets the parts of a profile.
func (r *batsimReader) composed(p *batsimProfile, fields map[string]json.RawMessage) error {
	if !decodes(fields["seq"], &p.parts) || len(p.parts) == 0 {
		return r.fail(p.line, "the profile %q: seq should be a list of names of profiles", p.name)
	}
	if raw := fields["repeat"]; raw != nil && !decodes(raw, &p.repeat) ||
		p.repeat < 1 || p.repeat > mostSteps {
		return r.fail(p.line, "the profile %q: repeat should be a whole number from 1 to %d", p.name,
			mostSteps)
	}
	return nil
}

// resolveProfiles finds the parts of composed profiles.
func (r *batsimReader) resolveProfiles() error {
	for _, name := range slices.Sorted(maps.Keys(r.profiles)) {
		if err := r.resolve(r.profiles[name]); err != nil {
			return err
		}
	}
	return nil
}

// resolve finds out what a profile consists of.
func (r *batsimReader) resolve(p *batsimProfile) error {
	switch {
	case p.state == 1:
		return r.fail(p.line, "the profile %q consists of itself", p.name)
	case p.state == 2:
		return nil
	case p.parts == nil:
		p.state, p.steps = 2, 1
		p.talks, p.works = p.step.Bytes > 0, p.step.Operations > 0
		return nil
	}
	p.state = 1
	for _, name := range p.parts {
		part := r.profiles[name]
		if part == nil {
			return r.fail(p.line, "the profile %q consists of %q, which is none of the file", p.name, name)
		}
		if err := r.resolve(part); err != nil {
			return err
		}
		p.steps += part.steps
		p.step.Seconds += part.step.Seconds
		p.talks, p.works = p.talks || part.talks, p.works || part.works
		if p.steps > mostSteps/p.repeat {
			return r.fail(p.line, "the profile %q has more than %d steps", p.name, mostSteps)
		}
	}
	p.steps *= p.repeat
	p.step.Seconds *= float64(p.repeat)
	if !(p.step.Seconds <= maxSeconds) {
		return r.fail(p.line, "the profile %q takes %v seconds: at most %v are possible", p.name,
			p.step.Seconds, math.Trunc(maxSeconds))
	}
	p.state = 2
	return nil
}
