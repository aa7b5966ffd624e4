package report

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"text/tabwriter"

	"contend/experiments/config"
	"contend/experiments/formats/insee"
	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/internal/input"
	"contend/internal/written"
	"contend/patterns"
)

// PatternReport describes what one iteration of a pattern sends.
type PatternReport struct {
	// Pattern is the name of the pattern, with the class of a NAS benchmark.
	Pattern string
	// Matrix has the messages and bytes from each process to each.
	Matrix *patterns.Matrix
	// Iterations is the number of iterations in the timed part of a NAS
	// benchmark, 0 for other patterns.
	Iterations int
	// Note is what else a user should know, "" for most patterns.
	Note string

	config    patterns.Config
	flitBytes int64
}

// ReportPattern determines what one iteration of each pattern in job.pattern
// sends in a job of the given number of processes.
func ReportPattern(plan *config.Spec, processes int) ([]PatternReport, error) {
	timeless := *plan
	timeless.Network.Cycle = cmp.Or(timeless.Network.Cycle, "1 ns") // traffic does not depend on it
	var reports []PatternReport
	for _, w := range plan.Job.Pattern.Parts {
		c := timeless.PatternConfig(w)
		m, err := patterns.NewMatrix(c, processes, nil, rand.New(rand.NewPCG(uint64(plan.Seed), 0)))
		if err != nil {
			return nil, &input.Error{Key: "job.pattern", Problem: err.Error()}
		}
		r := PatternReport{Pattern: w.Short(), Matrix: m, config: c,
			flitBytes: int64(plan.Network.FlitBytes),
			Note:      plan.Registry.PatternNote(w)}
		if n, ok := patterns.Iterations(w.Name, c.Class); ok {
			r.Pattern, r.Iterations = w.Name+":"+c.Class, n
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// PatternTable returns the reports as text, a line each.
func PatternTable(reports []PatternReport) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "pattern\tprocesses\tmessages\tbytes\tbytes a message\tpartners\titerations")
	for _, r := range reports {
		fmt.Fprintln(w, strings.Join(r.Row(), "\t"))
	}
	w.Flush()
	for _, r := range reports {
		if r.Note != "" {
			fmt.Fprintf(&b, "%s: %s\n", r.Pattern, r.Note)
		}
	}
	return b.String()
}

// Row returns the cells of a report in PatternTable.
func (r *PatternReport) Row() []string {
	messages, bytes := r.Matrix.Sum()
	low, high := r.Matrix.Partners()
	mean, iterations := "-", "-"
	if messages > 0 {
		mean = fmt.Sprintf("%.1f", float64(bytes)/float64(messages))
	}
	if r.Iterations > 0 {
		iterations = fmt.Sprint(r.Iterations)
	}
	return []string{r.Pattern, fmt.Sprint(r.Matrix.N), fmt.Sprint(messages), fmt.Sprint(bytes),
		mean, tables.CountText(low, high), iterations}
}

// Base returns the file name of the report's figure without ending: pattern,
// class and processes.
func (r *PatternReport) Base() string {
	return fmt.Sprintf("%s-%d", input.InFileName(r.Pattern), r.Matrix.N)
}

// DrawMatrices draws the communication matrix of every report into a folder.
// formats are those of plot.Save.
func DrawMatrices(out *written.Folder, reports []PatternReport, formats []string) error {
	for i := range reports {
		f, err := reports[i].figure()
		if err != nil {
			return err
		}
		if err := plot.Save(f, out.WriteText, reports[i].Base(), formats); err != nil {
			return err
		}
	}
	return nil
}

// maxDrawn is the largest number of processes whose matrix is legible on a page.
const maxDrawn = 256

// logFrom is the ratio of the largest to the smallest number of bytes from which colours are
// logarithmic.
const logFrom = 50

// figure returns the matrix as a figure, with senders from the bottom up. Pairs
// without messages are white.
func (r *PatternReport) figure() (plot.Figure, error) {
	n := r.Matrix.N
	low, high := math.Inf(1), 0.0
	for _, bytes := range r.Matrix.Bytes {
		if bytes > 0 {
			low, high = min(low, float64(bytes)), max(high, float64(bytes))
		}
	}
	switch {
	case high == 0:
		problem := fmt.Sprintf("the pattern %s has no messages to draw", r.Pattern)
		return plot.Figure{}, &input.Error{Problem: problem, Right: "take more processes"}
	case n > maxDrawn:
		return plot.Figure{}, &input.Error{
			Problem: fmt.Sprintf("a matrix of %d processes is too large to draw", n),
			Right:   fmt.Sprintf("give at most %d processes", maxDrawn)}
	}
	unit, name := byteUnit(high)
	f := plot.Figure{
		Kind:    plot.HeatMap,
		Subject: fmt.Sprintf("Communication matrix of %s on %d processes", r.Pattern, n),
		Description: fmt.Sprintf("A cell shows how many %s a sender sends a receiver in an iteration.",
			name),
		X:      plot.Axis{Label: "receiver"},
		Y:      plot.Axis{Label: "sender"},
		Colour: plot.Axis{Label: name + " an iteration"},
	}
	if high >= logFrom*low {
		f.Colour.Log = true
	} else {
		top := high / unit
		f.Colour.Min, f.Colour.Max = new(float64), &top
	}
	for i := range n {
		s := plot.Series{Name: fmt.Sprint(i), Y: make([]float64, n)}
		for j, bytes := range r.Matrix.Bytes[i*n : (i+1)*n] {
			s.Y[j] = float64(bytes) / unit
			if bytes == 0 {
				s.Y[j] = math.NaN()
			}
		}
		f.Series = append(f.Series, s)
	}
	return f, nil
}

// byteUnit returns the unit for numbers of bytes up to high.
func byteUnit(high float64) (unit float64, name string) {
	switch {
	case high >= 1e7:
		return 1e6, "MB"
	case high >= 1e4:
		return 1e3, "kB"
	}
	return 1, "bytes"
}

// WriteTraces writes into a folder, for each report, what the processes do in a number of
// iterations as a trace for FSIN. Its lengths are those of the messages in flits.
func WriteTraces(out *written.Folder, reports []PatternReport, iterations int) error {
	for i := range reports {
		r := &reports[i]
		c := r.config
		if !patterns.OwnSizes(c.Name) {
			return &input.Error{Where: "--trace", Problem: r.Pattern + " has no trace",
				Right: "give a pattern whose messages have sizes in bytes, such as npb-cg"}
		}
		c.Iterations = int64(iterations)
		s, err := patterns.NewScript(c, r.Matrix.N)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := insee.WriteTrace(&b, s, r.Matrix.N, r.flitBytes); err != nil {
			return err
		}
		if err := out.WriteText(r.Base()+".trc", b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
