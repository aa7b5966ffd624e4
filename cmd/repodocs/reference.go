package main

import (
	"embed"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
	"unicode/utf8"

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
		texts[name] = wrapped(b.String())
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

// besides describes the keys that a request may have beside it; those that are keys of [job] together.
func besides(r service.Request) (list []string) {
	var ofJob []string
	for _, k := range r.Beside {
		if k.Doc == service.KeyOfJob(k.Name) {
			ofJob = append(ofJob, code(k.Name))
		} else {
			list = append(list, code(k.Name)+": "+k.Doc)
		}
	}
	if ofJob != nil {
		list = append(list, strings.Join(ofJob, ", ")+
			": the keys of [job] of these names, by default those of the study")
	}
	return list
}

// templateFunctions holds the functions that templates call.
var templateFunctions = template.FuncMap{
	"join":       func(list []string, by string) string { return strings.Join(list, by) },
	"trim":       strings.TrimSpace,
	"anchor":     func(path string) string { return strings.ReplaceAll(path, " ", "-") },
	"code":       code,
	"sourced":    sourced,
	"commands":   commandsBelow,
	"kindsWith":  kindsWith,
	"besides":    besides,
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

// lineColumns is the number of columns of a line.
const lineColumns = 120

// wrapped returns a page in which the longer entries of lists have several lines.
func wrapped(page string) string {
	var b strings.Builder
	code := false
	for line := range strings.Lines(page) {
		code = code != strings.HasPrefix(line, "```")
		indent := strings.Repeat(" ", 2+len(line)-len(strings.TrimLeft(line, " ")))
		if code || !strings.HasPrefix(line, indent[2:]+"- ") {
			b.WriteString(line)
			continue
		}
		columns := len(indent) - 2
		b.WriteString(indent[2:])
		for i, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case i > 1 && columns+1+n > lineColumns && !marker.MatchString(word):
				b.WriteString("\n" + indent)
				columns = len(indent)
			case i > 0:
				b.WriteString(" ")
				columns++
			}
			b.WriteString(word)
			columns += n
		}
		b.WriteString("\n")
	}
	return b.String()
}

// marker matches words that begin an entry of a list, or a heading, where they begin a line.
var marker = regexp.MustCompile(`^([-+*>]|\|.*|#+|[0-9]+[.)])$`)
