package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
	"contend/patterns"
)

// Weighted is one part of a mix.
type Weighted struct {
	Name string // of the pattern or other thing that is mixed
	// Class is the problem size of a NAS benchmark; "" takes that of job.class.
	Class string
	// Parameters are those of a pattern that is not built in, such as
	// stride=2,wrap=true; "" takes the defaults.
	Parameters string
	Weight     float64 // above 0
}

// Label is the part without its weight.
func (w Weighted) Label() string {
	switch {
	case w.Class != "":
		return w.Name + ":" + w.Class
	case w.Parameters != "":
		return w.Name + ":" + w.Parameters
	}
	return w.Name
}

// Short is the label as users write it, without the digests of files.
func (w Weighted) Short() string { return withoutDigests(w.Label()) }

// ParseMix reads a mix of names, such as "all-to-all:2+ring:1", "npb-ft:A" or
// just "ring". A job's Pattern is an index into it.
func ParseMix(text string) ([]Weighted, error) {
	var mix []Weighted
	for part := range strings.SplitSeq(text, "+") {
		w, err := parseWeighted(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(mix, func(m Weighted) bool { return m.Label() == w.Label() }) {
			return nil, fmt.Errorf("which has %s twice", w.Label())
		}
		mix = append(mix, w)
	}
	return mix, nil
}

// parseWeighted reads NAME, NAME:WEIGHT, NAME:CLASS or NAME:CLASS:WEIGHT, or
// NAME:PARAMETERS in place of NAME:CLASS.
func parseWeighted(part string) (Weighted, error) {
	name, rest, given := strings.Cut(part, ":")
	w := Weighted{Name: name, Weight: 1}
	if !given {
		return w, nil
	}
	_, hasClass := patterns.Iterations(name, "A")
	first, _, _ := strings.Cut(rest, ":")
	if hasClass && slices.Contains(patterns.Classes(), first) {
		w.Class = first
		if rest, given = strings.CutPrefix(rest, first+":"); !given {
			return w, nil
		}
	}
	if strings.ContainsAny(first, "=/\\") || isFileName(first) {
		w.Parameters = first
		if rest, given = strings.CutPrefix(rest, first+":"); !given {
			return w, nil
		}
	}
	var err error
	if w.Weight, err = strconv.ParseFloat(rest, 64); err == nil && w.Weight > 0 && w.Weight < 1e9 {
		return w, nil
	}
	if hasClass && w.Class == "" {
		return w, fmt.Errorf("where %q of %s is neither a class, of %s, nor a weight above 0", rest, name,
			strings.Join(patterns.Classes(), ", "))
	}
	return w, fmt.Errorf("where the weight %q of %s is not a number above 0", rest, name)
}

// isFileName tells a file, such as steps.goal, from a weight.
func isFileName(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err != nil && strings.Contains(text, ".")
}

// Rule gives the jobs of a log whose field lies in a range a pattern.
type Rule struct {
	// Field is BySize, ByUser or ByQueue.
	Field JobField
	// From and To are the least and the greatest value, From <= To.
	From, To int64
	// Pattern is the pattern, with the weight 1.
	Pattern Weighted
}

// Fits reports whether a value of the field lies in the range.
func (r *Rule) Fits(value int64) bool { return r.From <= value && value <= r.To }

// rulesRight shows what a rule looks like.
const rulesRight = `give rules such as "size 1-4: near-neighbour", "user 17: npb-ft:B" or ` +
	`"size 64-: all-to-all"`

// ParseRule reads a rule: FIELD VALUE: PATTERN, FIELD LEAST-GREATEST: PATTERN or
// FIELD LEAST-: PATTERN.
func ParseRule(text string) (Rule, error) {
	head, pattern, ok := strings.Cut(text, ":")
	words := strings.Fields(head)
	if !ok || len(words) != 2 {
		return Rule{}, fmt.Errorf("which is not of the form FIELD VALUES: PATTERN")
	}
	fields := jobFields[1:]
	if !slices.Contains(fields, words[0]) {
		return Rule{}, fmt.Errorf("where %q is none of %s", words[0], strings.Join(fields, ", "))
	}
	r := Rule{Field: JobField(words[0])}
	var err error
	if r.From, r.To, err = parseRange(words[1]); err != nil {
		return r, err
	}
	r.Pattern, err = parseOne(strings.TrimSpace(pattern))
	return r, err
}

// parseOne reads a part of a mix without a weight.
func parseOne(text string) (Weighted, error) {
	w, err := parseWeighted(text)
	if err == nil && (w.Weight != 1 || strings.Contains(text, "+")) {
		err = fmt.Errorf("where %q is not one pattern without a weight", text)
	}
	return w, err
}

// parseRange reads N, N-M or N-.
func parseRange(text string) (from, to int64, err error) {
	wrong := fmt.Errorf("where %q is neither a number nor a range such as 1-4 or 64-", text)
	first, last, isRange := strings.Cut(text, "-")
	if from, err = strconv.ParseInt(first, 10, 64); err != nil || from < 0 {
		return 0, 0, wrong
	}
	switch {
	case !isRange:
		to = from
	case last == "":
		to = math.MaxInt64
	default:
		if to, err = strconv.ParseInt(last, 10, 64); err != nil || to < from {
			return 0, 0, wrong
		}
	}
	return from, to, nil
}

// checkTexts refuses texts of job.rules or workload.list that are none, or that name no patterns.
func (k *Key) checkTexts(texts []string, names Names) *input.Error {
	patterns, _ := FindKey("job.pattern")
	for i, text := range texts {
		at, right := fmt.Sprintf("%s[%d]", k.Path, i), rulesRight
		r, err := ParseRule(text)
		if k.Path == listPath {
			var j ListedJob
			j, err = parseListed(text, true)
			r.Pattern, right = j.Pattern, listRight
		}
		if err != nil {
			return input.Bad(at, right, "%s is %q, %v", at, text, err)
		}
		patterns.Path = at
		if err := patterns.checkName(r.Pattern.Label(), names); err != nil {
			return err
		}
	}
	return nil
}

// rules are those of job.rules.
func (s *Spec) rules() (rules []Rule) {
	for _, text := range s.Job.Rules {
		if r, err := ParseRule(text); err == nil {
			rules = append(rules, r)
		}
	}
	return rules
}

// mixed lists the patterns that jobs draw from, or those of listed jobs, each once.
func (s *Spec) mixed() (mix []Weighted) {
	switch {
	case batsim.Holds(s): // profiles say what jobs send
		return nil
	case ListWorkload.Holds(s):
		return s.listedPatterns()
	}
	mix, err := ParseMix(s.Job.Pattern)
	if err != nil {
		return nil
	}
	return mix
}

// readsLog tells that jobs get patterns by fields that only lines of a log have.
func (s *Spec) readsLog() (key, field string) {
	if by := s.Job.PatternBy; by == ByUser || by == ByQueue {
		return "job.pattern_by", string(by)
	}
	for i, r := range s.rules() {
		if r.Field != BySize {
			return fmt.Sprintf("job.rules[%d]", i), string(r.Field)
		}
	}
	return "", ""
}

// checkRules refuses patterns by user or queue where jobs have none.
func (s *Spec) checkRules() *input.Error {
	if key, field := s.readsLog(); key != "" && s.Workload.Source != "swf" {
		return input.Bad(key, "use size, or a log", "%s has the field %s, and jobs of workload.source = "+
			"%s have none", key, field, s.Workload.Source)
	}
	return nil
}

// sent lists the patterns jobs may have.
func (s *Spec) sent() []Weighted {
	mix := s.mixed()
	if mix == nil {
		return nil
	}
	for _, r := range s.rules() {
		mix = append(mix, r.Pattern)
	}
	if b, ok := s.Background(); ok {
		mix = append(mix, b)
	}
	return mix
}

// MessageFlits returns the length of all messages, or 0 if lengths differ.
func (s *Spec) MessageFlits() int {
	if !oneLength.Holds(s) {
		return 0
	}
	mix := s.sent()
	if mix == nil || slices.ContainsFunc(mix,
		func(m Weighted) bool { return !s.Registry.oneLength(m) }) {
		return 0
	}
	return s.Job.Flits
}

// MessageMultiple returns a number that divides the length of every message, or 0 if
// there is no such promise.
func (s *Spec) MessageMultiple() int {
	if !oneLength.Holds(s) {
		lengths, _ := ParseLengths(s.Workload.Lengths)
		return commonDivisor(lengths)
	}
	mix := s.sent()
	if batsim.Holds(s) {
		return s.Network.PadFlits
	}
	if mix == nil || slices.ContainsFunc(mix,
		func(m Weighted) bool { return !s.Registry.ownSizes(m) }) {
		return 0
	}
	return s.Network.PadFlits
}
