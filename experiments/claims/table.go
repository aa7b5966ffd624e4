package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"contend/experiments/report/tables"
)

// Cited returns the rows of rules by which a document concludes.
func Cited(rows []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Place == "" })
}

// Table returns a Markdown table with a row for each sentence of a document: the rules that it rests
// on, what they measured, their verdicts and seeds, the commands that make the runs, and the
// sentence as claim returns it, with its place.
func Table(rows []Row, claim func(*Row) string) string {
	var sentences [][][]Row // rules by sentence
	at := map[[2]string]int{}
	for _, rule := range ByRule(rows) {
		key := [2]string{rule[0].Place, rule[0].Sentence}
		i, known := at[key]
		if !known {
			i = len(sentences)
			at[key], sentences = i, append(sentences, nil)
		}
		sentences[i] = append(sentences[i], rule)
	}
	b := "| rules | number | 95% interval | verdict | bound set | seeds | minutes | command | claim |\n" +
		"|" + strings.Repeat(" --- |", 9) + "\n"
	for _, rules := range sentences {
		var names, commands []string
		for i, rule := range rules {
			commands = append(commands, rule[0].Command)
			if names = append(names, rule[0].Rule); i == 0 || rule[0].Study != rules[i-1][0].Study {
				names[i] = rule[0].Study + "." + names[i]
			}
		}
		cells := []string{strings.Join(names, ", "), each(rules, numberText), each(rules, intervalOf),
			each(rules, func(rule []Row) string { return strings.Join(Verdicts(rule), " or ") }),
			each(rules, func(rule []Row) string { return rule[0].Set }),
			each(rules, seedsText), each(rules, func(rule []Row) string { return rule[0].Minutes }),
			strings.Join(tables.Unique(commands), "; "), claim(&rules[0][0])}
		for i := range cells {
			cells[i] = strings.ReplaceAll(cells[i], "|", `\|`)
		}
		b += "| " + strings.Join(cells, " | ") + " |\n"
	}
	return b
}

// each returns a text of each rule, one text if they are the same.
func each(rules [][]Row, of func(rule []Row) string) string {
	var texts []string
	for _, rule := range rules {
		texts = append(texts, of(rule))
	}
	if unique := tables.Unique(texts); len(unique) == 1 {
		return unique[0]
	}
	return strings.Join(texts, "; ")
}

// numberText returns the range of the values of a rule, "-" if it has none.
func numberText(rule []Row) string {
	least, most, err := over(rule)
	if err != nil {
		return "-"
	}
	return span(least, most)
}

// intervalOf returns the interval of a rule with the first seed, "-" if it has none.
func intervalOf(rule []Row) string {
	if math.IsNaN(rule[0].Low) {
		return "-"
	}
	return span(rule[0].Low, rule[0].High)
}

// Verdicts returns the verdicts of the rows of a rule, those of different seeds if they differ.
func Verdicts(rule []Row) (words []string) {
	for i := range rule {
		words = append(words, rule[i].Verdict)
	}
	return tables.Unique(words)
}

// seedsText lists the seeds.
func seedsText(rule []Row) string {
	var list []string
	for i := range rule {
		list = append(list, fmt.Sprint(rule[i].Seed))
	}
	return strings.Join(list, ", ")
}
