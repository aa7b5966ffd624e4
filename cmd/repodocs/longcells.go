package main

import (
	"cmp"
	"strings"
)

// mostWords is the number of words that a cell of a table on a reference page has at most.
const mostWords = 25

// shortened returns a page in which the rest of every longer cell stands below its table, under the
// name of the row. A cell is cut at the end of a sentence or of a clause.
func shortened(page string) string {
	var out, below []string
	for line := range strings.SplitSeq(page, "\n") {
		if !strings.HasPrefix(line, "| ") {
			if len(below) > 0 {
				out, below = append(append(out, ""), below...), nil
			}
			out = append(out, line)
			continue
		}
		cells := cellsOf(line)
		for i, c := range cells {
			if head, rest := cut(c); i > 0 && rest != "" {
				cells[i] = head + " …"
				below = append(below, "- "+cmp.Or(cells[0], cells[1])+": … "+rest)
			}
		}
		out = append(out, "| "+strings.Join(cells, " | ")+" |")
	}
	return strings.Join(out, "\n")
}

// cellsOf returns the cells of a row of a table.
func cellsOf(row string) []string {
	const bar = "\x00"
	row = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"), `\|`, bar)
	cells := strings.Split(row, "|")
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(c), bar, `\|`)
	}
	return cells
}

// stops are the characters that end clauses, the best places to cut with the highest numbers.
var stops = map[byte]int{',': 1, ':': 2, ';': 3, '.': 3}

// cut cuts a text of more than mostWords words behind the last of its clauses that ends before, or
// not at all if none does. What stands in brackets, quotes or code is not cut.
func cut(text string) (head, rest string) {
	if len(strings.Fields(text)) <= mostWords {
		return text, ""
	}
	at, best, depth, words, quoted := 0, 0, 0, 1, false
	for i := 0; i+1 < len(text) && words <= mostWords; i++ {
		switch c := text[i]; {
		case c == '"' || c == '`':
			quoted = !quoted
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ' ':
			words++
		case text[i+1] != ' ' || depth > 0 || quoted || strings.HasSuffix(text[:i], " al") ||
			c == ':' && words < 7: // "of a tree:" says too little
		case stops[c] >= max(best, 1):
			at, best = i, stops[c]
		}
	}
	if at == 0 {
		return text, ""
	}
	return strings.TrimRight(text[:at+1], ",;"), text[at+2:]
}
