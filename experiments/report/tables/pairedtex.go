package tables

import (
	"fmt"
	"strings"

	"contend/experiments/stats"
)

// tex returns a tabular with booktabs rules for each metric, with the caption as
// comments in front.
func (c *PairedComparison) tex(metrics []string) string {
	b := strings.Builder{}
	b.WriteString(texPackages)
	for _, line := range c.Caption(metrics) {
		b.WriteString("% " + texComment(line) + "\n")
	}
	for _, m := range metrics {
		grid, left := c.grid(m, texNumber)
		texNames(grid, left, c.results.Study.Labels)
		columns := strings.Repeat("l", left) + strings.Repeat("r", len(grid[0])-left-1) + "l"
		fmt.Fprintf(&b, "\n%% %s\n%s", c.heading(m), tabular(grid, columns))
	}
	return b.String()
}

// texNumber is WithError in LaTeX, with thin spaces between thousands from 10000 on.
func texNumber(e stats.Estimate) string {
	words := strings.Fields(WithError(e, `\pm`))
	for i, w := range words {
		whole, _, _ := strings.Cut(w, ".")
		first := len(whole) - len(strings.TrimLeft(whole, "-"))
		if len(whole)-first < 5 {
			continue
		}
		for at := len(whole) - 3; at > first; at -= 3 {
			w = w[:at] + `\,` + w[at:]
		}
		words[i] = w
	}
	return "$" + strings.Join(words, " ") + "$"
}
