package sim

import (
	"errors"
	"fmt"
	"testing"

	"contend/scheduler"
)

// A value whose computation panics is no value for the callers that come later either.
func TestMemoPanicsEveryTime(t *testing.T) {
	var s memo[string, int]
	for i := range 2 {
		func() {
			defer func() {
				if p := recover(); p != "no value" {
					t.Errorf("call %d: panic %v", i, p)
				}
			}()
			n, err := s.of("a", func() (int, error) { panic("no value") })
			t.Errorf("call %d returned %d, %v", i, n, err)
		}()
	}
}

// A value and an error are computed once, but for the error of a computation that was stopped.
func TestMemoComputesOnce(t *testing.T) {
	var s memo[string, int]
	calls, failure := 0, errors.New("failure")
	for range 2 {
		if n, err := s.of("a", func() (int, error) { calls++; return 7, nil }); n != 7 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
		if n, err := s.of("b", func() (int, error) { calls++; return 8, failure }); n != 0 ||
			err != failure {
			t.Errorf("got %d, %v", n, err)
		}
	}
	if calls != 2 {
		t.Errorf("%d calls", calls)
	}
	s.of("c", func() (int, error) { return 0, fmt.Errorf("job 1: %w", scheduler.ErrStopped) })
	if n, err := s.of("c", func() (int, error) { return 9, nil }); n != 9 || err != nil {
		t.Errorf("after a computation that was stopped %d, %v", n, err)
	}
}
