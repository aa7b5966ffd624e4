package config

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/service/external"
	"contend/internal/call"
	"contend/internal/input"
	"contend/patterns"
)

// Weighted is one part of a mix.
type Weighted struct {
	Name string // of the pattern
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

// withCall returns the part with the name and the parameters of a call.
func (w Weighted) withCall(text string) Weighted {
	w.Name, w.Parameters, _ = strings.Cut(text, ":")
	return w
}

// Short is the label as users write it, without the digests of files.
func (w Weighted) Short() string { return withoutDigests(w.Label()) }

// Mix is what jobs draw their patterns from. A job's Pattern is an index into Parts.
type Mix struct {
	text  string     // in canonical form
	Parts []Weighted // at least one, of different labels
}

// ParseMix reads a mix of names, such as "all-to-all:2+ring:1", "npb-ft:A" or
// just "ring".
func ParseMix(text string) (Mix, error) {
	m := Mix{text: text}
	for rest, more := text, true; more; {
		var part string
		part, rest, more = cutPart(rest, "+")
		w, err := parseWeighted(strings.TrimSpace(part))
		if err != nil {
			return Mix{}, err
		}
		if slices.ContainsFunc(m.Parts, func(o Weighted) bool { return o.Label() == w.Label() }) {
			return Mix{}, fmt.Errorf("which has %s twice", w.Label())
		}
		m.Parts = append(m.Parts, w)
	}
	return m, m.Parts[0].checkAlone(text, len(m.Parts))
}

// checkAlone refuses a program with a weight and without others: its weight changes nothing, so it
// is probably the rest of a word.
func (w Weighted) checkAlone(text string, parts int) error {
	_, command, _ := strings.Cut(text, ":")
	_, _, weighted := external.SplitUnquoted(command, ":")
	if w.Name == Program && parts == 1 && weighted {
		return fmt.Errorf("where %s has a weight and is alone: put words with %s in quotes", w.Label(),
			external.PatternSeparators)
	}
	return nil
}

// String returns the mix in canonical form.
func (m Mix) String() string { return m.text }

// patterns implements patternHolder.
func (m Mix) patterns() []Weighted { return m.Parts }

// each keeps the text unless a part changes or has parameters.
func (m Mix) each(of mapPattern) (any, *input.Error) { return m.mapped(of) }

// mapped returns the mix with what a function makes of each part.
func (m Mix) mapped(of mapPattern) (Mix, *input.Error) {
	made := Mix{Parts: slices.Clone(m.Parts)}
	var texts []string
	plain := true
	for i, w := range m.Parts {
		part, err := of(w)
		if err != nil {
			return m, err
		}
		made.Parts[i] = part
		plain = plain && part == w && w.Parameters == ""
		text := part.Label()
		if w.Weight != 1 {
			text += ":" + call.FormatNumber(w.Weight)
		}
		texts = append(texts, text)
	}
	if plain {
		return m, nil
	}
	made.text = strings.Join(texts, "+")
	return made, nil
}

// parseWeighted reads NAME, NAME:WEIGHT, NAME:CLASS or NAME:CLASS:WEIGHT, or
// NAME:PARAMETERS in place of NAME:CLASS.
func parseWeighted(part string) (Weighted, error) {
	name, rest, given := strings.Cut(part, ":")
	w := Weighted{Name: name, Weight: 1}
	if !given {
		return w, nil
	}
	if name == Program {
		w.Parameters, rest, given = external.SplitUnquoted(rest, ":")
		if !given {
			return w, nil
		}
		if err := w.setWeight(rest); err != nil {
			return w, fmt.Errorf("%w: put words with %s in quotes", err, external.PatternSeparators)
		}
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
	err := w.setWeight(rest)
	if err != nil && hasClass && w.Class == "" {
		return w, fmt.Errorf("where %q of %s is neither a class, of %s, nor a weight above 0", rest, name,
			strings.Join(patterns.Classes(), ", "))
	}
	return w, err
}

// setWeight reads the weight of the part.
func (w *Weighted) setWeight(text string) (err error) {
	if w.Weight, err = strconv.ParseFloat(text, 64); err == nil && w.Weight > 0 && w.Weight < 1e9 {
		return nil
	}
	return fmt.Errorf("where the weight %q of %s is not a number above 0", text, w.Name)
}

// cutPart splits a text at the first separator. The separators in quotes of a command are part of
// it.
func cutPart(text, separator string) (part, rest string, more bool) {
	if strings.HasPrefix(strings.TrimSpace(text), Program+":") {
		return external.SplitUnquoted(text, separator)
	}
	return strings.Cut(text, separator)
}

// isFileName reports whether a text is a file, such as steps.goal, and not a weight.
func isFileName(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err != nil && strings.Contains(text, ".")
}

// Program is the name of allocators, policies and patterns that are programs of their own.
const Program = "exec"

// digests matches a file and its digest in a call.
var digests = regexp.MustCompile(`\bfile=([^+:,;"]*),sha256=[0-9a-f]+`)

// programDigests matches the digest of the files of a program in a call.
var programDigests = regexp.MustCompile(`\b(exec:(?:deadline=[0-9.]+ )?)sha256=[0-9a-f]+ `)

// withoutDigests replaces each "file=F,sha256=D" in text by "F", the form in which users write it,
// and leaves out the digests of programs.
func withoutDigests(text string) string {
	return programDigests.ReplaceAllString(digests.ReplaceAllString(text, "$1"), "$1")
}

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

// Mixes, rules, rows of lists and placements are texts in a study. A spec holds them parsed, each
// with the text from which Format and the hash are made.

// parser reads the text of a value of one type.
type parser struct {
	parse func(text string) (fmt.Stringer, error)
	right string // what a text looks like
	// patterns tells that the values are patternHolders, tables that entries may be tables.
	patterns, tables bool
}

// parserOf returns a parser for a type.
func parserOf[T fmt.Stringer](parse func(string) (T, error), right string) *parser {
	_, holds := any(*new(T)).(patternHolder)
	return &parser{parse: func(text string) (fmt.Stringer, error) { return parse(text) },
		right: right, patterns: holds}
}

// ofTables returns the parser for entries that may be tables.
func (p *parser) ofTables() *parser {
	p.tables = true
	return p
}

// mapPattern makes another pattern of one. It keeps the weight.
type mapPattern func(Weighted) (Weighted, *input.Error)

// patternHolder is a parsed value that names patterns.
type patternHolder interface {
	fmt.Stringer
	patterns() []Weighted
	// each returns the value with what a function makes of each pattern.
	each(of mapPattern) (any, *input.Error)
}
