package config

import (
	"fmt"
	"reflect"
	"slices"

	"contend/internal/call"
	"contend/internal/input"
)

// convert turns a value as the TOML library gives it into the key's type. It returns an
// error if the value does not fit.
func (k *Key) convert(raw any, names Names) (any, *input.Error) {
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
			return s, k.checkName(s, names)
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
func (k *Key) convertList(raw any, names Names) (any, *input.Error) {
	if k.Path == listPath {
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
	if texts, is := values.Interface().([]string); is && k.namesPatterns() {
		return texts, k.checkTexts(texts, names)
	}
	return values.Interface(), nil
}

// checkName tests a string against the key's choices or name table.
func (k *Key) checkName(s string, names Names) *input.Error {
	list := k.Choices
	if k.Names != "" && names != nil {
		list = names.List(k.Names)
	}
	if list == nil || s == "" && k.Default == `""` {
		return nil
	}
	parts := []string{s}
	if k.Names != "" {
		parts[0] = call.Name(s)
	}
	if k.Mix {
		mix, err := ParseMix(s)
		if err != nil {
			return input.Bad(k.Path, "give a name, or names with weights such as all-to-all:2+ring:1",
				"%s is %q, %v", k.Path, s, err)
		}
		parts = nil
		for _, p := range mix {
			parts = append(parts, p.Name)
		}
	}
	for _, p := range parts {
		if !slices.Contains(list, p) {
			return input.Bad(k.Path, input.OneOf(p, list), "%s is %q", k.Path, p)
		}
	}
	return nil
}

// canonical writes a call of something that is not built in as a spec has it.
func (k *Key) canonical(value any, names Names) (any, *input.Error) {
	var err *input.Error
	if texts, is := value.([]string); is && k.namesPatterns() {
		list, r := make([]string, len(texts)), names.Registry()
		for i, text := range texts {
			if list[i], err = r.eachCall(k.Path, text, r.canonicalMix); err != nil {
				err.Key = fmt.Sprintf("%s[%d]", k.Path, i)
				return texts, err
			}
		}
		return list, nil
	}
	text, is := value.(string)
	if !is || k.Names == "" {
		return value, nil
	}
	if k.Mix {
		text, err = names.Registry().canonicalMix(text)
	} else {
		text, err = names.Registry().canonical(k.Names, text)
	}
	if err != nil {
		err.Key = k.Path
	}
	return text, err
}

func (k *Key) inBounds(x float64) bool {
	p := k.bounds()
	return p.Fits(x)
}

// Keys that have few values have types of their own, whose constants are the choices in the table
// of keys.

// choices are constants as texts.
func choices[E ~string](list ...E) (texts []string) {
	for _, e := range list {
		texts = append(texts, string(e))
	}
	return texts
}

// Source says where the jobs of a run come from.
type Source string

// The sources.
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

// RunKind says what jobs do while they run.
type RunKind string

// A job runs until its messages have arrived, or for its run time.
const (
	RunMessages RunKind = "messages"
	RunFixed    RunKind = "fixed"
)

// JobField is a field of a job that decides its pattern.
type JobField string

// No field; the processors of the job as it is simulated; the number of its user or queue
// in the log.
const (
	ByJob   JobField = "job"
	BySize  JobField = "size"
	ByUser  JobField = "user"
	ByQueue JobField = "queue"
)

// Overrun says what happens to a job that exceeds its estimate.
type Overrun string

// It goes on, it is killed, or its estimate is raised beforehand.
const (
	OverrunExtend Overrun = "extend"
	OverrunKill   Overrun = "kill"
	OverrunRaise  Overrun = "raise"
)
