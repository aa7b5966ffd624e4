package report

import (
	"bytes"

	"contend/experiments/formats/insee"
	"contend/internal/input"
	"contend/internal/written"
	"contend/patterns"
)

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
