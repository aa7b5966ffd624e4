package report

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"contend/experiments"
	"contend/experiments/cosim"
	"contend/experiments/spec"
	"contend/experiments/spec/spectest"
)

// runJobs runs a spec and returns the numbers of its jobs by column too.
func runJobs(t *testing.T, s spec.Spec) (cosim.Result, []map[string]float64) {
	t.Helper()
	var sim cosim.Simulator
	extra := &cosim.Extra{Jobs: true}
	r, err := spectest.Run(context.Background(), sim.Run, s, 0, extra)
	if err != nil {
		t.Fatal(err)
	}
	return r, spectest.Rows(cosim.JobColumns(), extra.JobRows)
}

func mustParseBuiltin(t *testing.T, text string) *experiments.Study {
	t.Helper()
	st, err := experiments.ParseStudy("x.toml", text, spec.BuiltinNames())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

var tiny = cmpopts.EquateApprox(0, 1e-6)

func mustParse(t *testing.T, text string) *experiments.Study {
	t.Helper()
	st, err := experiments.ParseStudy("test.toml", text, spectest.Names())
	if err != nil {
		t.Fatal(err)
	}
	return st
}
