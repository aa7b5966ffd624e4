package main

import (
	"os"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// progress returns a function that shows how many runs or curves are done, and one that
// ends the display. Without a terminal nothing is shown.
func (a *app) progress(what string, wanted bool) (func(done, planned int), func()) {
	file, ok := a.stderr.(*os.File)
	if !wanted || !ok || !term.IsTerminal(int(file.Fd())) {
		return nil, func() {}
	}
	display := mpb.New(mpb.WithOutput(file), mpb.WithWidth(40))
	bar := display.AddBar(0, mpb.PrependDecorators(decor.CountersNoUnit("%d of %d "+what)),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.AverageETA(decor.ET_STYLE_GO)))
	show := func(done, planned int) {
		bar.SetTotal(int64(planned), false) // which a later round may raise
		bar.SetCurrent(int64(done))
	}
	var once sync.Once
	return show, func() {
		once.Do(func() {
			bar.Abort(true)
			display.Wait()
		})
	}
}
