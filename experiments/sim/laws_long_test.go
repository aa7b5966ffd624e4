//go:build long

package sim

import "testing"

func TestLongLawOfTime(t *testing.T)          { lawOfTime(t, 200) }
func TestLongLawOfElsewhere(t *testing.T)     { lawOfElsewhere(t, 100) }
func TestLongLawOfUnits(t *testing.T)         { lawOfUnits(t, 100) }
func TestLongLawOfTheLoneJob(t *testing.T)    { lawOfTheLoneJob(t, 100) }
func TestLongLawOfLongerWindows(t *testing.T) { lawOfLongerWindows(t, 40) }

func TestLongJumpsOverRails(t *testing.T) { jumpsOverRails(t, 3) }

func TestLongJobsWithoutErrorAreThoseOfTheFullRun(t *testing.T) { checkSure(t, 100, 15) }
