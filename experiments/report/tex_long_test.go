//go:build long

package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"contend/experiments"
	"contend/experiments/experimentstest"
	"contend/experiments/report/tables"
	"contend/experiments/studies"
	"contend/internal/must"
	"contend/internal/written"
)

// A table fits a column of 84 mm, with its intervals or without, and its width is that which is
// foretold, but for kerns.
func TestLongTablesFitAColumn(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not there: apt-get install texlive-latex-recommended")
	}
	for _, mean := range []float64{12.5, 1250, -125000, 12500000} {
		r := stored(t, loadStudy, "finish_time", func(i int, _ []string) []float64 {
			return []float64{mean * float64(i+1), mean * float64(i+2) * 1.01, mean * float64(i+3)}
		})
		dir := t.TempDir()
		must.Have(0, DrawFigures(r, written.In(dir), FigureOptions{Formats: []string{"svg"}}))
		must.Have(0, os.WriteFile(filepath.Join(dir, "figures", "t.tex"), []byte(`\documentclass{article}
\usepackage{booktabs}
\newsavebox{\tablebox}
\begin{document}
\sbox{\tablebox}{\input{load}}
\typeout{WIDTH=\the\wd\tablebox}
\usebox{\tablebox}
\end{document}
`), 0o666))
		c := exec.Command(latex, "-halt-on-error", "-interaction=nonstopmode", "t.tex")
		c.Dir = filepath.Join(dir, "figures")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, width, _ := strings.Cut(string(out), "WIDTH=")
		width, _, _ = strings.Cut(width, "pt")
		mm := must.Have(strconv.ParseFloat(width, 64)) * 25.4 / 72.27
		foretold := 84.0
		for foretold > 20 && tableFits(r, foretold-1) {
			foretold--
		}
		if mm > 84 || mm > foretold || mm < foretold-4 {
			t.Errorf("of numbers like %v it is %.1f mm wide, foretold %.0f", mean, mm, foretold)
		}
	}
}

// tableFits reports whether the only figure, a table, is the same tabular at a width as at 84 mm.
func tableFits(r *experiments.Results, mm float64) bool {
	m := matrixOf(r, &r.Study.Figures[0])
	wanted, _ := m.TeX(84)
	text, _ := m.TeX(mm)
	return text == wanted
}

// compiled compiles a document in a folder and returns the log.
func compiled(t *testing.T, dir, document string) string {
	t.Helper()
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not there: apt-get install texlive-latex-recommended")
	}
	must.Do(os.WriteFile(filepath.Join(dir, "t.tex"), []byte(document), 0o666))
	out := ""
	for range 3 { // a long table finds its widths in the first two
		c := exec.Command(latex, "-halt-on-error", "-interaction=nonstopmode", "t.tex")
		c.Dir = dir
		text, err := c.CombinedOutput()
		if out = string(text); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return out
}

// LaTeX compiles an appendix, also one with awkward texts and in the other encoding of fonts, and
// no line is wider than its column.
func TestLongAppendixCompiles(t *testing.T) {
	for _, preamble := range []string{"", "\\usepackage[T1]{fontenc}\n"} {
		r := ran(t, awkward.Replace(smallStudy), experiments.Tables{})
		var b bytes.Buffer
		must.Do(WriteAppendix(&b, r))
		log := compiled(t, t.TempDir(), "\\documentclass[twocolumn]{article}\n"+preamble+
			"\\begin{document}\n\\appendix\n"+b.String()+"\\end{document}\n")
		if strings.Contains(log, "Overfull") || strings.Contains(log, "Missing character") {
			t.Errorf("%q:\n%s", preamble, log)
		}
	}
}

// LaTeX compiles tables of many rows with their captions: one with groups of columns as wide as its
// page at most, with its float behind the text, one over several pages.
func TestLongTablesOfManyRowsCompile(t *testing.T) {
	for _, c := range []struct {
		text  string
		pages string
	}{
		{longStudy(30) + "width_mm = 174.0\n", "(2 pages,"},
		{longStudy(30) + "width_mm = 56.0\n", "(3 pages,"},
	} {
		tex, captions, _ := longTable(t, c.text)
		dir := t.TempDir()
		must.Do(os.WriteFile(filepath.Join(dir, "load.tex"), []byte(tex), 0o666))
		log := compiled(t, dir, "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n"+
			"\\textwidth174mm\n\\begin{document}\n"+captions+"See \\ref{tab:load}.\n\\end{document}\n")
		if strings.Contains(log, "Overfull") || strings.Contains(log, "undefined") ||
			!strings.Contains(log, c.pages) {
			t.Errorf("want %s\n%s\n%s", c.pages, log, captions)
		}
	}
}

// LaTeX sets the tables of all built-in studies in a column of 84 mm, or in a page of 174 mm if
// they break over pages, with no line wider than that.
func TestLongTablesOfStudiesFit(t *testing.T) {
	var b strings.Builder
	b.WriteString("\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\textwidth174mm\n" +
		"\\begin{document}\n\\raggedbottom\\sloppy\n")
	for _, name := range studies.Names() {
		r := experimentstest.Filled(t, name)
		for _, write := range []func(*experiments.Results, io.Writer) error{tables.WriteDifferencesTeX,
			func(r *experiments.Results, w io.Writer) error {
				_, err := io.WriteString(w, tables.TeX(r))
				return err
			}} {
			var table strings.Builder
			must.Do(write(r, &table))
			if strings.Contains(table.String(), "longtable") {
				b.WriteString("\\clearpage\\noindent\n" + table.String())
				continue
			}
			fmt.Fprintf(&b, "\\noindent\\begin{minipage}{84mm}\\parindent0pt\n%s\\end{minipage}\n\n",
				table.String())
		}
	}
	b.WriteString("\\end{document}\n")
	log := compiled(t, t.TempDir(), b.String())
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "Overfull \\hbox") || strings.Contains(line, "Missing character") {
			t.Error(line)
		}
	}
}

// LaTeX compiles the table of a study and that of paired differences, with the
// package that they name.
func TestLongTablesCompile(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not there: apt-get install texlive-latex-recommended")
	}
	r := experimentstest.Compared(t, [][]float64{{90, 110}, {200, 210}, {290, 330}, {112, 116},
		{12395, 13405}, nil})
	var text bytes.Buffer
	dir := t.TempDir()
	text.WriteString("\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" +
		tables.TeX(r) + "\n")
	paired, err := tables.CompareBy(r, "allocator")
	if err == nil {
		err = paired.WriteFiles(written.In(dir), []string{"finish_time"})
	}
	if err != nil {
		t.Fatal(err)
	}
	text.WriteString("\\input{comparison-allocator}\n\\end{document}\n")
	must.Have(0, os.WriteFile(filepath.Join(dir, "t.tex"), text.Bytes(), 0o666))
	c := exec.Command(latex, "-halt-on-error", "-interaction=nonstopmode", "t.tex")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text.Bytes())
	}
}
