package experiments

import (
	"errors"
	"io"
	"path/filepath"
)

// WriteFiles writes everything that is made from the results into their
// folder: tables of rows, tables to read, and figures. jobs and links ask for
// jobs.csv and links.csv.
func (f *Folder) WriteFiles(r *Results, names Names, jobs, links bool) error {
	for _, file := range []struct {
		name  string
		write func(*Results, io.Writer) error
	}{
		{"summary.csv", (*Results).WriteSummary},
		{"runs.csv", (*Results).WriteRuns},
		{"runs.parquet", (*Results).WriteParquet},
		{"table.md", text((*Results).Markdown)},
		{"table.tex", text((*Results).TeX)},
		{"break-even.csv", (*Results).writeCrossings},
	} {
		if file.name == "break-even.csv" && r.Study.BreakEvens == nil {
			continue
		}
		write := func(w io.Writer) error { return file.write(r, w) }
		if err := writeFileWith(filepath.Join(f.Dir, file.name), write); err != nil {
			return err
		}
	}
	var errs []error
	if jobs {
		errs = append(errs, f.Join("jobs", r))
	}
	if links {
		errs = append(errs, f.Join("links", r))
	}
	return errors.Join(append(errs, r.DrawFigures(f.Dir, FigureOptions{}, names))...)
}

// text makes a writer of a function that returns the whole text.
func text(make func(*Results) string) func(*Results, io.Writer) error {
	return func(r *Results, w io.Writer) error {
		_, err := io.WriteString(w, make(r))
		return err
	}
}
