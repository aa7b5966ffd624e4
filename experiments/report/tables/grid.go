package tables

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/stats"
)

// Grid is a table as text, without escapes.
type Grid struct {
	// Heading is the title of the table, "" if it needs none.
	Heading string
	// Cells has the header, then the rows. All are of the same length.
	Cells [][]string
	// Left is the number of columns, from the first, that are names and not numbers.
	Left int

	text string // what stands before it in Markdown
}

// Table returns the table of Markdown.
func Table(r *experiments.Results) Grid {
	return Grid{Cells: grid(r, MeanText, Title), Left: len(RowKeys(r))}
}

// TableNotes lists what a reader of the table must know, a sentence or two each.
func TableNotes(r *experiments.Results) []string {
	var notes []string
	for _, text := range []string{missingText(r), precisionText(r), relativeText(r), saturatedText(r),
		queueText(r, tableMetrics(r)), jumpText(r), jobsText(r), trimText(r), cutText(r),
		PublishedText(r)} {
		if text != "" {
			notes = append(notes, text)
		}
	}
	return notes
}

// missingText counts the runs that are missing of a study that has not ended.
func missingText(r *experiments.Results) string {
	if r.Folder == nil {
		return ""
	}
	if done, all := r.Wanted(); done < all {
		return fmt.Sprintf("The study has not ended: %d of its %d runs are missing.", all-done, all)
	}
	return ""
}

// Tables returns the comparison as a table for each metric.
func (c *PairedComparison) Tables(metrics []string) []Grid {
	var grids []Grid
	for _, m := range metrics {
		cells, left := c.grid(m, MeanText)
		grids = append(grids, Grid{Heading: c.heading(m), Cells: cells, Left: left})
	}
	return grids
}

// MeanText returns a mean and half of its interval as tables show them.
func MeanText(e stats.Estimate) string { return WithError(e, "±") }
