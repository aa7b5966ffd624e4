package manual_test

import (
	"fmt"
	"strings"

	"contend/experiments/manual"
	"contend/experiments/spec"

	"github.com/spf13/cobra"
)

// A program documents its own command line and names.
func ExampleReference() {
	pages, err := manual.Reference(manual.Program{
		Root:  &cobra.Command{Use: "contend", Short: "Simulate"},
		Names: spec.BuiltinNames(),
		Exits: []manual.ExitStatus{{Code: 0, Meaning: "done"}, {Code: 1, Meaning: "failed"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range pages {
		title, _, _ := strings.Cut(p.Text, "\n")
		fmt.Println(p.Name, title)
	}
	// Output:
	// keys.md # Keys of a study
	// commands.md # Commands
	// columns.md # Columns of the files the program writes
	// metrics.md # Metrics
	// names.md # Names and their short forms
	// patterns.md # Traffic patterns
	// exit-statuses.md # Exit statuses
}
