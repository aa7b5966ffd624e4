package housestyle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns = 100 // characters in a line; a tab counts as one
	maxLines   = 60  // lines of a function; a table in it counts as one
)

// The rules, as exceptions.txt names them.
const (
	lineRule    = "long-lines"
	funcRule    = "long-functions"
	docRule     = "package-doc"
	exampleRule = "package-example"
	fieldRule   = "field-comments"
)

// pkg is what the rules about packages need to know of one.
type pkg struct {
	name                string
	hasDoc, hasExamples bool
}

func (b breaches) checkFile(packages map[string]*pkg, name string, text []byte) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	b.checkLines(name, string(text))
	b.checkFunctions(name, files, file)
	dir := path.Dir(name)
	p := packages[dir]
	if p == nil {
		p = &pkg{}
		packages[dir] = p
	}
	if strings.HasSuffix(name, "_test.go") {
		p.hasExamples = p.hasExamples || strings.HasSuffix(file.Name.Name, "_test") && hasExample(file)
		return nil
	}
	p.name = file.Name.Name
	p.hasDoc = p.hasDoc || file.Doc != nil
	if p.name != "main" {
		b.checkFields(name, files, file)
	}
	return nil
}

// checkPackage checks a package as a whole. Folders of tests alone are no packages, and a
// command has no API for an example to show.
func (b breaches) checkPackage(dir string, p *pkg) {
	if p.name == "" {
		return
	}
	if !p.hasDoc {
		b.add(docRule, dir, "the package has no doc comment")
	}
	if !p.hasExamples && p.name != "main" {
		b.add(exampleRule, dir, "the package %s_test has no Example with an Output comment", p.name)
	}
}

func (b breaches) checkLines(name, text string) {
	for i, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > maxColumns {
			b.add(lineRule, name, "line %d has %d characters; at most %d", i+1, n, maxColumns)
		}
	}
}

func (b breaches) checkFunctions(name string, files *token.FileSet, file *ast.File) {
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is {
			if n := linesOf(files, f) - tableLines(files, f); n > maxLines {
				b.add(funcRule, name, "line %d: %s has %d lines; at most %d", files.Position(f.Pos()).Line,
					f.Name.Name, n, maxLines)
			}
		}
	}
}

// linesOf returns the number of lines of a node.
func linesOf(files *token.FileSet, n ast.Node) int {
	return files.Position(n.End()).Line - files.Position(n.Pos()).Line + 1
}

// tableLines returns the number of lines of composite literals beyond the first line of
// each. Function literals in them count in full.
func tableLines(files *token.FileSet, in ast.Node) (lines int) {
	ast.Inspect(in, func(n ast.Node) bool {
		literal, is := n.(*ast.CompositeLit)
		if !is {
			return true
		}
		lines += linesOf(files, literal) - 1
		ast.Inspect(literal, func(n ast.Node) bool {
			f, is := n.(*ast.FuncLit)
			if is {
				lines -= linesOf(files, f) - tableLines(files, f)
			}
			return !is
		})
		return false
	})
	return lines
}

// hasExample reports whether a file has an example that the go command runs.
func hasExample(file *ast.File) bool {
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Example") {
			continue
		}
		for _, c := range file.Comments {
			first := strings.ToLower(strings.TrimSpace(c.Text()))
			if c.Pos() > f.Pos() && c.End() < f.End() &&
				(strings.HasPrefix(first, "output:") || strings.HasPrefix(first, "unordered output:")) {
				return true
			}
		}
	}
	return false
}

// checkFields checks that each exported field of an exported struct has a comment.
func (b breaches) checkFields(name string, files *token.FileSet, file *ast.File) {
	for _, d := range file.Decls {
		group, is := d.(*ast.GenDecl)
		if !is {
			continue
		}
		for _, s := range group.Specs {
			spec, is := s.(*ast.TypeSpec)
			if !is || !spec.Name.IsExported() {
				continue
			}
			if fields, is := spec.Type.(*ast.StructType); is {
				b.checkStruct(name, files, spec.Name.Name, fields)
			}
		}
	}
}

// checkStruct checks the fields of a struct. Embedded fields need no comment, because their
// type has one. The doc tag of a key of the specification counts as a comment.
func (b breaches) checkStruct(name string, files *token.FileSet, of string, s *ast.StructType) {
	for _, f := range s.Fields.List {
		if f.Doc != nil || f.Comment != nil ||
			f.Tag != nil && strings.Contains(f.Tag.Value, `doc:"`) {
			continue
		}
		for _, field := range f.Names {
			if field.IsExported() {
				b.add(fieldRule, name, "line %d: the field %s.%s has no comment",
					files.Position(field.Pos()).Line, of, field.Name)
			}
		}
	}
}
