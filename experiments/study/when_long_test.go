//go:build long

package study

import "testing"

// Over many drawn studies the effect of every key is seen.
func TestLongKeysActOrAreRefused(t *testing.T) { keysActOrAreRefused(t, 60, 1500) }
