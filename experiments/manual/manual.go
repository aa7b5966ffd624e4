package manual

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"contend/experiments/spec"

	"github.com/spf13/cobra"
)

// Program is the program that the pages describe.
type Program struct {
	Root  *cobra.Command // the command line
	Names spec.Names     // everything that a study can name
	Exits []ExitStatus   // in the order of the page
}

// ExitStatus is a status the program ends with.
type ExitStatus struct {
	Code    int    // what the shell sees
	Meaning string // a phrase
}

// Page is one file.
type Page struct {
	// Name is the name of the file, Text its content.
	Name, Text string
}

// Reference returns the pages of docs/reference.
func Reference(p Program) ([]Page, error) {
	columns, err := columnsPage()
	if err != nil {
		return nil, err
	}
	patterns, err := patternsPage(p.Names)
	if err != nil {
		return nil, err
	}
	return []Page{
		{"keys.md", keysPage()},
		{"commands.md", commandsPage(p.Root)},
		{"columns.md", columns},
		{"metrics.md", metricsPage(p.Names)},
		{"names.md", namesPage(p.Names)},
		{"patterns.md", patterns},
		{"exit-statuses.md", exitsPage(p.Exits)},
	}, nil
}

// Write puts pages into a folder. It creates the folder if needed.
func Write(dir string, pages []Page) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(dir, p.Name), []byte(p.Text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// title begins a page.
func title(text string) string {
	return "# " + text + "\n\nWritten by `contend manual --dir docs/reference`; do not edit.\n\n"
}

// table writes a Markdown table.
func table(b *strings.Builder, header []string, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(header, " | "), strings.Repeat(" --- |", len(header)))
	for _, row := range rows {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// code quotes a name.
func code(text string) string { return "`" + text + "`" }

// sourced appends the source of a fact.
func sourced(doc, source string) string {
	if source == "" {
		return doc
	}
	return doc + " (" + source + ")"
}

// nameTable writes names with their meanings.
func nameTable(b *strings.Builder, head string, names []spec.Name) {
	var rows [][]string
	for _, n := range names {
		rows = append(rows, []string{code(n.Name), sourced(n.Doc, n.Source)})
	}
	table(b, []string{head, "meaning"}, rows)
}

// exitsPage lists the exit statuses.
func exitsPage(exits []ExitStatus) string {
	var b strings.Builder
	b.WriteString(title("Exit statuses"))
	var rows [][]string
	for _, e := range exits {
		rows = append(rows, []string{fmt.Sprint(e.Code), e.Meaning})
	}
	table(&b, []string{"status", "meaning"}, rows)
	b.WriteString("\n" +
		"Results go to files and standard output. Progress, notes and errors go to standard error;\n" +
		"the last line of standard error begins with `contend:` and says what failed and what would\n" +
		"be right.\n")
	return b.String()
}
