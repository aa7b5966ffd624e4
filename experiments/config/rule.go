package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
)

// Rule gives the jobs of a log whose field lies in a range a pattern.
type Rule struct {
	text string // in canonical form
	// Field is BySize, ByUser or ByQueue.
	Field JobField
	// From and To are bounds of the value, From <= To.
	From, To int64
	// Pattern is the pattern, with the weight 1.
	Pattern Weighted
}

// Fits reports whether a value of the field lies in the range.
func (r *Rule) Fits(value int64) bool { return r.From <= value && value <= r.To }

// rulesRight shows what a rule looks like.
const rulesRight = `give rules such as "size 1-4: near-neighbour", "user 17: npb-ft:B" or ` +
	`"size 64-: all-to-all"`

// ParseRule reads a rule: FIELD VALUE: PATTERN, FIELD MIN-MAX: PATTERN or
// FIELD MIN-: PATTERN.
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
	r := Rule{text: text, Field: JobField(words[0])}
	var err error
	if r.From, r.To, err = parseRange(words[1]); err != nil {
		return r, err
	}
	r.Pattern, err = parseOne(strings.TrimSpace(pattern))
	return r, err
}

// String returns the rule in canonical form.
func (r Rule) String() string { return r.text }

// patterns implements patternHolder.
func (r Rule) patterns() []Weighted { return []Weighted{r.Pattern} }

// each keeps the text unless the pattern changes or has parameters.
func (r Rule) each(of mapPattern) (any, *input.Error) {
	head, text, _ := strings.Cut(r.text, ":")
	text = strings.TrimSpace(text)
	made, err := Mix{text, r.patterns()}.mapped(of)
	if err != nil {
		return r, err
	}
	r.Pattern = made.Parts[0]
	if made.text != text {
		r.text = head + ": " + made.text
	}
	return r, nil
}

// parseOne reads a part of a mix without a weight.
func parseOne(text string) (Weighted, error) {
	w, err := parseWeighted(text)
	_, _, more := cutPart(text, "+")
	if err == nil && (w.Weight != 1 || more) {
		err = fmt.Errorf("where %q is not one pattern without a weight", text)
	}
	return w, cmp.Or(err, w.checkAlone(text, 1))
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

// logField returns the key by which jobs get patterns by a field that only lines of a log have, and
// the field; "" if there is none.
func (s *Spec) logField() (key, field string) {
	if by := s.Job.PatternBy; by == ByUser || by == ByQueue {
		return "job.pattern_by", string(by)
	}
	for i, r := range s.Job.Rules {
		if r.Field != BySize {
			return fmt.Sprintf("job.rules[%d]", i), string(r.Field)
		}
	}
	return "", ""
}

// checkRules refuses patterns by user or queue where jobs have none.
func (s *Spec) checkRules() *input.Error {
	if key, field := s.logField(); key != "" && s.Workload.Source != "swf" {
		return input.Bad(key, "use size, or a log", "%s has the field %s, and jobs of workload.source = "+
			"%s have none", key, field, s.Workload.Source)
	}
	return nil
}
