package study

import (
	"testing"

	"contend/experiments/config"
)

// The same log under another path, compressed or not, is the same for what a
// study says of it.
func TestLogsMatchByName(t *testing.T) {
	p := Point{Spec: config.DefaultSpec()}
	p.Spec.Workload.Trace = "/some/where/KTH-SP2-1996-2.swf.gz"
	for name, want := range map[string]bool{"KTH-SP2-1996-2.swf": true,
		"x/KTH-SP2-1996-2.swf.gz": true, "KTH-SP2-1996-2": true, "other.swf": false} {
		if got := Matches(&p, map[string]any{"workload.trace": name}); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
