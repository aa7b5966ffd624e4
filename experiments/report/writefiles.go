package report

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/report/tables"
	"contend/internal/input"
)

// WriteFiles writes all tables and figures of the results into their folder, and
// the requested tables of rows. Tables of rows that the folder has already are written anew;
// those of other runs are removed, and returned.
func WriteFiles(f *experiments.Folder, r *experiments.Results, names *config.Registry,
	rows experiments.Tables) (removed []string, err error) {
	if err := writeTables(f, r); err != nil {
		return nil, err
	}
	rows, removed, err = f.JoinStanding(rows, r)
	if err == nil {
		err = tables.WriteTables(r, f.Dir, rows, tables.SummaryTable())
	}
	return removed, errors.Join(err, DrawFigures(r, f.Dir, FigureOptions{}, names))
}

// writeTables writes the tables of a study at the same time, since those of large studies take
// long. It returns the first error in their order.
func writeTables(f *experiments.Folder, r *experiments.Results) error {
	files := []struct {
		name  string
		write func(*experiments.Results, io.Writer) error
	}{
		{"summary.csv", tables.WriteSummary},
		{"table.md", text(tables.Markdown)},
		{"table.tex", text(tables.TeX)},
		{"break-even.csv", tables.WriteCrossings},
		{"classes.csv", tables.WriteClasses},
		{"differences.csv", tables.WriteDifferences},
		{"differences.tex", tables.WriteDifferencesTeX},
	}
	errs := make([]error, len(files))
	var group sync.WaitGroup
	for i, file := range files {
		if !asked(r, file.name) {
			errs[i] = dropFile(filepath.Join(f.Dir, file.name))
			continue
		}
		group.Go(func() {
			errs[i] = input.WriteFileWith(filepath.Join(f.Dir, file.name), func(w io.Writer) error {
				return file.write(r, w)
			})
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// dropFile removes a file that an earlier study of the folder has left.
func dropFile(path string) error {
	if err := os.Remove(path); !os.IsNotExist(err) {
		return err
	}
	return nil
}

// asked reports whether the study asks for a file. Files without a condition are always made.
func asked(r *experiments.Results, file string) bool {
	switch file {
	case "break-even.csv":
		return r.Study.BreakEvens != nil
	case "classes.csv":
		return tables.HasClasses(r)
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
