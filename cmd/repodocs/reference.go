package main

import (
	"cmp"
	"embed"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"contend/cmd/cli"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/service"
	"contend/experiments/service/external"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pages holds the templates of docs/reference.
//
//go:embed pages
var pages embed.FS

// reference is the data of the templates.
type reference struct {
	Root     *cobra.Command    // the command line
	Exits    []cli.ExitStatus  // statuses with which the program ends
	Names    *config.Registry  // everything that a study can name
	Requests []service.Request // of the service of JSON lines
	Answers  []service.Key     // keys of its answers
	Patterns []external.Object // in the lines to and from programs that are patterns
}

// referencePages returns the pages of docs/reference by the names of their files.
func referencePages() (map[string]string, error) {
	r := metrics.Builtin()
	data := reference{cli.Describe(r), cli.ExitStatuses, r, service.Requests,
		service.Answers, external.PatternObjects}
	all, err := template.New("").Funcs(templateFunctions).ParseFS(pages, "pages/*")
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, t := range all.Templates() {
		name, is := strings.CutSuffix(t.Name(), ".tmpl")
		if !is {
			continue // a part of a page
		}
		var b strings.Builder
		if err := t.Execute(&b, data); err != nil {
			return nil, err
		}
		texts[name] = shortened(b.String())
	}
	return texts, nil
}

// writeReference writes the pages into a folder.
func writeReference(dir string) error {
	texts, err := referencePages()
	if err != nil {
		return err
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// commandsBelow returns the commands below c that do something themselves, in alphabetical order.
func commandsBelow(c *cobra.Command) (list []*cobra.Command) {
	for _, below := range c.Commands() {
		if !below.HasSubCommands() || below.HasLocalFlags() {
			list = append(list, below)
		}
		list = append(list, commandsBelow(below)...)
	}
	return list
}

// flagsOf returns the flags of a command that contend run does not have with the same text, and the
// names of the others. All flags of contend run are its own.
func flagsOf(c *cobra.Command) (own *pflag.FlagSet, others []string) {
	own = pflag.NewFlagSet("", pflag.ContinueOnError)
	run, _, _ := c.Root().Find([]string{"run"})
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		of := run.Flags().Lookup(f.Name)
		if c == run || of == nil || of.Usage != f.Usage || of.DefValue != f.DefValue {
			own.AddFlag(f)
		} else {
			others = append(others, code("--"+f.Name))
		}
	})
	return own, others
}

// ownFlags describes the flags of a command that contend run does not have.
func ownFlags(c *cobra.Command) string {
	own, _ := flagsOf(c)
	return own.FlagUsagesWrapped(100)
}

// flagsOfRun names the other flags.
func flagsOfRun(c *cobra.Command) string {
	_, others := flagsOf(c)
	return strings.Join(others, ", ")
}

// templateFunctions holds the functions that templates call.
var templateFunctions = template.FuncMap{
	"join":       func(list []string, by string) string { return strings.Join(list, by) },
	"trim":       strings.TrimSpace,
	"anchor":     func(path string) string { return strings.ReplaceAll(path, " ", "-") },
	"cell":       cell,
	"code":       code,
	"sourced":    sourced,
	"commands":   commandsBelow,
	"kindsWith":  kindsWith,
	"callOf":     callOf,
	"ownFlags":   ownFlags,
	"flagsOfRun": flagsOfRun,
	"keyValues":  keyValues,
	"rowsOf":     parameterRows,
}

// cell escapes the characters that would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// code returns a name as code, "" for none.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + cell(text) + "`"
}

// sourced returns a text with its source in parentheses, if it has one.
func sourced(doc, source string) string {
	if source == "" {
		return doc
	}
	return doc + " (" + source + ")"
}

// mostWords is the number of words that a cell of a table on a reference page has at most.
const mostWords = 25

// shortened returns a page in which the rest of every longer cell follows its table, under the name
// of the row. A cell is cut at the end of a sentence or of a clause.
func shortened(page string) string {
	var out, below []string
	for line := range strings.SplitSeq(page, "\n") {
		if !strings.HasPrefix(line, "| ") {
			if len(below) > 0 {
				out, below = append(append(out, ""), below...), nil
			}
			out = append(out, line)
			continue
		}
		cells := cellsOf(line)
		for i, c := range cells {
			if head, rest := cut(c); i > 0 && rest != "" {
				cells[i] = head + " …"
				below = append(below, "- "+cmp.Or(cells[0], cells[1])+": … "+rest)
			}
		}
		out = append(out, "| "+strings.Join(cells, " | ")+" |")
	}
	return strings.Join(out, "\n")
}

// cellsOf returns the cells of a row of a table.
func cellsOf(row string) []string {
	const bar = "\x00"
	row = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|"), `\|`, bar)
	cells := strings.Split(row, "|")
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(c), bar, `\|`)
	}
	return cells
}

// stops are the characters that end clauses, the best places to cut with the highest numbers.
var stops = map[byte]int{',': 1, ':': 2, ';': 3, '.': 3}

// cut cuts a text of more than mostWords words behind a clause that ends within the first mostWords
// words: the last of those that end with the best stop. It cuts nothing if no clause ends there.
// Text in brackets, quotes or code is not cut.
func cut(text string) (head, rest string) {
	if len(strings.Fields(text)) <= mostWords {
		return text, ""
	}
	at, best, depth, words, quoted := 0, 0, 0, 1, false
	for i := 0; i+1 < len(text) && words <= mostWords; i++ {
		switch c := text[i]; {
		case c == '"' || c == '`':
			quoted = !quoted
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ' ':
			words++
		case text[i+1] != ' ' || depth > 0 || quoted || strings.HasSuffix(text[:i], " al") ||
			c == ':' && words < 7: // "of a tree:" says too little
		case stops[c] >= max(best, 1):
			at, best = i, stops[c]
		}
	}
	if at == 0 {
		return text, ""
	}
	return strings.TrimRight(text[:at+1], ",;"), text[at+2:]
}
