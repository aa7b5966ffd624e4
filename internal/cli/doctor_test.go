package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"contend/experiments/doctor"
	"contend/netsim"
)

// examine runs contend doctor with a part of its checks.
func examine(t *testing.T, p doctor.Parts) (string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, checks: p.Checks()[:1]}
	root := a.root()
	root.SetArgs([]string{"doctor"})
	status := a.status(root.ExecuteContext(context.Background()))
	if errs.Len() > 0 {
		t.Errorf("standard error: %s", &errs)
	}
	return out.String(), status
}

// A closed form that is off by a cycle between the farthest nodes is noticed.
func TestDoctorFails(t *testing.T) {
	p := doctor.Sound()
	text, status := examine(t, p)
	if status != exitDone || !strings.Contains(text, "\nall 1 checks ok (") ||
		strings.Contains(text, "FAILED") {
		t.Errorf("status %d\n%s", status, text)
	}
	p.ZeroLoad = func(c netsim.Config, hops, flits int) netsim.Cycle {
		return c.ZeroLoadLatency(hops, flits) + netsim.Cycle(hops/6)
	}
	text, status = examine(t, p)
	if status != exitFailed {
		t.Errorf("status %d, want %d", status, exitFailed)
	}
	for _, want := range []string{"\nFAILED  zero-load latency", "worst difference 1 cycles",
		"\n1 of 1 checks FAILED ("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
