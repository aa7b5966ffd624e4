package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// readTable returns the faults of the table, each at its place in the module.
func readTable(root string) ([]fault, error) {
	faults, err := parseTable(table)
	if err != nil {
		return nil, err
	}
	tree := os.DirFS(root)
	var wrong []error
	for i := range faults {
		if err := faults[i].place(tree); err != nil {
			wrong = append(wrong, err)
		}
	}
	return faults, errors.Join(wrong...)
}

// place finds the one place in the tree that has the old text.
func (f *fault) place(tree fs.FS) error {
	files, err := filesNamed(tree, f.file)
	if err != nil {
		return err
	}
	times := 0
	for _, name := range files {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		found := linesIn(string(text), f.old)
		times += len(found)
		if len(found) > 0 {
			at := found[0]
			f.path = name
			f.changed = []byte(string(text[:at]) + f.new + string(text[at+len(f.old):]))
		}
	}
	if times == 1 {
		return nil
	}
	where := strings.Join(files, ", ")
	if files == nil {
		where = "any file of that name"
	}
	return fmt.Errorf("faults.txt:%d: fault %s (%s): its old text is %d times in %s, "+
		"and has to be there once: follow the code with the table\n%s",
		f.line, f.name, f.file, times, where, f.old)
}

// filesNamed lists the files of a name in a folder and below.
func filesNamed(tree fs.FS, file string) (names []string, err error) {
	err = fs.WalkDir(tree, path.Dir(file), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.Name() == path.Base(file):
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

// linesIn returns the positions in a text of some whole lines.
func linesIn(text, lines string) (at []int) {
	for from := 0; ; {
		i := strings.Index(text[from:], lines)
		if i < 0 {
			return at
		}
		i += from
		if i == 0 || text[i-1] == '\n' {
			at = append(at, i)
		}
		from = i + 1
	}
}
