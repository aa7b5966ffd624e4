package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"contend/experiments/report"
	"contend/internal/input"
	"contend/internal/written"

	"github.com/spf13/cobra"
)

// reportLong is the help text of contend report.
const reportLong = `Write the results of a folder as one HTML page: what was run and how to repeat
it, the tables, the comparison with published values, the figures with their numbers, and a player
of the machine over time. The page needs nothing from outside, so it can be sent or archived by
itself.

With --format tex only what was run and how to repeat it is written, as a section of LaTeX for the
appendix of a paper. It compiles with pdfLaTeX without further packages.

The player shows runs that contend run --record recorded. --data-mb limits what is taken into the
page: the first replication of every point comes first, and the page says what was left out.`

// pageMark is the mark of a page, appendixMark that of a section of LaTeX.
var (
	pageMark     = written.Mark{Begin: "<!-- contend report, CRC-32C: ", End: " -->\n"}
	appendixMark = written.Mark{Begin: "% contend report, CRC-32C: ", End: "\n"}
)

// reportCommand returns the command contend report.
func (a *app) reportCommand() *cobra.Command {
	var out, format string
	megabytes := report.DefaultLimit >> 20
	c := &cobra.Command{
		Use: "report DIR", Short: "Write the results as one HTML page that needs nothing from outside",
		Long: reportLong, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			const most = 1000
			name, mark := "report.html", pageMark
			switch {
			case format == "tex" && c.Flags().Changed("data-mb"):
				return &input.Error{Where: "--data-mb", Problem: "LaTeX has no recorded tables",
					Right: "leave it out"}
			case format == "tex":
				name, mark = "appendix.tex", appendixMark
			case format != "html":
				return &input.Error{Where: "--format " + format, Problem: "no such format",
					Right: "give html or tex"}
			}
			if megabytes < 0 || megabytes > most {
				return &input.Error{Where: fmt.Sprint("--data-mb ", megabytes),
					Problem: "not a size that a browser opens",
					Right:   fmt.Sprintf("give 0 to %d", most)}
			}
			path := cmp.Or(out, filepath.Join(args[0], name))
			results, err := a.readFolder(args[0])
			if err != nil {
				return err
			}
			err = a.writeFile(path, mark, results.Folder.Out, func(w io.Writer) error {
				if format == "tex" {
					return report.WriteAppendix(w, results)
				}
				return report.WritePage(w, results, report.PageOptions{Limit: megabytes << 20})
			})
			if err == nil {
				fmt.Fprintf(a.stdout, "The report is %s\n", path)
			}
			return err
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "",
		"`FILE` to write (default DIR/report.html or DIR/appendix.tex)")
	c.Flags().StringVar(&format, "format", "html", "`FORMAT`: html or tex")
	forceFlag(c.Flags(), &a.force)
	c.Flags().IntVar(&megabytes, "data-mb", megabytes,
		"largest size of the recorded tables in the page, in megabytes")
	return c
}
