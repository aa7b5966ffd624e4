package report

import (
	"errors"
	"io"
	"path/filepath"

	"contend/experiments"
	"contend/experiments/spec"
)

// WriteFiles writes all tables and figures of the results into their folder. jobs
// and links ask for jobs.csv and links.csv.
func WriteFiles(f *experiments.Folder, r *experiments.Results, names spec.Names,
	jobs, links bool) error {
	for _, file := range []struct {
		name  string
		write func(*experiments.Results, io.Writer) error
	}{
		{"summary.csv", WriteSummary},
		{"runs.csv", WriteRuns},
		{"runs.parquet", WriteParquet},
		{"table.md", text(Markdown)},
		{"table.tex", text(TeX)},
		{"break-even.csv", writeCrossings},
		{"classes.csv", writeClasses},
		{"differences.csv", writeDifferences},
		{"differences.tex", writeDifferencesTeX},
	} {
		if !asked(r, file.name) {
			continue
		}
		write := func(w io.Writer) error { return file.write(r, w) }
		if err := spec.WriteFileWith(filepath.Join(f.Dir, file.name), write); err != nil {
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
	return errors.Join(append(errs, DrawFigures(r, f.Dir, FigureOptions{}, names))...)
}

// asked reports whether the study asks for a file. Files without a condition are always made.
func asked(r *experiments.Results, file string) bool {
	switch file {
	case "break-even.csv":
		return r.Study.BreakEvens != nil
	case "classes.csv":
		return hasClasses(r)
	case "differences.csv", "differences.tex":
		return r.Study.Differences != nil
	}
	return true
}

// text turns a function that returns the whole text into one that writes it.
func text(make func(*experiments.Results) string) func(*experiments.Results, io.Writer) error {
	return func(r *experiments.Results, w io.Writer) error {
		_, err := io.WriteString(w, make(r))
		return err
	}
}
