package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"contend/experiments"
	"contend/experiments/study"
	"contend/internal/input"
)

// dryRun prints the expected cost of a study. It writes no file.
func (a *app) dryRun(
	ctx context.Context, st *study.Study, dir string, runner *experiments.Runner, f runFlags,
) (err error) {
	runner.Folder = experiments.NewMemory(fingerprint())
	if !f.fresh {
		runner.Folder, err = experiments.PeekFolder(dir, st, fingerprint(), a.names)
	}
	if err != nil {
		return err
	}
	forecast, err := runner.ForecastStudy(ctx, st)
	var missing *input.MissingError
	if err != nil && !errors.As(err, &missing) {
		return err
	}
	if f.taskSeconds > 0 {
		forecast.Divide(f.taskSeconds, f.maxTasks)
	}
	if !f.json {
		fmt.Fprint(a.stdout, forecast.Text())
		return err
	}
	text, e := json.MarshalIndent(forecast, "", "  ")
	if e != nil {
		return e
	}
	fmt.Fprintf(a.stdout, "%s\n", text)
	return err
}

// printForecast prints to standard error how long a study takes, if that is long or unknown.
func (a *app) printForecast(f *experiments.Forecast) {
	if f.Seconds == 0 || f.Seconds >= experiments.MinShownSeconds {
		fmt.Fprintf(a.stderr, "contend: %s\n", f)
	}
}
