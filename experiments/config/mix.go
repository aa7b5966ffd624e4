package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/experiments/service/external"
	"contend/internal/call"
	"contend/internal/input"
	"contend/netsim"
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

// drawnPatterns lists the patterns that jobs draw from, or those of listed jobs, each once.
func (s *Spec) drawnPatterns() []Weighted {
	switch {
	case batsim.Holds(s): // profiles say what jobs send
		return nil
	case ListWorkload.Holds(s):
		return s.listedPatterns()
	}
	return s.Job.Pattern.Parts
}

// allPatterns lists the patterns jobs may have.
func (s *Spec) allPatterns() []Weighted {
	mix := s.drawnPatterns()
	if mix == nil {
		return nil
	}
	mix = slices.Clip(mix)
	for _, r := range s.Job.Rules {
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
	mix := s.allPatterns()
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
		lengths, _ := netsim.ParseLengths(s.Workload.Lengths)
		return netsim.CommonDivisor(lengths)
	}
	mix := s.allPatterns()
	if batsim.Holds(s) {
		return s.Network.PadFlits
	}
	if mix == nil || slices.ContainsFunc(mix,
		func(m Weighted) bool { return !s.Registry.ownSizes(m) }) {
		return 0
	}
	return s.Network.PadFlits
}
