package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// WriteFiles writes all tables and figures of the results into their folder, and
// the requested tables of rows. Tables of rows that the folder has already are written anew;
// tables of other runs are removed, and removed lists them.
func WriteFiles(f *experiments.Folder, r *experiments.Results,
	rows experiments.Tables) (removed []string, err error) {
	if err := writeTables(f, r); err != nil {
		return nil, err
	}
	rows, removed, err = f.JoinKept(rows, r)
	if err == nil {
		err = tables.WriteTables(r, f.Out, rows, tables.SummaryTable(r))
	}
	err = errors.Join(err, DrawFigures(r, f.Out, FigureOptions{}))
	f.Out.Save()
	return removed, err
}

// writeTables writes the tables of a study in parallel, since large ones take long. It returns the
// first error in their order.
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
		if !asksFor(r, file.name) {
			errs[i] = f.Out.Remove(file.name) // of an earlier study
			continue
		}
		group.Go(func() {
			errs[i] = f.Out.Write(file.name, func(w io.Writer) error {
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

// asksFor reports whether the study asks for a file. Files without a condition are always made.
func asksFor(r *experiments.Results, file string) bool {
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

// text returns a function that writes the text that makeText returns.
func text(makeText func(*experiments.Results) string) func(*experiments.Results, io.Writer) error {
	return func(r *experiments.Results, w io.Writer) error {
		_, err := io.WriteString(w, makeText(r))
		return err
	}
}

// DrawFigures writes the study's figures, their captions and the numbers behind them into the
// folder figures of a folder. It draws all figures that it can; the error is the first failure.
func DrawFigures(r *experiments.Results, out *written.Folder, o FigureOptions) error {
	if err := o.checkNames(r.Study); err != nil {
		return err
	}
	var failed error
	var captions []figureCaption
	for _, f := range r.Study.Figures {
		o.apply(&f)
		if err := o.checkAxes(f); err != nil {
			return err
		}
		d, caption, err := drawable(r, &f)
		if d != nil {
			captions = append(captions, caption)
			if o.selects(f.Name) {
				if f.IsTable() {
					err = saveTable(r, &f, d, out)
				} else {
					err = o.save(d, out, f.Name)
				}
			}
		}
		failed = cmp.Or(failed, err)
	}
	err := writeCaptions(out, captions)
	return cmp.Or(failed, err)
}

// DrawRecord writes one figure of records that the study does not list.
func DrawRecord(r *experiments.Results, out *written.Folder, f *study.Figure,
	o FigureOptions) error {
	o.apply(f)
	if err := r.Study.CheckFigure(f); err != nil {
		return err
	}
	d, caption, err := drawable(r, f)
	if err != nil || d == nil {
		return err
	}
	if err := o.save(d, out, f.Name); err != nil {
		return err
	}
	return writeCaptions(out, []figureCaption{caption})
}

// drawable returns what a figure draws, with its caption, nil if a run or number that it needs is
// missing.
func drawable(r *experiments.Results, f *study.Figure) (plot.Drawable, figureCaption, error) {
	if !f.Recorded() {
		laidOut := f.LaidOut()
		d, any := figureOf(r, laidOut)
		if !any {
			return nil, figureCaption{}, nil
		}
		caption := captionOf(r, laidOut, &d)
		d.Subject, d.Description = caption.title(), caption.body()
		return d, caption, nil
	}
	if slices.ContainsFunc(r.Runs, func(runs []metrics.Result) bool { return len(runs) == 0 }) {
		return nil, figureCaption{}, nil
	}
	d, err := DrawRecorded(r, f)
	if err != nil {
		return nil, figureCaption{}, err
	}
	return d, recordedCaption(r, f, d), nil
}

// save writes a drawing and its numbers into the folder figures of a folder.
func (o *FigureOptions) save(d plot.Drawable, out *written.Folder, name string) error {
	formats := o.Formats
	if formats == nil {
		formats = []string{"svg", "png", "pdf"}
	}
	formats = append([]string{"csv"}, formats...)
	if err := plot.Save(d, out.WriteText, "figures/"+name, formats); err != nil {
		return fmt.Errorf("figure %s: %w", name, err)
	}
	return nil
}

// captionFile is a file with a section for the caption of each figure.
type captionFile struct {
	name    string
	head    string // of the file
	mark    string // begins a section, at the beginning of a line
	section func(c *figureCaption) string
}

// captionFiles are the captions as Markdown and as figures and tables of LaTeX.
var captionFiles = []captionFile{
	{"captions.md", "# Captions\n", "\n## ", func(c *figureCaption) string {
		return fmt.Sprintf("%s\n\n%s\n", c.name, tables.MarkdownProse(c.text()))
	}},
	{"captions.tex", "% One environment for each figure and table, to copy into a paper.\n", "\n% ",
		func(c *figureCaption) string {
			caption := fmt.Sprintf("\\caption{%s}\n", strings.ReplaceAll(tables.TexEscape(c.text()), "×",
				"$\\times$"))
			if c.long { // a table that breaks over pages does not float, and has its caption inside
				return fmt.Sprintf("%s\n{\\def\\tablecaption{%s\\label{tab:%[1]s}\\\\}%%\n"+
					"\\input{%[1]s}}\n", c.name, strings.TrimSuffix(caption, "\n"))
			}
			if c.table {
				return fmt.Sprintf("%s\n\\begin{table}\n\\centering\n%s\\label{tab:%[1]s}\n\\input{%[1]s}\n"+
					"\\end{table}\n", c.name, caption)
			}
			return fmt.Sprintf("%s\n\\begin{figure}\n\\centering\n\\includegraphics{%[1]s.pdf}\n%s"+
				"\\label{fig:%[1]s}\n\\end{figure}\n", c.name, caption)
		}},
}

// text returns the title and the body of the caption.
func (c *figureCaption) text() string {
	return strings.TrimSuffix(c.title(), ".") + ". " + c.body()
}

// writeCaptions writes the captions of figures that have been drawn. Captions of other figures in
// the folder, such as those that flags describe, stay as long as their figures do.
func writeCaptions(out *written.Folder, captions []figureCaption) error {
	if len(captions) == 0 {
		return nil
	}
	dir := out.Path("figures")
	for _, file := range captionFiles {
		before, err := input.ReadFile(filepath.Join(dir, file.name), input.StudyLimits)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var b strings.Builder
		b.WriteString(file.head)
		for i := range captions {
			b.WriteString(file.mark + file.section(&captions[i]))
		}
		for _, section := range strings.Split(string(before), file.mark)[1:] {
			name, _, _ := strings.Cut(section, "\n")
			_, err := os.Stat(filepath.Join(dir, name+".csv"))
			again := slices.ContainsFunc(captions, func(c figureCaption) bool { return c.name == name })
			if err == nil && !again {
				b.WriteString(file.mark + section)
			}
		}
		if err := out.WriteText("figures/"+file.name, []byte(b.String())); err != nil {
			return err
		}
	}
	return nil
}
