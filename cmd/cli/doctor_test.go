package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"contend/experiments/doctor"
)

// examine runs contend doctor with some cases.
func examine(t *testing.T, cases ...doctor.Case) (string, int) {
	t.Helper()
	var out, errs bytes.Buffer
	a := &app{stdout: &out, stderr: &errs, cases: cases}
	root := a.root()
	root.SetArgs([]string{"doctor"})
	status := a.status(root.ExecuteContext(context.Background()))
	if errs.Len() > 0 {
		t.Errorf("standard error: %s", &errs)
	}
	return out.String(), status
}

// A recorded digit that is not computed fails the command.
func TestDoctorFails(t *testing.T) {
	c := doctor.Cases()[0]
	text, status := examine(t, c)
	if status != exitDone || !strings.Contains(text, "\nall 1 cases ok (") ||
		strings.Contains(text, "FAILED") {
		t.Errorf("status %d\n%s", status, text)
	}
	c.Recorded = strings.Replace(c.Recorded, `"finish_time":`, `"finish_time":1`, 1)
	text, status = examine(t, c)
	if status != exitFailed {
		t.Errorf("status %d, want %d", status, exitFailed)
	}
	for _, want := range []string{"\nFAILED  " + c.Name, "finish_time is",
		"\n1 of 1 cases FAILED ("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
