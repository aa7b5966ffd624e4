package manual

import (
	"fmt"
	"strings"

	"contend/experiments/decide"
	"contend/experiments/spec"
)

// decisionTables writes the keys of requests to contend allocate and of answers.
func decisionTables(b *strings.Builder) {
	b.WriteString("\n## Lines of contend allocate\n\nA request is a JSON object on a line of " +
		"standard input, and so is its answer on standard output.\n")
	for _, table := range []struct {
		title string
		keys  []spec.Name
	}{{"request", decide.RequestInfos()}, {"answer", decide.AnswerInfos()}} {
		fmt.Fprintf(b, "\n| %s | meaning |\n| --- | --- |\n", table.title)
		for _, k := range table.keys {
			doc := k.Doc
			if k.Source != "" {
				doc += " (" + k.Source + ")"
			}
			fmt.Fprintf(b, "| `%s` | %s |\n", k.Name, doc)
		}
	}
}
