package report

import (
	"strings"
)

// markdownCell escapes a cell of a table: what would end the cell, begin HTML,
// code, emphasis or mathematics, or make a link. Underscores inside of words
// mean nothing and stay.
func markdownCell(s string) string { return markdownCells.Replace(s) }

var markdownCells = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", `\<`, "&", `\&`, "*", `\*`, "`", "\\`", "$", `\$`, "](", `]\(`, "\n",
	" ", "\r", " ",
)

// markdownProse does so with a title or a sentence of the study's, in which
// authors may use emphasis and links.
func markdownProse(s string) string {
	return strings.NewReplacer("<", `\<`, "\n", " ", "\r", " ").Replace(s)
}
