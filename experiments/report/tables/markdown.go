package tables

import (
	"strings"
)

// markdownCell escapes the characters that would end a table cell, begin HTML,
// code, emphasis or mathematics, or make a link. Underscores inside words have no
// meaning and stay.
func markdownCell(s string) string { return markdownCells.Replace(s) }

var markdownCells = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", `\<`, "&", `\&`, "*", `\*`, "`", "\\`", "$", `\$`, "](", `]\(`, "\n",
	" ", "\r", " ",
)

// MarkdownProse escapes a title or a sentence of a study, in which authors may
// use emphasis and links.
func MarkdownProse(s string) string {
	return strings.NewReplacer("<", `\<`, "\n", " ", "\r", " ").Replace(s)
}

// OneLine replaces each run of white space by one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
