package tune

import (
	"context"
	"errors"
	"strings"
	"testing"

	"contend/experiments/cosim"
	"contend/experiments/spec"
)

func mustBeInput(t *testing.T, err error) {
	t.Helper()
	var input *spec.InputError
	if !errors.As(err, &input) || err.Error() == "" || strings.ContainsAny(err.Error(),
		"\n\r\x1b\x00") {
		t.Fatalf("%T: %q", err, err)
	}
}

// runSpec runs a replication of a spec.
func runSpec(run func(context.Context, *spec.Plan, int, *cosim.Extra) (cosim.Result, error),
	ctx context.Context, s spec.Spec, replication int, extra *cosim.Extra,
) (r cosim.Result, err error) {
	plan, err := s.Plan()
	if err != nil {
		return r, err
	}
	return run(ctx, plan, replication, extra)
}

func planOf(t testing.TB, s spec.Spec) *spec.Plan {
	t.Helper()
	p, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
