package scheduler

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Step is a part of a job of a Batsim workload. Each process waits for Seconds, and computes and
// sends at the same time. The next step begins when all processes have ended this one.
type Step struct {
	// Seconds is the time that each process waits.
	Seconds float64
	// Operations are the floating-point operations of each process.
	Operations float64
	// Bytes go from each process to each other one.
	Bytes float64
}

// batsimProfile is a profile of the file.
type batsimProfile struct {
	raw    []byte // the object of the file
	step   Step   // of a profile that is not composed
	spread bool   // step has the amounts of all processes together

	parts  []string // names of the profiles of a composed profile
	repeat int
	steps  int  // number of steps; 0 before they are counted, resolving while they are
	sum    Step // of all steps
}

const (
	// resolving marks a profile whose parts are being resolved.
	resolving = -1
	// maxSteps bounds the steps of a profile, and maxAmount operations and bytes.
	maxSteps  = 1 << 20
	maxAmount = 1e30
)

// Profile returns the name of the profile of a job.
func (b *Batsim) Profile(id JobID) string { return b.profileOf[id] }

// Steps returns the steps of a profile on a number of nodes, and how often a job repeats them.
func (b *Batsim) Steps(name string, nodes int) (list []Step, times int) {
	p := *b.profiles[name]
	times, p.repeat = p.repeat, 1
	return b.steps(nil, &p, float64(nodes)), times
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

// silent reports whether a job of the profile only waits.
func (p *batsimProfile) silent(nodes int) bool {
	return p.sum.Operations == 0 && (p.sum.Bytes == 0 || nodes == 1)
}

// The objects of the types of profiles.
type (
	delayFields struct {
		Type  string
		Delay *float64
		batsimIgnored
	}
	parallelFields struct {
		Type     string
		CPU, Com *float64
		Strategy string `json:"generation_strategy"`
		batsimIgnored
	}
	composedFields struct {
		Type   string
		Seq    []string
		Repeat int
		batsimIgnored
	}
)

// The generation strategies: amounts are those of each process, or of all processes together.
const (
	eachStrategy   = "DefinedAmountsUsedForEachValue"
	spreadStrategy = "DefinedAmountsSpreadUniformly"
)

// readProfile decodes and checks a profile.
func (r *batsimReader) readProfile(name string, raw []byte) (err error) {
	p := &batsimProfile{raw: raw, repeat: 1}
	r.profiles[name] = p
	what := fmt.Sprintf("the profile %q", name)
	var kind struct{ Type string }
	_ = json.Unmarshal(raw, &kind) // the cases below report what is wrong
	switch kind.Type {
	case "DelayProfile", "delay":
		var f delayFields
		if err = r.decode(what, raw, &f); err == nil {
			err = p.setAmount(r, what, "delay", f.Delay, maxSeconds, &p.step.Seconds)
		}
	case "ParallelTaskHomogeneousProfile", "parallel_homogeneous", "ptask_homogeneous":
		f := parallelFields{Strategy: eachStrategy}
		if err = r.decode(what, raw, &f); err == nil {
			err = p.setAmount(r, what, "cpu", f.CPU, maxAmount, &p.step.Operations)
		}
		if err == nil {
			err = p.setAmount(r, what, "com", f.Com, maxAmount, &p.step.Bytes)
		}
		p.spread = f.Strategy == spreadStrategy
		if err == nil && !p.spread && f.Strategy != eachStrategy {
			err = r.badPart(p.raw, "%s has the generation_strategy %.40q: it should be %s or %s", what,
				f.Strategy, eachStrategy, spreadStrategy)
		}
	case "SequentialCompositionProfile", "composed":
		f := composedFields{Repeat: 1}
		if err = r.decode(what, raw, &f); err == nil && len(f.Seq) == 0 {
			err = r.badPart(p.raw, "%s: seq should be a list of names of profiles", what)
		} else if err == nil && (f.Repeat < 1 || f.Repeat > maxSteps) {
			err = r.badPart(p.raw, "%s: repeat should be a whole number from 1 to %d", what, maxSteps)
		}
		p.parts, p.repeat = f.Seq, f.Repeat
	default:
		err = r.badPart(p.raw, "%s has the type %q: there are DelayProfile, "+
			"ParallelTaskHomogeneousProfile and SequentialCompositionProfile, and their former names "+
			"delay, parallel_homogeneous and composed", what, kind.Type)
	}
	return err
}

// setAmount sets a number of a profile, and refuses one that is not given or out of range.
func (p *batsimProfile) setAmount(r *batsimReader, what, field string, x *float64, limit float64,
	to *float64) error {
	if x == nil || !(*x >= 0 && *x <= limit) {
		return r.badPart(p.raw, "%s: %s should be a number from 0 to %v", what, field, limit)
	}
	*to = *x
	return nil
}

// resolveProfiles counts and sums the steps of all profiles, in the order of their names.
func (r *batsimReader) resolveProfiles() error {
	for _, name := range slices.Sorted(maps.Keys(r.profiles)) {
		if err := r.resolve(name); err != nil {
			return err
		}
	}
	return nil
}

// resolve counts and sums the steps of a profile, with those of its parts.
func (r *batsimReader) resolve(name string) error {
	p := r.profiles[name]
	switch {
	case p.steps == resolving:
		return r.badPart(p.raw, "the profile %q consists of itself", name)
	case p.steps > 0:
		return nil
	case p.parts == nil:
		p.steps, p.sum = 1, p.step
		return nil
	}
	p.steps = resolving
	steps := 0
	for _, part := range p.parts {
		k := r.profiles[part]
		if k == nil {
			return r.badPart(p.raw, "the profile %q consists of %q, which is none of the file", name, part)
		}
		if err := r.resolve(part); err != nil {
			return err
		}
		if steps += k.steps; steps > maxSteps/p.repeat {
			return r.badPart(p.raw, "the profile %q has more than %d steps", name, maxSteps)
		}
		times := float64(p.repeat)
		p.sum.Seconds += times * k.sum.Seconds
		p.sum.Operations += times * k.sum.Operations
		p.sum.Bytes += times * k.sum.Bytes
	}
	if p.steps = steps * p.repeat; !(p.sum.Seconds <= maxSeconds) {
		return r.badPart(p.raw, "the profile %q takes %v seconds: at most %v are possible", name,
			p.sum.Seconds, math.Trunc(maxSeconds))
	}
	return nil
}
