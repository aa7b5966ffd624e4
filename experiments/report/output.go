package report

import (
	"errors"
	"io"
	"path/filepath"

	"contend/experiments"
	"contend/experiments/export"
	"contend/experiments/spec"
)

// WriteFiles writes all tables and figures of the results into their folder, and
// the tables of rows that are asked for.
func WriteFiles(f *experiments.Folder, r *experiments.Results, names spec.Names,
	rows experiments.Tables) error {
	for _, file := range []struct {
		name  string
		write func(*experiments.Results, io.Writer) error
	}{
		{"summary.csv", WriteSummary},
		{"table.md", text(Markdown)},
		{"table.tex", text(TeX)},
		{"break-even.csv", writeCrossings},
	} {
		if file.name == "break-even.csv" && r.Study.BreakEvens == nil {
			continue
		}
		write := func(w io.Writer) error { return file.write(r, w) }
		if err := spec.WriteFileWith(filepath.Join(f.Dir, file.name), write); err != nil {
			return err
		}
	}
	err := f.JoinAll(rows, r)
	if err == nil {
		err = export.WriteTables(r, f.Dir, rows)
	}
	return errors.Join(err, DrawFigures(r, f.Dir, FigureOptions{}, names))
}

// text turns a function that returns the whole text into one that writes it.
func text(make func(*experiments.Results) string) func(*experiments.Results, io.Writer) error {
	return func(r *experiments.Results, w io.Writer) error {
		_, err := io.WriteString(w, make(r))
		return err
	}
}
