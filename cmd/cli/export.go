package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"contend/experiments/report/tables"
	"contend/internal/input"
	"contend/internal/written"

	"github.com/spf13/cobra"
)

// exportLong is the help text of contend export.
const exportLong = `Write the first replication of stored results in formats of other programs.

chrome-trace  a time line for Perfetto (ui.perfetto.dev) and chrome://tracing: a bar for each
              job, from its submission to its start and from there to its end, and counters. Runs
              stand one above the other. A cycle is shown as 1 us, a second as 1 s, a time unit
              of a workload as 1 s. The runs need --jobs-csv; with --series-csv there are more
              counters.
swf           the schedule of one run as a log in the Standard Workload Format, which
              contend trace stats and workload.trace read. The run needs --jobs-csv.`

// Marks of the files that contend export writes.
var (
	traceMark = written.Mark{Begin: `,"contendExport":"CRC-32C `, End: "\"}\n", Closing: "}\n"}
	logMark   = written.Mark{Begin: "; contend export, CRC-32C: ", End: "\n"}
)

// exportFlags are the flags of contend export.
type exportFlags struct {
	format, out string
	at          []string
}

// exportCommand returns the command contend export.
func (a *app) exportCommand() *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "export DIR", Short: "Write stored results in formats of other programs",
		Long: exportLong, Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.export(args[0], &f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.format, "format", "chrome-trace", "`FORMAT`: chrome-trace or swf")
	flags.StringArrayVar(&f.at, "at", nil, "only points with this value on an "+
		"axis, as runs.csv has it; may be repeated: `KEY=VALUE`")
	flags.StringVarP(&f.out, "out", "o", "", "`FILE` to write (default trace.json "+
		"or jobs.swf in DIR)")
	forceFlag(flags, &a.force)
	return c
}

// export writes results in the format that the flags choose.
func (a *app) export(dir string, f *exportFlags) error {
	file, mark, write := "trace.json", traceMark, tables.WriteChromeTrace
	switch f.format {
	case "chrome-trace":
	case "swf":
		file, mark, write = "jobs.swf", logMark, tables.WriteSWF
	default:
		return &input.Error{Where: "--format " + f.format, Problem: "no such format",
			Right: "give chrome-trace or swf"}
	}
	selection := tables.Selection{At: f.at}
	results, err := a.readFolder(dir)
	if err != nil {
		return err
	}
	f.out = cmp.Or(f.out, filepath.Join(dir, file))
	if err := a.writeFile(f.out, mark, results.Folder.Out, func(w io.Writer) error {
		return write(results, selection, w)
	}); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s is written\n", f.out)
	return nil
}
