package main

import (
	"embed"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"contend/cmd/cli"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/service"
)

//go:embed pages
var pages embed.FS

// reference has what the pages list: everything that the program has a table of.
type reference struct {
	Program  cli.Program      // the command line
	Names    *config.Registry // everything that a study can name
	Requests []service.Request
	Answers  []service.Key
}

// referencePages returns the pages by the names of their files.
func referencePages() (map[string]string, error) {
	r := metrics.Builtin()
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
		page := reference{cli.Describe(r), r, service.Requests, service.Answers}
		if err := t.Execute(&b, page); err != nil {
			return nil, err
		}
		texts[name] = b.String()
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

// templateFunctions are the functions of the templates.
var templateFunctions = template.FuncMap{
	"join":    func(list []string, by string) string { return strings.Join(list, by) },
	"trim":    strings.TrimSpace,
	"anchor":  func(path string) string { return strings.ReplaceAll(path, " ", "-") },
	"cell":    cell,
	"code":    code,
	"sourced": sourced,
	"flags":   cli.Flags,
	"useLine": cli.UseLine,
}

// cell returns a text without the characters that would end a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// code quotes a name, if there is one.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + cell(text) + "`"
}

// sourced appends the source of a fact.
func sourced(doc, source string) string {
	if source == "" {
		return doc
	}
	return doc + " (" + source + ")"
}
