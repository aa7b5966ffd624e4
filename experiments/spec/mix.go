package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	if strings.Contains(first, "=") {
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
