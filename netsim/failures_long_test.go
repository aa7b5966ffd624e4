//go:build long

package netsim_test

import "testing"

func TestLongFailuresLoseNothing(t *testing.T) { failuresLoseNothing(t, 300) }

func TestLongFailedLinksAgreeWithReference(t *testing.T) { failedLinksAgree(t, 400) }
