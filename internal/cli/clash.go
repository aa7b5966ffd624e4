package cli

import (
	"fmt"
	"strings"

	"contend/experiments/spec"
)

// setting is a flag that gives a key of a study a value, or an axis its values.
type setting struct {
	flag, text string // as the user wrote them
	key        string
}

// settings lists the flags that set keys, axes last.
func (f *runFlags) settings() []setting {
	var all []setting
	add := func(flag string, texts []string) {
		for _, text := range texts {
			key, _, _ := strings.Cut(text, "=")
			all = append(all, setting{flag, text, strings.TrimSpace(key)})
		}
	}
	add("--set", f.sets)
	if f.trace != "" {
		all = append(all, setting{"--trace", f.trace, "workload.trace"})
	}
	if f.engine != "" {
		all = append(all, setting{"--engine", f.engine, "network.engine"})
	}
	if f.seedGiven {
		all = append(all, setting{"--seed", fmt.Sprint(f.seed), "runs.seed"})
	}
	add("--axis", f.axes)
	return all
}

// clash refuses two different flags, or two axes, that set one key: one would hide the other.
// Of two --set the last one counts, so that scripts can add to a command.
func (f *runFlags) clash() error {
	first := map[string]setting{}
	for _, s := range f.settings() {
		other, twice := first[s.key]
		if !twice {
			first[s.key] = s
			continue
		}
		right := "leave one of them out"
		if s.flag == other.flag {
			right = "give one --axis all values, separated by commas"
		}
		if s.flag != "--set" || other.flag != "--set" {
			return &spec.InputError{Where: s.flag + " " + s.text, Right: right,
				Problem: fmt.Sprintf("%s %s sets %s too", other.flag, other.text, s.key)}
		}
	}
	return nil
}
