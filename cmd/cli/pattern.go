package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/plot"
	"contend/experiments/report"
	"contend/experiments/study"
	"contend/internal/input"

	"github.com/spf13/cobra"
)

// patternFlags are the flags of contend pattern.
type patternFlags struct {
	processes    int
	matrix       bool
	trace        int // iterations
	out, formats string
	sets         []string
}

// patternLong is the help text of contend pattern.
const patternLong = `Count what one iteration of each pattern sends in a job: messages, bytes, and
the number of partners of a process. A NAS benchmark may have its class, npb-cg:A. With --matrix,
draw the bytes from each process to each. With --trace, write what the processes do, as a trace that
FSIN of INSEE reads (tpattern=trace).`

// patternCommand returns the command contend pattern.
func (a *app) patternCommand() *cobra.Command {
	var f patternFlags
	c := &cobra.Command{
		Use: "pattern NAME...", Short: "Count what one iteration of a pattern sends, and draw who " +
			"sends to whom",
		Long: patternLong,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error { return a.pattern(names, f) },
	}
	flags := c.Flags()
	flags.IntVar(&f.processes, "processes", 16, "processes of the job")
	flags.BoolVar(&f.matrix, "matrix", false, "draw the matrix of each pattern")
	flags.IntVar(&f.trace, "trace", 0, "iterations to write as a trace for FSIN of INSEE, of "+
		"patterns whose messages have sizes in bytes; 0: none")
	flags.StringVarP(&f.out, "out", "o", filepath.Join("out", "pattern"),
		"folder for figures and traces")
	flags.StringVar(&f.formats, "format", "csv,svg,png,pdf", "formats out of "+
		strings.Join(plot.Formats(), ", ")+", separated by commas")
	forceFlag(flags, &a.force)
	setFlag(flags, &f.sets, "set a key of [job] or network.flit_bytes")
	return c
}

// pattern prints the messages that patterns send. With --matrix it draws who sends to whom, and with
// --trace it writes the messages to files.
func (a *app) pattern(names []string, f patternFlags) error {
	formats, err := figureFormats(f.formats, plot.Formats()...)
	if err != nil {
		return err
	}
	st := study.Study{Base: config.DefaultSpec()}
	st.Base.Registry = a.names
	if err := a.setAll(&st, f.sets, nil); err != nil {
		return err
	}
	var reports []report.PatternReport
	var specs []config.Spec
	for _, name := range names {
		if err := st.Set("job.pattern", name); err != nil {
			var bad *input.Error
			if errors.As(err, &bad) {
				bad.Where = name
			}
			return err
		}
		if err := st.Base.Resolve(); err != nil {
			return err
		}
		r, err := report.ReportPattern(&st.Base, f.processes)
		if err != nil {
			return err
		}
		reports, specs = append(reports, r...), append(specs, st.Base)
	}
	if err := st.CheckUse("a pattern", []string{"job.", "network.cycle", "network.flit_bytes",
		"network.pad_flits", "runs.seed"}, specs...); err != nil {
		return err
	}
	fmt.Fprint(a.stdout, report.PatternTable(reports))
	if f.trace == 0 && !f.matrix {
		return nil
	}
	out, err := a.takeFolder(f.out)
	if err != nil {
		return err
	}
	if f.trace > 0 {
		if err := report.WriteTraces(out, reports, f.trace); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "Traces are in %s\n", f.out)
	}
	if !f.matrix {
		return nil
	}
	if err := report.DrawMatrices(out, reports, formats); err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "Figures are in %s\n", f.out)
	return nil
}

// figureFormats splits a list of formats and refuses unknown ones.
func figureFormats(list string, known ...string) (formats []string, err error) {
	for f := range strings.SplitSeq(list, ",") {
		if !slices.Contains(known, f) {
			return nil, &input.Error{Where: "--format " + list,
				Problem: fmt.Sprintf("%q is not a format", f), Right: "there are " + strings.Join(known, ", ")}
		}
		formats = append(formats, f)
	}
	return formats, nil
}
