package report

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/spec"
)

// UpdateValidation replaces the sections of some studies in a document that Validation wrote.
// A section is of a study and the flags that changed its runs. UpdateValidation refuses
// studies without a section of theirs, and results after which the accounts of the papers at
// the head of the document would be other ones.
func UpdateValidation(old string, all []*experiments.Results, names spec.Names,
	traces []string) (string, error) {
	const between = "\n## "
	parts := strings.Split(old, between)
	for _, r := range all {
		var b strings.Builder
		validate(r, &b, names, traces)
		section := strings.TrimPrefix(b.String(), between)
		at := -1
		for i, part := range parts[1:] {
			if !slices.Equal(ofSection(part), ofSection(section)) {
				continue
			}
			if at >= 0 {
				return "", fmt.Errorf("two sections are of the study %s", r.Study.Name)
			}
			at = i + 1
		}
		if at < 0 {
			return "", fmt.Errorf("no section is of the study %s with these flags", r.Study.Name)
		}
		parts[at] = section
		if r.Study.Changed != nil || !PrintsNumbers(&r.Study.Published) {
			continue
		}
		if a := accountOf(r, names, traces); !strings.Contains(parts[0], a.sentence()) {
			return "", fmt.Errorf("the account of %s changes: %s", a.paper,
				strings.TrimSpace(a.sentence()))
		}
	}
	return strings.Join(parts, between), nil
}

// ofSection returns what tells a section apart: its study and the flags of its runs.
func ofSection(text string) []string {
	heading, _, _ := strings.Cut(text, "\n")
	flags := ""
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, flagsOfRuns) || strings.HasPrefix(line, flagsOfPublished) {
			flags = line
		}
	}
	return []string{heading, flags}
}
