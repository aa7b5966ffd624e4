package main

import (
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/config"
	"contend/experiments/studies"
	"contend/experiments/study"
)

// Repository is a repository whose documents rest on stored runs.
type Repository struct {
	Root  string // its folder
	Names *config.Registry
	// Load returns the built-in study of a name, nil if there is none.
	Load func(name string) *study.Study
	// Outcomes are the rows of docs/claims.csv.
	Outcomes []Outcome

	known map[string]*study.Study // the results of studyOf so far
}

// openRepository returns the repository in a folder.
func openRepository(root string, names *config.Registry) (*Repository, error) {
	outcomes, err := readOutcomes(root)
	load := func(name string) *study.Study {
		if !slices.Contains(studies.Names(), name) {
			return nil
		}
		st, err := study.Load(name, names)
		if err != nil {
			panic("repodocs: the built-in study " + name + ": " + err.Error())
		}
		return st
	}
	return &Repository{Root: root, Names: names, Load: load, Outcomes: outcomes}, err
}

// Documents lists the Markdown files of the repository.
func (c *Repository) Documents() (paths []string, err error) {
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*.md",
		"examples/*/*.md"} {
		found, err := filepath.Glob(filepath.Join(c.Root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	return paths, nil
}

// studyOf returns the built-in study of a name, or of a folder of results, such as
// bender-table1-kth. It returns nil if there is none.
func (c *Repository) studyOf(name string) *study.Study {
	if st, ok := c.known[name]; ok {
		return st
	}
	st := c.Load(name)
	if at := strings.LastIndexByte(name, '-'); st == nil && at >= 0 {
		st = c.studyOf(name[:at])
	}
	if c.known == nil {
		c.known = map[string]*study.Study{}
	}
	c.known[name] = st
	return st
}
