package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/experiments/report/tables"
)

// Cited returns the rows of rules by which a document concludes.
func Cited(rows []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Place == "" })
}

// heads are the columns of the table of claims.
var heads = []string{"rules", "number", "95% interval", "verdict", "bound set", "seeds", "minutes",
	"command", "claim"}

// Table returns a Markdown table with a row for each sentence of a document and study: the rules
// that it rests on, what they measured, their verdicts and seeds, the command that makes the runs
// with the minutes that it takes, and the sentence as claim returns it, with its place.
func Table(rows []Row, claim func(*Row) string) string {
	grid := [][]string{heads}
	var sentences [][][]Row // rules by sentence
	at := map[[3]string]int{}
	for _, rule := range ByRule(rows) {
		key := [3]string{rule[0].Place, rule[0].Sentence, rule[0].Study}
		i, known := at[key]
		if !known {
			i = len(sentences)
			at[key], sentences = i, append(sentences, nil)
		}
		sentences[i] = append(sentences[i], rule)
	}
	for _, rules := range sentences {
		first := &rules[0][0]
		join := func(separator string, of func(rule []Row) string) string {
			var texts []string
			for _, rule := range rules {
				texts = append(texts, of(rule))
			}
			if separator == ", " {
				texts = tables.Unique(texts)
			}
			return strings.Join(texts, separator)
		}
		names := join(", ", func(rule []Row) string { return rule[0].Rule })
		grid = append(grid, []string{first.Study + "." + names, join("; ", numberText),
			join("; ", nearestText), join(", ", verdictText),
			join(", ", func(rule []Row) string { return rule[0].Set }), join("; ", seedsText),
			first.Minutes, first.Command, claim(first)})
		if last := grid[len(grid)-1]; len(tables.Unique(strings.Split(last[5], "; "))) == 1 {
			last[5] = seedsText(rules[0])
		}
	}
	return markdown(grid)
}

// markdown returns a table whose cells may hold links. The last column has no spaces behind.
func markdown(grid [][]string) string {
	widths := make([]int, len(grid[0]))
	for _, row := range grid {
		for i, cell := range row[:len(row)-1] {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	rule := make([]string, len(widths))
	for i, w := range widths {
		rule[i] = strings.Repeat("-", max(3, w))
	}
	var b strings.Builder
	for n, row := range slices.Insert(slices.Clone(grid), 1, rule) {
		for i, cell := range row {
			if n != 1 {
				cell = strings.ReplaceAll(cell, "|", `\|`)
			}
			fmt.Fprintf(&b, "| %-*s ", widths[i], cell)
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// numberText returns the range of the values of a rule, "-" if it has none.
func numberText(rule []Row) string {
	least, most, err := over(rule)
	if err != nil {
		return "-"
	}
	return span(least, most)
}

// nearestText returns the interval of a rule with the first seed, of several groups that of the one
// that is nearest to a bound; "-" if it has none.
func nearestText(rule []Row) string {
	r := &rule[0]
	switch {
	case math.IsNaN(r.Low):
		return "-"
	case r.Of > 1:
		return "nearest " + span(r.Low, r.High)
	}
	return span(r.Low, r.High)
}

// verdictText returns the verdicts over seeds.
func verdictText(rule []Row) string {
	var words []string
	for i := range rule {
		words = append(words, rule[i].Verdict)
	}
	return strings.Join(tables.Unique(words), " or ")
}

// seedsText lists the seeds, and says whether the seed that is held out was run.
func seedsText(rule []Row) string {
	if rule[0].Chance != Drawn {
		return string(rule[0].Chance)
	}
	var list []string
	held := len(rule) == 1 // one seed that was asked for
	for i := range rule {
		text := fmt.Sprint(rule[i].Seed)
		if rule[i].Role == HeldOut {
			text, held = text+" (held out)", true
		}
		list = append(list, text)
	}
	if !held {
		list = append(list, "held out: not run")
	}
	return strings.Join(list, ", ")
}
