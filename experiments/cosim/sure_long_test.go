//go:build long

package cosim

import "testing"

func TestLongJobsWithoutErrorAreThoseOfTheFullRun(t *testing.T) { checkSure(t, 100, 30) }
