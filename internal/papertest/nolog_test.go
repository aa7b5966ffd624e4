package papertest_test

import (
	"path/filepath"
	"testing"

	"contend/internal/papertest"
)

// outcome keeps how a test would end.
type outcome struct {
	testing.TB
	end string
}

func (*outcome) Helper()                 {}
func (o *outcome) Fatalf(string, ...any) { o.end += "fails " }
func (o *outcome) Skipf(string, ...any)  { o.end += "skips " }

// A test without its log fails where the folder of logs is there, and skips elsewhere.
func TestNoLog(t *testing.T) {
	dir := t.TempDir()
	for need, want := range map[string]string{
		"": "skips ", dir: "fails skips ", filepath.Join(dir, "none"): "skips ",
	} { // Fatalf does not return outside of this test
		t.Setenv("NEED_LOGS", need)
		o := new(outcome)
		papertest.NoLog(o, "x.swf")
		if o.end != want {
			t.Errorf("NEED_LOGS=%q: the test %s, want %s", need, o.end, want)
		}
	}
}
