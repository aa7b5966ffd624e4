package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/report/tables"
)

// Table returns a Markdown table with a row for each rule by which a document concludes: the claim
// and its place, the command and the minutes of a processor that it takes, the number, the interval
// of the group that is nearest to a bound, what the rule says, and the seeds.
func Table(rows []Row, place func(*Row) string) string {
	grid := [][]string{{"rule", "claim", "command", "minutes", "number", "95% interval", "verdict",
		"seeds"}}
	for _, rule := range ByRule(rows) {
		first := &rule[0]
		least, most, err := over(rule)
		number := ""
		if err == nil {
			number = span(least, most)
		}
		grid = append(grid, []string{first.Study + "." + first.Rule, place(first), first.Command,
			first.Minutes, number, nearestText(first), verdictText(rule), seedsText(rule)})
	}
	return tables.MarkdownTable(grid, 3)
}

// nearestText returns the interval of the group that is nearest to a bound, and which of several it
// is.
func nearestText(r *Row) string {
	switch {
	case math.IsNaN(r.Low):
		return ""
	case r.Of > 1:
		return fmt.Sprintf("%s (%s)", span(r.Low, r.High), r.Nearest)
	}
	return span(r.Low, r.High)
}

// verdictText returns the verdicts over seeds, and when the bounds were set.
func verdictText(rule []Row) string {
	var words []string
	for i := range rule {
		words = append(words, rule[i].Verdict)
	}
	return strings.Join(tables.Unique(words), ", ") + " (bound set " + rule[0].Set + ")"
}

// seedsText lists the seeds, and says whether the seed that is held out was run.
func seedsText(rule []Row) string {
	if rule[0].Chance != Drawn {
		return string(rule[0].Chance)
	}
	var list []string
	held := ", held out: not run"
	for i := range rule {
		text := fmt.Sprint(rule[i].Seed)
		if rule[i].Role == HeldOut {
			text, held = text+" (held out)", ""
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ") + held
}

// Cited returns the rows of rules by which a document concludes.
func Cited(rows []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Place == "" })
}
