//go:build long && unix

package cli

import "testing"

func TestLongCommandsReplaceWhatTheyHaveWritten(t *testing.T) { checkReplaced(t, 1) }
