package papertest

import (
	"os"
	"testing"
)

// NoLog skips a test for want of a log. It fails the test where NEED_LOGS is the path of a folder
// that exists: on a machine that has logs no test may go without.
func NoLog(t testing.TB, why any) {
	t.Helper()
	if dir := os.Getenv("NEED_LOGS"); dir != "" {
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("no log: %v; %s is there", why, dir)
		}
	}
	t.Skipf("no log: %v", why)
}
