package order

import (
	"testing"

	"contend/allocation/allocationtest"
)

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) { allocationtest.Stories(t, Allocators()) }
