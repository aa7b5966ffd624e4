//go:build long

package netsim_test

import "testing"

func TestLongLawOfTime(t *testing.T)        { lawOfTime(t, 1500) }
func TestLongLawOfRepetition(t *testing.T)  { lawOfRepetition(t, 1000) }
func TestLongLawOfElsewhere(t *testing.T)   { lawOfElsewhere(t, 1000) }
func TestLongLawOfUnits(t *testing.T)       { lawOfUnits(t, 1000) }
func TestLongLawOfTheLoneFlow(t *testing.T) { lawOfTheLoneFlow(t, 1500) }
func TestLongLawOfNames(t *testing.T)       { lawOfNames(t, 1000) }

func TestLongRecordedFlitsAreThoseOfTheReference(t *testing.T) { recordedFlits(t, 300) }
