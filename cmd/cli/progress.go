package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"contend/experiments"
	"contend/experiments/sim"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Widths of the progress bar, and of a line on a terminal without a known size, in characters.
const barWidth, sizelessColumns = 40, 80

// newDisplay returns a display on a terminal. A terminal without a known size, as in some
// containers and on serial lines, reports 0 rows, and mpb would show none. So newDisplay hides
// from mpb that it is a terminal.
func newDisplay(file *os.File) *mpb.Progress {
	columns, rows, err := term.GetSize(int(file.Fd()))
	if err == nil && columns > 0 && rows > 0 {
		return mpb.New(mpb.WithOutput(file))
	}
	return mpb.New(mpb.WithOutput(struct{ io.Writer }{file}), mpb.WithAutoRefresh(),
		mpb.WithWidth(sizelessColumns))
}

// showRuns returns a function that shows how many runs are done, and one that ends the display.
// Without a terminal, or if no display is wanted, nothing is shown and the first is nil.
func (a *app) showRuns(wanted bool) (show func(done float64, planned int), stop func()) {
	return a.showBar(wanted, "runs")
}

// showCalibrations shows the jobs that calibrations simulate, once one takes a moment, until the
// function that it returns is called.
func (a *app) showCalibrations(c *sim.Calibrations, wanted bool) func() {
	var show func(float64, int)
	began, stop := time.Now(), func() {}
	c.Show = func(done float64, most int) {
		if show == nil && wanted && time.Since(began) > time.Second {
			show, stop = a.showBar(wanted, "jobs measured alone, at most")
			wanted = show != nil
		}
		if show != nil {
			show(done, most)
		}
	}
	return func() {
		stop()
		c.Show = nil
	}
}

// showBar is showRuns of something else.
func (a *app) showBar(
	wanted bool, what string,
) (show func(done float64, planned int), stop func()) {
	file, ok := a.stderr.(*os.File)
	if !wanted || !ok || !term.IsTerminal(int(file.Fd())) {
		return nil, func() {}
	}
	const steps = 1000 // of a run
	var text atomic.Value
	display := newDisplay(file)
	bar := display.AddBar(0, mpb.BarWidth(barWidth),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
			shown, _ := text.Load().(string)
			return shown
		})),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.AverageETA(decor.ET_STYLE_GO)))
	show = func(done float64, planned int) {
		text.Store(fmt.Sprintf("%d of %d %s", int(done), planned, what))
		bar.SetTotal(int64(steps*planned), false) // which a later round may raise
		bar.SetCurrent(int64(steps * done))
	}
	return show, sync.OnceFunc(func() {
		bar.Abort(true)
		display.Wait()
	})
}

// printRuns returns a function that writes how many runs are done as a line, for other programs,
// whenever the number changes.
func (a *app) printRuns() func(done float64, planned int) {
	last := ""
	return func(done float64, planned int) {
		text := fmt.Sprintf("progress: %.2f of %d runs\n", done, planned)
		if planned > 0 && text != last {
			last = text
			io.WriteString(a.stderr, text)
		}
	}
}

// runProgress returns a Progress that is shown on a terminal, or written as lines, and a function
// that ends the display. Where nothing is shown the Progress is nil.
func (a *app) runProgress(wanted, lines bool) (*experiments.Progress, func()) {
	show, stop := a.showRuns(wanted && !lines)
	if lines {
		show = a.printRuns()
	}
	if show == nil {
		return nil, stop
	}
	p, done := &experiments.Progress{}, make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				show(p.Status())
			}
		}
	})
	return p, sync.OnceFunc(func() {
		close(done)
		group.Wait()
		show(p.Status())
		stop()
	})
}
