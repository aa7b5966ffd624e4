//go:build long

package cli

import "testing"

func TestLongEachByteOfResultsIsProtected(t *testing.T) { checkProtected(t, 1) }
