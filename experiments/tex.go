package experiments

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

// texEscape makes LaTeX print a text as it is, whatever its characters.
func texEscape(s string) string { return texEscapes.Replace(s) }

var texEscapes = strings.NewReplacer(
	"%", `\%`, "_", `\_`, "&", `\&`, "#", `\#`, "$", `\$`, "{", `\{`, "}", `\}`,
	`\`, `\textbackslash{}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", "$<$", ">", "$>$", "|", "$|$", "±", `$\pm$`, "\n", " ",
)
