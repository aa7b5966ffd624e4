package cli

import (
	"strings"
	"testing"

	"contend/experiments/service/external"
	"contend/internal/must"
)

// A program is named once, in one line, whatever its command has in it.
func TestProgramsAreNamedInALine(t *testing.T) {
	var stderr strings.Builder
	p := userPrograms{stderr: &stderr}
	for range 2 {
		must.Do(p.allow(must.Have(external.ParseCommand("sh -c \"x\ncontend: done\x1b[2K\""))))
	}
	const want = `contend: starts the program sh -c "x\ncontend: done\x1b[2K" ` +
		`(--no-exec refuses programs)`
	if got := stderr.String(); got != want+"\n" {
		t.Errorf("%q", got)
	}
}
