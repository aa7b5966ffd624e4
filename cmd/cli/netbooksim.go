package cli

import (
	"cmp"
	"strconv"

	"contend/experiments/formats/booksim"
	"contend/internal/input"
)

// netSets returns the assignments that --booksim stands for. It sets the traffic and the loads of
// the configuration where no flag gives them.
func (a *app) netSets(f *netFlags) (sets []string, err error) {
	if f.booksim == "" {
		return nil, nil
	}
	b, err := booksim.Read(f.booksim)
	if err != nil {
		return nil, err
	}
	if err := a.lost(b.Lost, f.lenient); err != nil {
		return nil, err
	}
	a.notes(b.Notes)
	for _, k := range b.Keys {
		sets = append(sets, k[0]+"="+k[1])
	}
	f.traffic = cmp.Or(f.traffic, b.Traffic)
	f.loads = cmp.Or(f.loads, strconv.FormatFloat(b.Load, 'g', -1, 64))
	return sets, nil
}

// lost lists the settings of a configuration that nothing here stands for. That is an error
// unless the user does not mind.
func (a *app) lost(list []string, lenient bool) error {
	a.notes(list)
	if len(list) == 0 || lenient {
		return nil
	}
	return &input.Error{Where: "--booksim",
		Problem: input.Plural(len(list), "setting") + " without a meaning here",
		Right:   "change what is listed, or give --lenient to go on without"}
}
