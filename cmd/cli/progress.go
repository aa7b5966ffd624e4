package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"contend/experiments"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

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

// progress returns a function that shows how many rows, curves or runs are done, and one that
// ends the display. Without a terminal, or if no display is wanted, nothing is shown and the
// first is nil.
func (a *app) progress(what string, wanted bool) (func(done float64, planned int), func()) {
	file, ok := a.stderr.(*os.File)
	if !wanted || !ok || !term.IsTerminal(int(file.Fd())) {
		return nil, func() {}
	}
	const steps = 1000 // of each
	var text atomic.Value
	display := newDisplay(file)
	bar := display.AddBar(0, mpb.BarWidth(barWidth),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
			shown, _ := text.Load().(string)
			return shown
		})),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.AverageETA(decor.ET_STYLE_GO)))
	show := func(done float64, planned int) {
		text.Store(fmt.Sprintf("%d of %d %s", int(done), planned, what))
		bar.SetTotal(int64(steps*planned), false) // which a later round may raise
		bar.SetCurrent(int64(steps * done))
	}
	return show, sync.OnceFunc(func() {
		bar.Abort(true)
		display.Wait()
	})
}

// counted returns a display of whole numbers.
func counted(show func(done float64, planned int)) func(done, planned int) {
	if show == nil {
		return nil
	}
	return func(done, planned int) { show(float64(done), planned) }
}

// runProgress returns a Progress that is shown on a terminal, and a function
// that ends the display. Without a terminal it returns nil.
func (a *app) runProgress(wanted bool) (*experiments.Progress, func()) {
	show, stop := a.progress("runs", wanted)
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
		stop()
	})
}
