package tune

import (
	"errors"
	"strings"
	"testing"

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
