package figure

import (
	"encoding/csv"
	"io"
)

// Drawable is what Save and Render write: a Figure or a Scene.
type Drawable interface {
	// arrange checks the figure and places its parts on a page.
	arrange() (page, error)
	// about returns the texts that are not drawn.
	about() (subject, description string)
	// writeCSV writes the numbers behind the figure.
	writeCSV(w io.Writer) error
}

func (f Figure) arrange() (page, error) { return newPage(f) }

func (f Figure) about() (subject, description string) { return f.Subject, f.Description }

func (f Figure) writeCSV(w io.Writer) error { return WriteCSV(w, f) }

func (s Scene) arrange() (page, error) { return newScenePage(s) }

func (s Scene) about() (subject, description string) { return s.Subject, s.Description }

func (s Scene) writeCSV(w io.Writer) error { return csv.NewWriter(w).WriteAll(s.Table) }
