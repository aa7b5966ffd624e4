//go:build long

package sim

import "testing"

func TestLongLawOfTime(t *testing.T)          { lawOfTime(t, 400) }
func TestLongLawOfElsewhere(t *testing.T)     { lawOfElsewhere(t, 200) }
func TestLongLawOfUnits(t *testing.T)         { lawOfUnits(t, 200) }
func TestLongLawOfTheLoneJob(t *testing.T)    { lawOfTheLoneJob(t, 200) }
func TestLongLawOfLongerWindows(t *testing.T) { lawOfLongerWindows(t, 100) }
