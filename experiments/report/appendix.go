package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"contend/experiments"
	"contend/experiments/report/tables"
)

// WriteAppendix writes what was run and how to repeat it as a section of LaTeX that needs no
// package: what a page has about its runs. Lines break in a column of any width.
func WriteAppendix(w io.Writer, r *experiments.Results) error {
	f, err := factsOf(r)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\\section{%s: what was run, and how to repeat it}\n\\label{app:%s}\n",
		texProse(cmp.Or(r.Study.Title, r.Study.Name)), r.Study.Name)
	if f.Cites != "" {
		b.WriteString("After " + texProse(f.Cites) + ".\n")
	}
	b.WriteString("\\begin{description}\n\\raggedright\\itemsep0pt\\parsep0pt\n")
	for _, fact := range f.Facts {
		var lines []string
		for _, line := range fact.Lines {
			lines = append(lines, texProse(line))
		}
		b.WriteString("\\item[" + texProse(fact.Term) + "] " +
			strings.Join(lines, " \\newline\n") + "\n")
	}
	for _, axis := range f.Axes {
		b.WriteString("\\item[Axis] \\texttt{" + texCode(axis.Key) + "}: " +
			texProse(strings.Join(axis.Values, ", ")) + "\n")
	}
	b.WriteString("\\end{description}\n")
	if len(f.Notes) > 0 {
		b.WriteString("\\subsection*{What differs from the paper, and why}\n\\begin{itemize}\n")
		for _, note := range f.Notes {
			b.WriteString("\\item " + texProse(note) + "\n")
		}
		b.WriteString("\\end{itemize}\n")
	}
	b.WriteString("\\subsection*{Commands that repeat the runs}\n" +
		"The study is in \\texttt{spec.toml}, the last listing. The checksum is that of the results.\n" + texListing(f.Commands))
	for _, p := range f.Programs {
		b.WriteString("It ran the program \\texttt{" + texCode(p.Command) + "}")
		for _, file := range p.Files {
			fmt.Fprintf(&b, ", with \\texttt{%s} of %d bytes, which has the SHA-256 \\texttt{%s}",
				texCode(file.Path), file.Bytes, texCode(file.SHA256))
		}
		if b.WriteString(".\n"); p.Missing != "" {
			b.WriteString("Its files are not known: " + texProse(p.Missing) + ".\n")
		}
	}
	b.WriteString("\\subsection*{\\texttt{spec.toml}}\n" + texListing(f.Spec))
	_, err = io.WriteString(w, b.String())
	return err
}

// texListing sets lines of code one below the other. Longer ones than a column go on indented.
func texListing(text string) string {
	var b strings.Builder
	b.WriteString("\\par\\begingroup\\footnotesize\\ttfamily\\raggedright" +
		"\\parindent0pt\\parskip0pt\n")
	for line := range strings.Lines(text) {
		b.WriteString("\\hangindent1em\\strut{}" + texCode(strings.TrimRight(line, "\r\n")) + "\\par\n")
	}
	return b.String() + "\\endgroup\\medskip\n"
}

// texProse escapes a text. A word without a place to break, such as a checksum, gets some.
func texProse(text string) string {
	return texBreakable(tables.OneLine(text), "", tables.TexEscape)
}

// texCode escapes code in a typewriter font, where each character is printed as it is: spaces keep
// their number, and no two characters become one.
func texCode(text string) string {
	return texBreakable(text, "/,=:.[+ ", func(c string) string {
		switch c {
		case " ":
			return `\ `
		case "'":
			return `\textquotesingle{}`
		case "`":
			return `\textasciigrave{}`
		case "-", ",":
			return c + "{}"
		}
		if strings.Contains("\\{}#$%&_^~<>|\"?!", c) {
			return fmt.Sprintf("\\symbol{%d}", c[0])
		}
		return c
	})
}

// longWord is the number of characters of a word after which it may break.
const longWord = 16

// texBreakable escapes a text character by character. It may break behind some of them, and in
// long words.
func texBreakable(text, behind string, escape func(string) string) string {
	var b strings.Builder
	run := 0
	for i, c := range text {
		switch run++; {
		case c == ' ':
			run = 0
		case run > longWord:
			b.WriteString(`\allowbreak{}`)
			run = 1
		}
		switch known, is := texSigns[c]; {
		case is:
			b.WriteString(known)
		case c < ' ' || c == 0x7f || c > 'ÿ':
			fmt.Fprintf(&b, "[U+%04X]", c) // pdfLaTeX stops at characters that no font has
		default:
			b.WriteString(escape(string(c)))
		}
		if c != ' ' && strings.ContainsRune(behind, c) && i+1 < len(text) {
			b.WriteString(`\allowbreak{}`)
			run = 0
		}
	}
	return b.String()
}

// texSigns are characters beyond ASCII that LaTeX prints by commands.
var texSigns = map[rune]string{'±': `$\pm$`, '×': `$\times$`, '·': `$\cdot$`, 'µ': `$\mu$`,
	'μ': `$\mu$`, 'λ': `$\lambda$`, '–': "--", '—': "---", '…': `\dots{}`, '≤': `$\le$`, '≥': `$\ge$`,
	'→': `$\to$`, '’': "'", '‘': "`", '“': "``", '”': "''", '²': `$^2$`, '³': `$^3$`, '¹': `$^1$`,
	'\u00a0': "~", '\u2009': `\,`, '−': `$-$`, '\t': `\ \ `}
