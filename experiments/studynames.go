package experiments

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/figure"
	"contend/experiments/spec"
)

// checkTwice refuses metrics, axes and figures that are named twice.
func (st *Study) checkTwice() *spec.InputError {
	var figures []string
	for _, f := range st.Figures {
		figures = append(figures, f.Name)
	}
	for _, list := range []struct {
		kind, key string
		names     []string
	}{
		{"primary", "", st.Primary}, {"table.metrics", "", st.Table.Metrics},
		{"axes", ".key", st.axisKeys()}, {"figures", ".name", figures},
	} {
		for i, name := range list.names {
			if slices.Contains(list.names[:i], name) {
				return spec.BadInput(fmt.Sprintf("%s[%d]%s", list.kind, i, list.key), "give each once",
					"%s names %s twice", list.kind, name)
			}
		}
	}
	return nil
}

// checkGlyphs refuses figures with text that their font cannot draw, before the
// first run.
func (st *Study) checkGlyphs(points []Point) *spec.InputError {
	n := newNameCheck(st, points, nil)
	plain := func(text string) bool {
		return strings.IndexFunc(text, func(r rune) bool { return r >= 0x7f }) < 0
	}
	for i, f := range st.Figures {
		texts := append([]string{f.XLabel, f.YLabel, st.Name}, n.labelsOf(f.keys()...)...)
		for _, labels := range []map[string]any{st.Labels, f.Labels} {
			for _, label := range labels {
				texts = append(texts, label.(string))
			}
		}
		for _, text := range texts {
			if plain(text) {
				continue
			}
			if err := figure.CheckText(text); err != nil {
				return spec.BadInput(fmt.Sprintf("figures[%d]", i),
					"give another name, or leave the figure out",
					"the figure %s cannot have %q drawn: its font lacks a character", f.Name, text)
			}
		}
	}
	return nil
}
