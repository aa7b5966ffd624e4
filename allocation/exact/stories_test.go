package exact

import (
	"testing"

	"contend/allocation/allocationtest"
	"contend/allocation/center"
)

// Decisions by hand, examples of papers, and refusals.
func TestStories(t *testing.T) {
	allocationtest.Stories(t, append(Allocators(), center.Allocators()...))
}
