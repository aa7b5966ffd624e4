package main

import (
	"os"
	"path/filepath"
	"strings"

	"contend/experiments/claims"
	"contend/experiments/config"
	"contend/experiments/study"
)

// Repository is a repository whose documents rest on stored runs.
type Repository struct {
	Root string // its folder
	claims.Judge
	Rows []claims.Row // the outcomes of named rules

	known map[string]*study.Study // the results of studyOf so far
}

// openRepository returns the repository in a folder.
func openRepository(root string, names *config.Registry) (*Repository, error) {
	text, err := os.ReadFile(filepath.Join(root, rowsFile))
	if err != nil {
		return nil, err
	}
	rows, err := claims.Read(rowsFile, text)
	return &Repository{Root: root, Judge: claims.New(names), Rows: rows}, err
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
