package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"contend/experiments/config"
)

// maxDiffering is the number of differences that a message names.
const maxDiffering = 4

// DiffersFrom names what makes the runs of a study other ones than those of another one: flags of
// one of them, else keys and axes. The text follows the name of the study, and is "" if none of
// these differ, as where a file has changed that the study names.
func (st *Study) DiffersFrom(old *Study) string {
	flags := append(slices.Clone(st.Changed), st.Selected...)
	before := append(slices.Clone(old.Changed), old.Selected...)
	if !slices.Equal(flags, before) {
		none := func(list []string) string { return cmp.Or(strings.Join(list, " "), "no flags") }
		return fmt.Sprintf(" (that one has %s, this one %s)", none(before), none(flags))
	}
	differ := st.differingKeys(old)
	for _, a := range st.Axes {
		was := "no axis"
		if i := old.AxisOf(a.Key); i >= 0 {
			was = strings.Join(old.labelsOn(&old.Axes[i]), ",")
		}
		if now := strings.Join(st.labelsOn(&a), ","); now != was {
			differ = append(differ, fmt.Sprintf("%s: %s there, %s here", a.Key, was, now))
		}
	}
	switch {
	case len(differ) == 0:
		return ""
	case len(differ) > maxDiffering:
		more := fmt.Sprintf("%d more", len(differ)-maxDiffering+1)
		differ = append(differ[:maxDiffering-1], more)
	}
	return " (" + strings.Join(differ, "; ") + ")"
}

// differingKeys names the keys whose values differ between the base specs of two studies.
func (st *Study) differingKeys(old *Study) (differ []string) {
	a, b := config.Settings{Spec: old.Base}, config.Settings{Spec: st.Base} // without replications
	for _, k := range config.Keys() {
		if k.Shorthand || st.AxisOf(k.Path) >= 0 || !a.Stated(k) && !b.Stated(k) {
			continue
		}
		if was, is := k.FormatIn(&a), k.FormatIn(&b); was != is {
			differ = append(differ, fmt.Sprintf("%s: %s there, %s here", k.Path, was, is))
		}
	}
	return differ
}
