package scheduler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
)

// Batsim is a workload of the simulator Batsim (Dutot, Mercier, Poquet and Richard, "Batsim: a
// realistic language-independent resources and jobs management systems simulator", JSSPP 2016): a
// file in JSON with jobs, and profiles that define the work of jobs.
type Batsim struct {
	// SWF has the jobs as lines of a log, and nb_res as the size of its machine in its header.
	// The run time of a job is the sum of its delays, and the estimate its walltime. Jobs are
	// numbered in the order of the file unless all ids are whole numbers.
	SWF

	profiles  map[string]*batsimProfile
	profileOf map[JobID]string
}

// OpenBatsim reads the workload in a file.
func OpenBatsim(path string) (*Batsim, error) {
	text, err := input.ReadFile(path, input.WorkloadLimits)
	if err != nil {
		return nil, err
	}
	return ReadBatsim(path, text)
}

// ReadBatsim reads a workload. The name is for messages.
func ReadBatsim(name string, text []byte) (*Batsim, error) {
	b := &Batsim{SWF: SWF{Name: name}, profiles: map[string]*batsimProfile{},
		profileOf: map[JobID]string{}}
	r := &batsimReader{Batsim: b, text: text}
	if err := r.read(); err != nil {
		return nil, err
	}
	if err := b.checkLines(); err != nil {
		return nil, err
	}
	return b, nil
}

// batsimReader reads a workload into a Batsim.
type batsimReader struct {
	*Batsim
	text []byte
	jobs []batsimJob // in the order of the file
}

// batsimFile is the object of the file.
type batsimFile struct {
	Resources int `json:"nb_res"`
	Jobs      []json.RawMessage
	Profiles  map[string]json.RawMessage
	batsimIgnored
}

// batsimIgnored are the fields without an effect on jobs: fields of Batsim's own workloads,
// extra_data, which Batsim passes to the scheduler, and ret, the exit status of a job.
type batsimIgnored struct {
	Description, Command, Comments, Date, NP, Runtime, Ret json.RawMessage

	Expected json.RawMessage `json:"expected_execution_time"`
	State    json.RawMessage `json:"expected_state"`
	Extra    json.RawMessage `json:"extra_data"`
}

// batsimJob is a job of the file. Pointers are nil for fields that are not given.
type batsimJob struct {
	line              int
	id                string          // ID without quotes
	ID                json.RawMessage // a text or a number
	Subtime, Walltime *float64
	Res               *int
	Profile           *string
	batsimIgnored
}

// badPart returns an error at the line at which a part of the text begins.
func (r *batsimReader) badPart(part []byte, format string, args ...any) error {
	before := r.text[:max(0, bytes.Index(r.text, part))]
	return r.bad(1+bytes.Count(before, []byte("\n")), format, args...)
}

// decode decodes an object into a struct and refuses fields that the struct does not have.
func (r *batsimReader) decode(what string, raw []byte, to any) error {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	err := in.Decode(to)
	var bad *json.UnmarshalTypeError
	switch {
	case errors.As(err, &bad) && bad.Field != "":
		return r.badPart(raw, "%s: %s has the %s: it should be %s", what, strings.ToLower(bad.Field),
			bad.Value, kindsOfValues[bad.Type.Kind()])
	case errors.As(err, &bad):
		return r.badPart(raw, "%s is the %s: it should be an object", what, bad.Value)
	case err != nil:
		return r.badPart(raw, "%s has an %s", what, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// kindsOfValues describes the values of fields of each kind, for errors.
var kindsOfValues = map[reflect.Kind]string{reflect.Int: "a whole number",
	reflect.Float64: "a number", reflect.String: "a text", reflect.Slice: "a list",
	reflect.Map: "an object"}

// read reads the profiles and jobs of the file.
func (r *batsimReader) read() error {
	var syntax *json.SyntaxError
	if err := json.Unmarshal(r.text, new(json.RawMessage)); errors.As(err, &syntax) {
		line := 1 + bytes.Count(r.text[:min(int(syntax.Offset), len(r.text))], []byte("\n"))
		return r.bad(line, "it is no workload of Batsim: %v", input.JSONProblem(r.text, err))
	}
	if err := input.CheckJSON(r.text); err != nil {
		return r.bad(0, "it is no workload of Batsim: %v", err)
	}
	var f batsimFile
	if err := r.decode("a workload with nb_res, jobs and profiles", r.text, &f); err != nil {
		return err
	}
	switch {
	case f.Resources < 1 || f.Resources > maxProcessors:
		return r.bad(0, "nb_res should be a whole number of machines, 1 to %d", maxProcessors)
	case len(f.Jobs) > maxLines:
		return r.bad(0, "there are more than %d jobs: take a part of the workload", maxLines)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Profiles)) {
		if err := r.readProfile(name, f.Profiles[name]); err != nil {
			return err
		}
	}
	line, at := 1, 0 // of the job before: the decoder says none
	for _, raw := range f.Jobs {
		from := at
		at += max(0, bytes.Index(r.text[at:], raw))
		line += bytes.Count(r.text[from:at], []byte("\n"))
		if err := r.readJob(line, raw); err != nil {
			return err
		}
	}
	if err := r.resolveProfiles(); err != nil {
		return err
	}
	r.Comments = []string{fmt.Sprintf("; MaxProcs: %d", f.Resources)}
	return r.addJobs()
}

// readJob decodes and checks a job.
func (r *batsimReader) readJob(line int, raw []byte) error {
	none := -1.0
	j := batsimJob{line: line, Walltime: &none}
	if err := r.decode("a job", raw, &j); err != nil {
		return err
	}
	j.id = strings.Trim(string(j.ID), `"`)
	number := func(x *float64) bool { return x != nil && *x >= 0 && *x <= maxSeconds }
	for _, k := range []struct {
		ok          bool
		name, right string
	}{
		{strings.Trim(j.id, "[{") == j.id && j.id != "null" && j.id != "", "id",
			"a text or a whole number"},
		{number(j.Subtime), "subtime", "a time in seconds, 0 to 1e12"},
		{j.Walltime != nil && *j.Walltime == -1 || number(j.Walltime) && *j.Walltime > 0, "walltime",
			"a time in seconds above 0, at most 1e12, or -1 for none"},
		{j.Res != nil && *j.Res >= 1 && *j.Res <= maxProcessors, "res",
			"a whole number of machines, 1 to " + strconv.Itoa(maxProcessors)},
		{j.Profile != nil, "profile", "the name of a profile"},
	} {
		if !k.ok {
			return r.bad(j.line, "job %s: %s should be %s", j.id, k.name, k.right)
		}
	}
	r.jobs = append(r.jobs, j)
	return nil
}

// addJobs adds the jobs as lines of a log.
func (r *batsimReader) addJobs() error {
	whole := !slices.ContainsFunc(r.jobs, func(j batsimJob) bool {
		n, err := strconv.ParseInt(j.id, 10, 64)
		return err != nil || n < -maxWhole || n > maxWhole || strconv.FormatInt(n, 10) != j.id
	})
	lines, busy, extra := map[string]int{}, 0, 0
	for i, j := range r.jobs {
		if first, twice := lines[j.id]; twice {
			return r.bad(j.line, "job %s: line %d has a job of this id too", j.id, first)
		}
		lines[j.id] = j.line
		p := r.profiles[*j.Profile]
		if p == nil {
			return r.bad(j.line, "job %s has the profile %q, which is none of the file", j.id, *j.Profile)
		}
		id := float64(i + 1)
		if whole {
			id, _ = strconv.ParseFloat(j.id, 64)
		}
		s := SWFLine{Line: j.line}
		for k := range s.Fields {
			s.Fields[k] = -1
		}
		nodes := float64(*j.Res)
		s.Fields[swfJob], s.Fields[swfSubmit], s.Fields[swfEstimate] = id, *j.Subtime, *j.Walltime
		s.Fields[swfAllocated], s.Fields[swfRequested], s.Fields[swfStatus] = nodes, nodes, 1
		s.Fields[swfRun] = p.sum.Seconds
		if !p.silent(*j.Res) {
			busy++
		}
		if j.Extra != nil {
			extra++
		}
		r.Lines = append(r.Lines, s)
		r.profileOf[JobID(id)] = *j.Profile
	}
	if extra > 0 {
		r.warn("%s with extra_data, which is ignored", countText(extra, "job", "jobs"))
	}
	if busy > 0 {
		r.warn("%s, so that their run times are not known before",
			countText(busy, "job computes or communicates", "jobs compute or communicate"))
	}
	return nil
}

// Step is a part of a job of a Batsim workload. Each process waits for Seconds, and computes and
// sends at the same time. The next step begins when all processes have ended this step.
type Step struct {
	// Seconds is the time that each process waits.
	Seconds float64
	// Operations are the floating-point operations of each process.
	Operations float64
	// Bytes is the number of bytes from each process to each other process.
	Bytes float64
}

// batsimProfile is a profile of the file.
type batsimProfile struct {
	raw    []byte // the object of the file
	step   Step   // of a profile that is not composed
	spread bool   // step has the amounts of all processes together

	parts  []string // names of the profiles of a composed profile
	repeat int
	steps  int  // number of steps; 0 before the count, resolving during it
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
