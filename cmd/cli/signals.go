package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"contend/experiments/service/external"
	"contend/internal/written"
)

// interruptPatience is the time that a command has to end by itself after Ctrl-C. Simulations stop
// within a few milliseconds; a network that is being built, a log that is read, an exact search or
// a figure does not stop, and a reader of standard output may be gone.
const interruptPatience = 500 * time.Millisecond

// heedSignals returns a context that ends with the first Ctrl-C or SIGTERM, and a function that
// gives both their usual effect back. A command that goes on for longer than interruptPatience, and
// one that gets a second signal, is ended where it is: runs that have ended are in their folder
// whole, and any other file is either as it was or complete.
func (a *app) heedSignals() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, ended := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
		case <-ended:
			return
		}
		cancel()
		select {
		case <-signals:
		case <-time.After(interruptPatience):
		case <-ended:
			return
		}
		a.endNow()
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(ended)
		cancel()
	}
}

// endPatience bounds the time for the last actions of a process that ends at once.
const endPatience = 400 * time.Millisecond

// endNow ends the process while its command is under way, whatever that waits for. It kills the
// programs of runs, removes what is half written, and says so, unless nobody reads standard error.
func (a *app) endNow() {
	var last sync.WaitGroup
	last.Go(func() { fmt.Fprintln(a.stderr, interruptedText) })
	last.Go(written.RemoveUnfinished)
	last.Go(external.KillAll)
	time.AfterFunc(endPatience, func() { os.Exit(exitInterrupted) })
	last.Wait()
	os.Exit(exitInterrupted)
}

// interruptedText is the last line of an interrupted command.
const interruptedText = "contend: interrupted"
