//go:build long

package experiments

import "testing"

func TestLongGolden(t *testing.T) { checkGoldens(t, heavy) }
