// Package experimentstest runs small studies for tests of what is made from results.
package experimentstest

import (
	"context"
	"io"
	"log/slog"

	"contend/experiments"
	"contend/experiments/metrics"
	"contend/experiments/sim"
	"contend/experiments/study"
	"contend/internal/written"
)

// Record runs the study of a text with the built-in names, and keeps its runs and the given
// tables of rows in a folder.
func Record(dir, text string, tables experiments.Tables) (*experiments.Results, error) {
	names := metrics.Builtin()
	study, err := study.Parse("test.toml", text, names)
	if err != nil {
		return nil, err
	}
	folder, err := experiments.OpenFolder(written.In(dir), study, "test", names)
	if err != nil {
		return nil, err
	}
	var simulator sim.Simulator
	runner := experiments.Runner{Names: names, Run: simulator.Run, Workers: 2, Folder: folder,
		Tables: tables, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	results, err := runner.Study(context.Background(), study)
	if err != nil {
		return nil, err
	}
	return results, folder.Finish(results)
}
