//go:build long

package report

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"contend/experiments/experimentstest"
	"contend/experiments/report/tables"
	"contend/internal/must"
)

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
	text.WriteString("\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" +
		tables.TeX(r) + "\n")
	paired, err := tables.CompareBy(r, "allocator")
	if err == nil {
		err = paired.Write(&text, "latex", []string{"finish_time"})
	}
	if err != nil {
		t.Fatal(err)
	}
	text.WriteString("\\end{document}\n")
	dir := t.TempDir()
	must.Have(0, os.WriteFile(filepath.Join(dir, "t.tex"), text.Bytes(), 0o666))
	c := exec.Command(latex, "-halt-on-error", "-interaction=nonstopmode", "t.tex")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text.Bytes())
	}
}
