package netfile

import (
	"fmt"
	"strconv"
	"strings"
)

// Tapers are the numbers of links down, or nodes, for each link up of switches.
type Tapers struct {
	// Levels has those of levels from the lowest on. Levels above have 1.
	Levels []float64
	// Of has those of single switches, by their names.
	Of map[string]float64
}

// maxTaper is the largest taper.
const maxTaper = 1024

// ParseTapers parses the tapers of levels, the lowest first, and of switches: 2,1 or 2,leaf[3-4]=4.
func ParseTapers(text string) (t Tapers, err error) {
	for rest := text; rest != ""; {
		var entry string
		if entry, rest, err = cutEntry(rest); err != nil {
			return t, err
		}
		names, number, single := strings.Cut(entry, "=")
		if !single {
			number = entry
		}
		taper, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(taper >= 1 && taper <= maxTaper) {
			return t, fmt.Errorf("%q is no number from 1 to %d", number, maxTaper)
		}
		if !single {
			t.Levels = append(t.Levels, taper)
			continue
		}
		list, err := expandHostlist(strings.TrimSpace(names), MaxRouters)
		if err != nil {
			return t, err
		}
		for _, name := range list {
			if t.Of == nil {
				t.Of = map[string]float64{}
			}
			t.Of[name] = taper
		}
	}
	if len(t.Levels) == 0 && t.Of == nil {
		return t, fmt.Errorf("%q has no number", text)
	}
	return t, nil
}

// of returns the taper of a switch.
func (t *Tapers) of(name string, level int) float64 {
	if taper, ok := t.Of[name]; ok {
		return taper
	}
	if level < len(t.Levels) {
		return t.Levels[level]
	}
	return 1
}
