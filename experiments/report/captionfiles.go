package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/report/tables"
	"contend/internal/input"
)

// captionFile is a file with a section for the caption of each figure.
type captionFile struct {
	name string
	head string // of the file
	mark string // begins a section, at the beginning of a line
	text func(c *figureCaption) string
}

// captionFiles are the captions as Markdown and as figures of LaTeX.
var captionFiles = []captionFile{
	{"captions.md", "# Captions\n", "\n## ", func(c *figureCaption) string {
		return fmt.Sprintf("%s\n\n%s\n", c.name, tables.MarkdownProse(c.whole()))
	}},
	{"captions.tex", "% One figure environment for each figure, to copy into a paper.\n",
		"\n\\begin{figure}\n\\centering\n\\includegraphics{", func(c *figureCaption) string {
			return fmt.Sprintf("%s.pdf}\n\\caption{%s}\n\\label{fig:%s}\n\\end{figure}\n", c.name,
				strings.ReplaceAll(tables.TexEscape(c.whole()), "×", "$\\times$"), c.name)
		}},
}

// whole returns the caption with its title.
func (c *figureCaption) whole() string {
	return strings.TrimSuffix(c.title(), ".") + ". " + c.body()
}

// writeCaptions writes the captions of figures that have been drawn. Captions of other figures in
// the folder, such as those that flags describe, stay as long as their figures do.
func writeCaptions(dir string, captions []figureCaption) error {
	if len(captions) == 0 {
		return nil
	}
	dir = filepath.Join(dir, "figures")
	for _, file := range captionFiles {
		path := filepath.Join(dir, file.name)
		before, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		var b strings.Builder
		b.WriteString(file.head)
		for i := range captions {
			b.WriteString(file.mark + file.text(&captions[i]))
		}
		for _, section := range strings.Split(string(before), file.mark)[1:] {
			name, _, _ := strings.Cut(strings.TrimSuffix(section, "\n"), "\n")
			name = strings.TrimSuffix(name, ".pdf}")
			_, err := os.Stat(filepath.Join(dir, name+".csv"))
			again := slices.ContainsFunc(captions, func(c figureCaption) bool { return c.name == name })
			if err == nil && !again {
				b.WriteString(file.mark + section)
			}
		}
		if err := input.WriteFile(path, []byte(b.String())); err != nil {
			return err
		}
	}
	return nil
}
