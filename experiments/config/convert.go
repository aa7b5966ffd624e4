package config

import (
	"reflect"
	"slices"

	"contend/internal/call"
	"contend/internal/input"
)

// convert turns a value as the TOML library gives it into the key's type. It returns an
// error if the value does not fit.
func (k *Key) convert(raw any, names *Registry) (any, *input.Error) {
	switch k.Type {
	case "integer":
		if n, ok := input.Whole(raw); ok && k.inBounds(float64(n)) {
			return n, nil
		}
	case "number", "number or auto":
		if raw == "auto" && k.Type == "number or auto" {
			return float64(input.Automatic), nil
		}
		if n, ok := input.Number(raw); ok && k.inBounds(n) {
			return n, nil
		}
	case "boolean":
		if b, ok := raw.(bool); ok {
			return b, nil
		}
	case "string":
		if s, ok := raw.(string); ok {
			if err := input.CheckPrintable(s, k.Path); err != nil {
				return nil, err
			}
			if k.parser != nil {
				return k.parseValue(s, names)
			}
			err := k.checkName(s, names)
			if k.isNumbered() && err == nil {
				return slices.Index(k.Choices, s), nil
			}
			return s, err
		}
	default:
		return k.convertList(raw, names)
	}
	return nil, k.wrong(raw)
}

// wrong is the error for a value that the key does not take.
func (k *Key) wrong(raw any) *input.Error {
	return input.Bad(k.Path, k.right(), "%s is %s", k.Path, input.Describe(raw))
}

// convertList converts the entries of a list. A single string is a list of one.
func (k *Key) convertList(raw any, names *Registry) (any, *input.Error) {
	if k.Path == listPath || k.Path == failuresPath {
		raw = rowTexts(raw)
	}
	list, ok := raw.([]any)
	if text, is := raw.(string); is && k.Type == "list of strings" {
		list, ok = []any{text}, true
	}
	if !ok {
		return nil, k.wrong(raw)
	}
	values := reflect.Zero(k.of)
	for i, e := range list {
		value, err := k.entry(i).convert(e, names)
		if err != nil {
			return nil, err
		}
		values = reflect.Append(values, reflect.ValueOf(value).Convert(k.of.Elem()))
	}
	return values.Interface(), nil
}

// checkName tests a string against the key's choices or name table.
func (k *Key) checkName(s string, names *Registry) *input.Error {
	list := k.Choices
	if k.Names != "" {
		list = names.NamesIn(k.Names)
	}
	if list == nil || s == "" && k.Default == `""` {
		return nil
	}
	if k.Names != "" {
		s = call.Name(s)
	}
	if !slices.Contains(list, s) {
		return input.Bad(k.Path, input.OneOf(s, list), "%s is %q", k.Path, s)
	}
	return nil
}

// canonical writes a value that is a call of an entry in canonical form.
func (k *Key) canonical(value any, names *Registry) (any, *input.Error) {
	text, is := value.(string)
	if !is || k.Names == "" {
		return value, nil
	}
	text, err := names.canonical(k.Names, text)
	if err != nil {
		err.Key = k.Path
	}
	return text, err
}

// inBounds reports whether a number is within the bounds of the key.
func (k *Key) inBounds(x float64) bool {
	p := k.bounds()
	return p.Fits(x)
}

// Keys that have few values have types of their own, whose constants are the choices in the table
// of keys.

// choices returns constants as texts, for a row of the table of keys.
func choices[E ~string](list ...E) (texts []string) {
	for _, e := range list {
		texts = append(texts, string(e))
	}
	return texts
}

// Source says where the jobs of a run come from.
type Source string

// The sources: drawn jobs, a log, two models of logs, jobs that start at once, traffic without
// jobs, rows of a list, and a workload of Batsim.
const (
	SourceSynthetic    Source = "synthetic"
	SourceSWF          Source = "swf"
	SourceLublin       Source = "lublin"
	SourceCplantStream Source = "cplant-stream"
	SourceTogether     Source = "together"
	SourceTraffic      Source = "traffic"
	SourceList         Source = "list"
	SourceBatsim       Source = "batsim"
)

// sources are all of them, in the order in which documents name them.
var sources = []Source{SourceSynthetic, SourceSWF, SourceLublin, SourceCplantStream, SourceTogether,
	SourceTraffic, SourceList, SourceBatsim}

// RunKind says what jobs do while they run.
type RunKind string

// A job runs until its messages have arrived, or for its run time.
const (
	RunMessages RunKind = "messages"
	RunFixed    RunKind = "fixed"
)

// JobField is a field of a job that decides its pattern.
type JobField string

// ByJob is no field: each job draws. BySize is the number of processors of the job as it is
// simulated; ByUser and ByQueue are the numbers of its user and its queue in the log.
const (
	ByJob   JobField = "job"
	BySize  JobField = "size"
	ByUser  JobField = "user"
	ByQueue JobField = "queue"
)

// Overrun says what happens to a job that exceeds its estimate.
type Overrun string

// The job goes on, it is killed, or its estimate is raised before it starts.
const (
	OverrunExtend Overrun = "extend"
	OverrunKill   Overrun = "kill"
	OverrunRaise  Overrun = "raise"
)
