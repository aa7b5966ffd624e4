package cli

import (
	"errors"
	"strings"
	"testing"

	"contend/experiments/metrics"
)

// full is a disk with room for some bytes.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.room)
	f.room -= n
	if n < len(b) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// A command whose output is lost, all or its end, fails and says why.
func TestLostOutputIsAFailure(t *testing.T) {
	for _, args := range []string{"list keys", "--help", "run --help", "list --help", "--version",
		"show demo", "completion bash", "pattern ring --processes 4", "run no-such-study --help"} {
		for _, room := range []int{0, 10} {
			var stderr strings.Builder
			status := Run(strings.Fields(args), &full{room}, &stderr, metrics.Builtin())
			if status != exitFailed || !strings.Contains(stderr.String(), "no space left on device") {
				t.Errorf("contend %s, room for %d bytes: exit status %d, %q", args, room, status,
					stderr.String())
			}
		}
	}
}
