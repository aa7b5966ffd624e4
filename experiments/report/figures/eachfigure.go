package figures

import (
	"fmt"

	"contend/experiments"
	"contend/experiments/figure"
	"contend/experiments/spec"
)

// EachFigure calls use with each of the study's figures that has something to draw, as
// DrawFigures draws them. It goes on after a figure that fails; the error is the first failure.
func EachFigure(r *experiments.Results, names spec.Names,
	use func(*experiments.Figure, figure.Drawable) error) error {
	var failed error
	for i := range r.Study.Figures {
		f := &r.Study.Figures[i]
		d, any, err := drawable(r, f, names)
		if err == nil && any {
			err = use(f, d)
		}
		if err != nil && failed == nil {
			failed = fmt.Errorf("figure %s: %w", f.Name, err)
		}
	}
	return failed
}

// drawable returns what a figure draws, with its caption. It reports false if a run that it
// needs is missing.
func drawable(r *experiments.Results, f *experiments.Figure,
	names spec.Names) (figure.Drawable, bool, error) {
	if !f.Recorded() {
		d, any := drawingOf(r, f, names)
		if any {
			text := captionOf(r, f, &d, names)
			d.Subject, d.Description = text.title(), text.body()
		}
		return d, any, nil
	}
	for i := range r.Points {
		if r.Replications(i) == 0 {
			return nil, false, nil
		}
	}
	d, err := DrawRecorded(r, f, names)
	return d, err == nil, err
}
