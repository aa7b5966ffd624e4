package report

import (
	"strconv"
	"strings"
)

// texCell is a cell of a table in LaTeX: a measured number between dollars as
// it is, anything else as text.
func texCell(s string) string {
	if len(s) < 3 || s[0] != '$' || s[len(s)-1] != '$' {
		return texEscape(s)
	}
	for part := range strings.SplitSeq(s[1:len(s)-1], ` \pm `) {
		if _, err := strconv.ParseFloat(part, 64); err != nil {
			return texEscape(s)
		}
	}
	return s
}

// texFirst is a cell at the beginning of a row: behind the end of the row before,
// a bracket would begin a length, and a star would belong to the command.
func texFirst(cell string) string {
	if strings.HasPrefix(cell, "[") || strings.HasPrefix(cell, "*") {
		return "{}" + cell
	}
	return cell
}

// texComment is a text that stays in its line of comment.
func texComment(s string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(s) }

// texEscape makes LaTeX print a text as it is, whatever its characters.
func texEscape(s string) string { return texEscapes.Replace(s) }

var texEscapes = strings.NewReplacer(
	"%", `\%`, "_", `\_`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`,
	`\`, `\textbackslash{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", "$<$", ">", "$>$", "|", "$|$", "±", `$\pm$`, "\n", " ", "\r", " ",
)
