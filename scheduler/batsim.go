package scheduler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/bounded"
)

// Batsim is a workload of the simulator Batsim (Dutot, Mercier, Poquet and Richard, "Batsim: a
// realistic language-independent resources and jobs management systems simulator", JSSPP 2016): a
// file in JSON with jobs, and profiles that say what jobs do.
type Batsim struct {
	// SWF has the jobs as lines of a log, and nb_res as the size of its machine in its header.
	// The run time of a job is the sum of its delays, and the estimate its walltime. Jobs are
	// numbered in the order of the file unless all ids are whole numbers.
	SWF
	// Resources is nb_res.
	Resources int

	profiles  map[string]*batsimProfile
	profileOf map[JobID]string
}

// batsimIdle are the fields that say nothing of what jobs do: those of Batsim's own workloads.
// "ret" is what a job returns when it ends.
var batsimIdle = []string{"description", "command", "comments", "date", "np", "runtime", "ret",
	"expected_execution_time", "expected_state"}

// batsimExtra is the field that Batsim hands to the program that schedules.
const batsimExtra = "extra_data"

// OpenBatsim reads the workload in a file.
func OpenBatsim(path string) (*Batsim, error) {
	text, err := bounded.ReadFile(path, bounded.Workload)
	var bad *bounded.Error
	switch {
	case errors.As(err, &bad):
		return nil, asSWFError(bad)
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("trace %w", err)
	case err != nil:
		return nil, err
	}
	return ReadBatsim(path, text)
}

// ReadBatsim reads a workload. The name is for messages.
func ReadBatsim(name string, text []byte) (*Batsim, error) {
	b := &Batsim{SWF: SWF{Name: name}, profiles: map[string]*batsimProfile{},
		profileOf: map[JobID]string{}}
	r := &batsimReader{Batsim: b, text: text, line: 1}
	r.dec = json.NewDecoder(bytes.NewReader(text))
	if err := r.read(); err != nil {
		return nil, err
	}
	if err := b.settle(); err != nil {
		return nil, err
	}
	return b, nil
}

// batsimReader reads a workload and knows the line that it reads.
type batsimReader struct {
	*Batsim
	text  []byte
	dec   *json.Decoder
	at    int // offset up to which lines are counted
	line  int
	jobs  []batsimJob
	extra int // jobs with the field extra_data
}

// batsimJob is a job of the file.
type batsimJob struct {
	line                     int
	id, profile              string
	subtime, walltime, nodes float64
}

// here returns the line of the next value.
func (r *batsimReader) here() int {
	end := int(r.dec.InputOffset())
	for end < len(r.text) && strings.IndexByte(" \t\r\n,:", r.text[end]) >= 0 {
		end++
	}
	r.line += bytes.Count(r.text[r.at:end], []byte("\n"))
	r.at = end
	return r.line
}

// fail returns an error at a line.
func (r *batsimReader) fail(line int, format string, args ...any) error {
	return &SWFError{File: r.Name, Line: line, Problem: fmt.Sprintf(format, args...)}
}

// wrong returns the error of the decoder.
func (r *batsimReader) wrong(err error) error {
	var syntax *json.SyntaxError
	line := r.line
	switch {
	case errors.As(err, &syntax):
		line = 1 + bytes.Count(r.text[:min(int(syntax.Offset), len(r.text))], []byte("\n"))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		line = 1 + bytes.Count(r.text, []byte("\n"))
		err = errors.New("the file ends too early")
	}
	return r.fail(line, "it is no workload of Batsim: %v", err)
}

// open reads the beginning of an object or an array.
func (r *batsimReader) open(what string, begin json.Delim) error {
	line := r.here()
	t, err := r.dec.Token()
	if err != nil {
		return r.wrong(err)
	}
	if t != begin {
		return r.fail(line, "%s should begin with %v", what, begin)
	}
	return nil
}

// fields reads an object and calls f for each of its fields.
func (r *batsimReader) fields(what string, f func(name string) error) error {
	if err := r.open(what, '{'); err != nil {
		return err
	}
	for r.dec.More() {
		t, err := r.dec.Token()
		if err != nil {
			return r.wrong(err)
		}
		r.here()
		if err := f(t.(string)); err != nil {
			return err
		}
	}
	_, err := r.dec.Token()
	if err != nil {
		return r.wrong(err)
	}
	return nil
}

// object reads a flat object.
func (r *batsimReader) object(what string) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	err := r.fields(what, func(name string) error {
		if _, twice := fields[name]; twice {
			return r.fail(r.line, "%s has %q twice", what, name)
		}
		var raw json.RawMessage
		if err := r.dec.Decode(&raw); err != nil {
			return r.wrong(err)
		}
		fields[name] = raw
		return nil
	})
	return fields, err
}

// read reads the file.
func (r *batsimReader) read() error {
	err := r.fields("a workload of Batsim", func(name string) error {
		line := r.line
		switch {
		case name == "nb_res":
			if err := r.dec.Decode(&r.Resources); err != nil || r.Resources < 1 ||
				r.Resources > maxProcessors {
				return r.fail(line, "nb_res should be a whole number of machines, 1 to %d", maxProcessors)
			}
			return nil
		case name == "jobs":
			return r.readJobs()
		case name == "profiles":
			return r.fields("profiles", r.readProfile)
		case slices.Contains(batsimIdle, name):
			var raw json.RawMessage
			if err := r.dec.Decode(&raw); err != nil {
				return r.wrong(err)
			}
			return nil
		}
		return r.fail(line, "the field %q is unknown: a workload has nb_res, jobs and profiles", name)
	})
	if err != nil {
		return err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return r.fail(r.here(), "there is more behind the workload")
	}
	if r.Resources == 0 {
		return r.fail(0, "nb_res is missing, the number of machines")
	}
	if err := r.resolveProfiles(); err != nil {
		return err
	}
	r.Comments = []string{fmt.Sprintf("; MaxProcs: %d", r.Resources)}
	if r.extra > 0 {
		r.warn("%s with extra_data, which nobody reads here", count(r.extra, "job", "jobs"))
	}
	return r.addJobs()
}

// readJobs reads the jobs.
func (r *batsimReader) readJobs() error {
	if err := r.open("jobs", '['); err != nil {
		return err
	}
	for r.dec.More() {
		if len(r.jobs) == maxLines {
			return r.fail(r.here(), "there are more than %d jobs: take a part of the workload", maxLines)
		}
		j := batsimJob{line: r.here(), walltime: -1}
		fields, err := r.object("a job")
		if err != nil {
			return err
		}
		if err := r.fillJob(&j, fields); err != nil {
			return err
		}
		r.jobs = append(r.jobs, j)
	}
	_, err := r.dec.Token()
	if err != nil {
		return r.wrong(err)
	}
	return nil
}

// fillJob sets the fields of a job.
func (r *batsimReader) fillJob(j *batsimJob, fields map[string]json.RawMessage) error {
	for _, name := range []string{"id", "subtime", "res", "profile"} {
		if fields[name] == nil {
			return r.fail(j.line, "a job has no %s", name)
		}
	}
	id := strings.Trim(string(fields["id"]), `"`)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		raw := fields[name]
		ok, right := true, ""
		switch {
		case name == "id":
			var n int64
			if ok = decodes(raw, &j.id); !ok {
				ok = decodes(raw, &n)
				j.id = strconv.FormatInt(n, 10)
			}
			right = "a text or a whole number"
		case name == "subtime":
			ok = r.number(raw, &j.subtime) && j.subtime >= 0
			right = fmt.Sprintf("a time in seconds, 0 to %v", float64(maxSeconds))
		case name == "walltime":
			ok = r.number(raw, &j.walltime) && (j.walltime > 0 || j.walltime == -1)
			right = fmt.Sprintf("a time in seconds above 0, at most %v, or -1 for none", float64(maxSeconds))
		case name == "res":
			ok = r.number(raw, &j.nodes) && j.nodes >= 1 && j.nodes == math.Trunc(j.nodes) &&
				j.nodes <= maxProcessors
			right = fmt.Sprintf("a whole number of machines, 1 to %d", maxProcessors)
		case name == "profile":
			ok, right = decodes(raw, &j.profile), "the name of a profile"
		case name == batsimExtra:
			r.extra++
		case !slices.Contains(batsimIdle, name):
			return r.fail(j.line, "job %s has the field %q, which is unknown: jobs have id, subtime, res, "+
				"walltime and profile", id, name)
		}
		if !ok {
			return r.fail(j.line, "job %s: %s is %.40s: it should be %s", id, name, raw, right)
		}
	}
	return nil
}

// number reads a number of limited size.
func (r *batsimReader) number(raw json.RawMessage, to *float64) bool {
	return decodes(raw, to) && math.Abs(*to) <= maxSeconds
}

// decodes sets what a value is, and reports whether there is one of that kind.
func decodes(raw json.RawMessage, to any) bool {
	return raw != nil && string(raw) != "null" && json.Unmarshal(raw, to) == nil
}

// addJobs adds the jobs as lines of a log.
func (r *batsimReader) addJobs() error {
	whole := !slices.ContainsFunc(r.jobs, func(j batsimJob) bool {
		n, err := strconv.ParseInt(j.id, 10, 64)
		return err != nil || n < -maxWhole || n > maxWhole || strconv.FormatInt(n, 10) != j.id
	})
	lines, busy := map[string]int{}, 0
	for i, j := range r.jobs {
		if first, twice := lines[j.id]; twice {
			return r.fail(j.line, "job %s: line %d has a job of this id too", j.id, first)
		}
		lines[j.id] = j.line
		if r.profiles[j.profile] == nil {
			return r.fail(j.line, "job %s has the profile %q, which is none of the file", j.id, j.profile)
		}
		id := float64(i + 1)
		if whole {
			id, _ = strconv.ParseFloat(j.id, 64)
		}
		s := SWFLine{Line: j.line}
		for k := range s.Fields {
			s.Fields[k] = -1
		}
		s.Fields[swfJob], s.Fields[swfSubmit], s.Fields[swfEstimate] = id, j.subtime, j.walltime
		s.Fields[swfAllocated], s.Fields[swfRequested], s.Fields[swfStatus] = j.nodes, j.nodes, 1
		s.Fields[swfRun] = r.profiles[j.profile].step.Seconds
		if !r.profiles[j.profile].silent(int(j.nodes)) {
			busy++
		}
		r.Lines = append(r.Lines, s)
		r.profileOf[JobID(id)] = j.profile
	}
	if busy > 0 {
		r.warn("%s, so that their run times are not known before",
			count(busy, "job computes or communicates", "jobs compute or communicate"))
	}
	return nil
}
