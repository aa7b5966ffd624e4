package cli

import (
	"cmp"
	"strconv"

	"contend/experiments/formats/booksim"
	"contend/internal/input"
)

// netSets returns the assignments that --booksim stands for. It takes traffic and load from the
// configuration where no flag gives them. Settings without a meaning here are an error unless
// --lenient is given.
func (a *app) netSets(f *netFlags) (sets []string, err error) {
	if f.booksim == "" {
		return nil, nil
	}
	b, err := booksim.Read(f.booksim)
	if err != nil {
		return nil, err
	}
	a.notes(b.Lost)
	if len(b.Lost) > 0 && !f.lenient {
		return nil, &input.Error{Where: "--booksim",
			Problem: input.Plural(len(b.Lost), "setting") + " without a meaning here",
			Right:   "change what is listed, or give --lenient to go on without"}
	}
	a.notes(b.Notes)
	for _, k := range b.Keys {
		sets = append(sets, k[0]+"="+k[1])
	}
	f.traffic = cmp.Or(f.traffic, b.Traffic)
	f.loads = cmp.Or(f.loads, strconv.FormatFloat(b.Load, 'g', -1, 64))
	return sets, nil
}
