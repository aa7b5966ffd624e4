//go:build long

package netsim_test

import "testing"

func TestLongLawOfTime(t *testing.T)        { lawOfTime(t, 3000) }
func TestLongLawOfRepetition(t *testing.T)  { lawOfRepetition(t, 2000) }
func TestLongLawOfElsewhere(t *testing.T)   { lawOfElsewhere(t, 2000) }
func TestLongLawOfUnits(t *testing.T)       { lawOfUnits(t, 2000) }
func TestLongLawOfTheLoneFlow(t *testing.T) { lawOfTheLoneFlow(t, 3000) }
func TestLongLawOfNames(t *testing.T)       { lawOfNames(t, 2000) }
