package cli

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"contend/experiments"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// terminal returns standard error if a display is wanted and can be shown.
func (a *app) terminal(wanted bool) (*os.File, bool) {
	file, ok := a.stderr.(*os.File)
	return file, wanted && ok && term.IsTerminal(int(file.Fd()))
}

// barWidth and sizelessColumns are those of the bar, and of a line on a terminal without a size.
const barWidth, sizelessColumns = 40, 80

// newDisplay returns a display on a terminal. A terminal that does not tell its size, as in some
// containers and on serial lines, says that it has 0 rows, and a display of mpb shows as many. So
// mpb does not get to know that it is one.
func newDisplay(file *os.File) *mpb.Progress {
	columns, rows, err := term.GetSize(int(file.Fd()))
	if err == nil && columns > 0 && rows > 0 {
		return mpb.New(mpb.WithOutput(file))
	}
	return mpb.New(mpb.WithOutput(struct{ io.Writer }{file}), mpb.WithAutoRefresh(),
		mpb.WithWidth(sizelessColumns))
}

// progress returns a function that shows how many rows or curves are done, and one that
// ends the display. Without a terminal nothing is shown.
func (a *app) progress(what string, wanted bool) (func(done, planned int), func()) {
	file, ok := a.terminal(wanted)
	if !ok {
		return nil, func() {}
	}
	display := newDisplay(file)
	bar := display.AddBar(0, mpb.BarWidth(barWidth),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d "+what)),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.AverageETA(decor.ET_STYLE_GO)))
	show := func(done, planned int) {
		bar.SetTotal(int64(planned), false) // which a later round may raise
		bar.SetCurrent(int64(done))
	}
	return show, sync.OnceFunc(func() {
		bar.Abort(true)
		display.Wait()
	})
}

// runProgress returns a Progress that is shown on a terminal, and a function
// that ends the display. Without a terminal it returns nil.
func (a *app) runProgress(wanted bool) (*experiments.Progress, func()) {
	file, ok := a.terminal(wanted)
	if !ok {
		return nil, func() {}
	}
	const steps, often = 1000, 200 * time.Millisecond
	p := &experiments.Progress{}
	text := func(of func(experiments.Status) string) decor.Decorator {
		return decor.Any(func(decor.Statistics) string { return of(p.Status()) })
	}
	display := newDisplay(file)
	bar := display.AddBar(steps, mpb.BarWidth(barWidth),
		mpb.PrependDecorators(text(runsText)),
		mpb.AppendDecorators(text(paceText)))
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		tick := time.NewTicker(often)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C: // one step below the end, which is the last run's
				bar.SetCurrent(min(steps-1, int64(steps*p.Status().Share)))
			}
		}
	})
	return p, sync.OnceFunc(func() {
		close(done)
		group.Wait()
		bar.Abort(true)
		display.Wait()
	})
}

// runsText counts the runs that are done.
func runsText(s experiments.Status) string {
	return fmt.Sprintf("%d of %d runs", s.Done, s.Planned)
}

// paceText returns the share of the work that is done, the rate, and the remaining
// time: "37% 2.4 runs/s 1m50s left".
func paceText(s experiments.Status) string {
	text := fmt.Sprintf("%.0f%%", math.Floor(100*s.Share))
	if seconds := s.Elapsed.Seconds(); s.Runs > 0 && seconds > 0 {
		switch rate := s.Runs / seconds; {
		case rate >= 1:
			text += fmt.Sprintf(" %.3g runs/s", rate)
		case rate*60 >= 1:
			text += fmt.Sprintf(" %.3g runs/min", rate*60)
		default:
			text += fmt.Sprintf(" %.3g runs/h", rate*3600)
		}
	}
	if s.Left > 0 {
		text += fmt.Sprintf(" %v left", max(time.Second, s.Left).Round(time.Second))
	}
	return text
}
