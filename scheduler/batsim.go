package scheduler

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
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

	profiles  map[string]*batsimProfile
	profileOf map[JobID]string
}

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
	text      []byte
	dec       *json.Decoder
	at        int // offset up to which lines are counted
	line      int // of the last value that each has come to
	resources int // nb_res
	jobs      []batsimJob
}

// batsimIdle are fields that say nothing of what jobs do: those of Batsim's own workloads, and
// extra_data, which it hands to the program that schedules. "ret" is what a job returns when it
// ends.
type batsimIdle struct {
	Description, Command, Comments, Date, NP, Runtime, Ret json.RawMessage

	Expected json.RawMessage `json:"expected_execution_time"`
	State    json.RawMessage `json:"expected_state"`
	Extra    json.RawMessage `json:"extra_data"`
}

// batsimJob is a job of the file.
type batsimJob struct {
	line              int
	id                string
	ID                json.RawMessage
	Subtime, Walltime *float64
	Res               *int
	Profile           *string
	batsimIdle
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

// wrong returns the error of the decoder of the file.
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

// each reads an object or an array and has read called for each of its values, with the name of the
// field in an object.
func (r *batsimReader) each(what string, begin json.Delim, read func(name string) error) error {
	line := r.here()
	t, err := r.dec.Token()
	if err == nil && t != begin {
		return r.fail(line, "%s should begin with %v", what, begin)
	}
	for err == nil && r.dec.More() {
		name := ""
		if begin == '{' {
			if t, err = r.dec.Token(); err != nil {
				break
			}
			name = t.(string)
		}
		r.here()
		if err := read(name); err != nil {
			return err
		}
	}
	if err == nil {
		_, err = r.dec.Token()
	}
	if err != nil {
		return r.wrong(err)
	}
	return nil
}

// value reads a value as it is.
func (r *batsimReader) value() (raw json.RawMessage, err error) {
	if err = r.dec.Decode(&raw); err != nil {
		return nil, r.wrong(err)
	}
	return raw, nil
}

// decode sets a struct, which has all fields that an object may have.
func (r *batsimReader) decode(what string, raw json.RawMessage, to any) error {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	err := in.Decode(to)
	var bad *json.UnmarshalTypeError
	switch {
	case errors.As(err, &bad) && bad.Field != "":
		return r.fail(r.line, "%s: %s has the %s: it should be %s", what, strings.ToLower(bad.Field),
			bad.Value, kindsOfValues[bad.Type.Kind()])
	case errors.As(err, &bad):
		return r.fail(r.line, "%s is the %s: it should be an object", what, bad.Value)
	case err != nil:
		return r.fail(r.line, "%s has an %s", what, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// kindsOfValues say what fields of these kinds hold.
var kindsOfValues = map[reflect.Kind]string{reflect.Int: "a whole number",
	reflect.Float64: "a number", reflect.String: "a text", reflect.Slice: "a list of texts"}

// read reads the file.
func (r *batsimReader) read() error {
	err := r.each("a workload of Batsim", '{', func(name string) error {
		switch name {
		case "nb_res":
			if err := r.dec.Decode(&r.resources); err != nil || r.resources < 1 ||
				r.resources > maxProcessors {
				return r.fail(r.line, "nb_res should be a whole number of machines, 1 to %d", maxProcessors)
			}
			return nil
		case "jobs":
			return r.each("jobs", '[', r.readJob)
		case "profiles":
			return r.each("profiles", '{', r.readProfile)
		}
		raw, err := r.value()
		if err != nil {
			return err
		}
		field := fmt.Appendf(nil, "{%q:%s}", name, raw)
		return r.decode("a workload with nb_res, jobs and profiles", field, &batsimIdle{})
	})
	if err != nil {
		return err
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return r.fail(r.here(), "there is more behind the workload")
	}
	if r.resources == 0 {
		return r.fail(0, "nb_res is missing, the number of machines")
	}
	if err := r.resolveProfiles(); err != nil {
		return err
	}
	r.Comments = []string{fmt.Sprintf("; MaxProcs: %d", r.resources)}
	return r.addJobs()
}

// readJob reads a job.
func (r *batsimReader) readJob(string) error {
	if len(r.jobs) == maxLines {
		return r.fail(r.line, "there are more than %d jobs: take a part of the workload", maxLines)
	}
	raw, err := r.value()
	if err != nil {
		return err
	}
	none := -1.0
	j := batsimJob{line: r.line, Walltime: &none}
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
			return r.fail(j.line, "job %s: %s should be %s", j.id, k.name, k.right)
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
			return r.fail(j.line, "job %s: line %d has a job of this id too", j.id, first)
		}
		lines[j.id] = j.line
		p := r.profiles[*j.Profile]
		if p == nil {
			return r.fail(j.line, "job %s has the profile %q, which is none of the file", j.id, *j.Profile)
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
		r.warn("%s with extra_data, which nobody reads here", count(extra, "job", "jobs"))
	}
	if busy > 0 {
		r.warn("%s, so that their run times are not known before",
			count(busy, "job computes or communicates", "jobs compute or communicate"))
	}
	return nil
}
