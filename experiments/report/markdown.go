package report

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

// markdownProse escapes a title or a sentence of a study, in which authors may
// use emphasis and links.
func markdownProse(s string) string {
	return strings.NewReplacer("<", `\<`, "\n", " ", "\r", " ").Replace(s)
}
