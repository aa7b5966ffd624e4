//go:build long

package sim

import "testing"

func TestLongJobsWithoutErrorAreThoseOfTheFullRun(t *testing.T) { checkSure(t, 100, 15) }
