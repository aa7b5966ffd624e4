package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/plot"
	"contend/experiments/study"
)

// DrawFigures writes the study's figures, their captions and the numbers behind them into
// dir/figures. It draws all figures that it can; the error is the first failure.
func DrawFigures(r *experiments.Results, dir string, o FigureOptions,
	names *config.Registry) error {
	if err := o.known(r.Study); err != nil {
		return err
	}
	var failed error
	var captions []figureCaption
	for _, f := range r.Study.Figures {
		o.apply(&f)
		if err := o.fits(f); err != nil {
			return err
		}
		drawing, caption, any, err := drawable(r, &f, names)
		if any {
			captions = append(captions, caption)
		}
		if any && o.draws(f.Name) {
			if err := makeFolder(dir); err != nil {
				return err
			}
			err = o.save(drawing, dir, f.Name)
		}
		if failed == nil {
			failed = err
		}
	}
	return errors.Join(failed, writeCaptions(dir, captions))
}

// DrawRecord writes one figure of records that the study does not list.
func DrawRecord(r *experiments.Results, dir string, f *study.Figure, o FigureOptions,
	names *config.Registry) error {
	o.apply(f)
	if err := r.Study.CheckFigure(f); err != nil {
		return err
	}
	drawing, caption, any, err := drawable(r, f, names)
	if err != nil || !any {
		return err
	}
	if err := makeFolder(dir); err != nil {
		return err
	}
	return errors.Join(o.save(drawing, dir, f.Name), writeCaptions(dir, []figureCaption{caption}))
}

// makeFolder makes the folder of figures in a folder of results.
func makeFolder(dir string) error { return os.MkdirAll(filepath.Join(dir, "figures"), 0o777) }

// EachFigure calls use with each of the study's figures that has something to draw, as
// DrawFigures draws them. It continues after a figure that fails; the error is the first failure.
func EachFigure(r *experiments.Results, names *config.Registry,
	use func(*study.Figure, plot.Drawable) error) error {
	var failed error
	for i := range r.Study.Figures {
		f := &r.Study.Figures[i]
		d, _, any, err := drawable(r, f, names)
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
func drawable(r *experiments.Results, f *study.Figure, names *config.Registry,
) (drawing plot.Drawable, caption figureCaption, any bool, err error) {
	if !f.Recorded() {
		d, any := drawingOf(r, f, names)
		if any {
			caption = captionOf(r, f, &d, names)
			d.Subject, d.Description = caption.title(), caption.body()
		}
		return d, caption, any, nil
	}
	if slices.ContainsFunc(r.Runs, func(runs []metrics.Result) bool { return len(runs) == 0 }) {
		return nil, caption, false, nil
	}
	drawing, err = DrawRecorded(r, f, names)
	if err != nil {
		return nil, caption, false, err
	}
	return drawing, recordedCaption(r, f, drawing, names), true, nil
}
