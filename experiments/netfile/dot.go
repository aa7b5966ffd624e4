package netfile

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/internal/bounded"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"
)

// drawing are attributes that say how a graph is drawn: they change no network.
var drawing = []string{"label", "xlabel", "shape", "color", "fillcolor", "fontcolor", "fontname",
	"fontsize", "style", "penwidth", "pos", "tooltip", "layout", "overlap", "splines", "rankdir",
	"rank", "ranksep", "nodesep", "bgcolor", "len", "labelloc", "dir", "arrowhead"}

// dotRight is what a DOT file looks like.
const dotRight = "give a graph such as: graph { a [nodes=2]; a -- b [count=2]; }"

// dotReader reads one graph.
type dotReader struct {
	*named
	lines []string // of the text, to find what is wrong
}

// parseDOT reads a graph of the DOT language. An edge is a link, and of a directed one its
// cycles are those in its direction. Subgraphs are read as what they hold.
func parseDOT(file, text string) (n *Network, err error) {
	defer func() {
		if recover() != nil { // the library has faults of its own
			n, err = nil, &bounded.Error{File: file, Problem: "cannot be read as DOT", Right: dotRight}
		}
	}()
	parsed, err := dot.ParseString(text)
	if err != nil {
		return nil, dotError(file, err)
	}
	if len(parsed.Graphs) != 1 {
		return nil, &bounded.Error{File: file, Problem: "there is not one graph, but " +
			strconv.Itoa(len(parsed.Graphs)), Right: dotRight}
	}
	r := dotReader{newNamed(file), strings.Split(text, "\n")}
	if err := r.statements(parsed.Graphs[0].Stmts, properties{}, properties{}); err != nil {
		return nil, err
	}
	return r.finish()
}

var dotLine = regexp.MustCompile(`^(\d+):\d+: error: `)

// dotError finds the line in an error of the library.
func dotError(file string, err error) error {
	bad := &bounded.Error{File: file, Problem: "cannot be read as DOT", Right: dotRight}
	if at := dotLine.FindStringSubmatch(err.Error()); at != nil {
		bad.Line, _ = strconv.Atoi(at[1])
	}
	return bad
}

// statements reads the statements of a graph or a subgraph. Routers and links are the
// attributes that the statements before have given all of them.
func (r *dotReader) statements(list []ast.Stmt, routers, links properties) error {
	routers, links = maps.Clone(routers), maps.Clone(links)
	for _, s := range list {
		var err error
		switch s := s.(type) {
		case *ast.NodeStmt:
			name := unquoted(s.Node.ID)
			r.locate(s.Attrs, name)
			err = r.attributed(routers, s.Attrs, func(p properties) error { return r.addRouter(name, p) })
		case *ast.EdgeStmt:
			err = r.edge(s, routers, links)
		case *ast.AttrStmt:
			r.locate(s.Attrs, "[")
			into := map[ast.Kind]properties{ast.GraphKind: {}, ast.NodeKind: routers,
				ast.EdgeKind: links}[s.Kind]
			err = r.attributed(into, s.Attrs, func(p properties) error { maps.Copy(into, p); return nil })
			if err == nil && s.Kind == ast.GraphKind {
				err = r.left(into)
			}
		case *ast.Attr:
			r.locate([]*ast.Attr{s})
			err = r.attributed(properties{}, []*ast.Attr{s}, func(p properties) error { return r.left(p) })
		case *ast.Subgraph:
			err = r.statements(s.Stmts, routers, links)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// attributed calls f with the attributes that do not say how to draw.
func (r *dotReader) attributed(defaults properties, list []*ast.Attr,
	f func(p properties) error) error {
	p := maps.Clone(defaults)
	for _, a := range list {
		if key := unquoted(a.Key); !slices.Contains(drawing, key) {
			p[key] = unquoted(a.Val)
		}
	}
	return f(p)
}

// edge reads a chain of links.
func (r *dotReader) edge(s *ast.EdgeStmt, routers, links properties) error {
	from, err := r.ends(s.From, routers, links)
	for to := s.To; to != nil && err == nil; to = to.To {
		var ends []string
		if ends, err = r.ends(to.Vertex, routers, links); err != nil {
			return err
		}
		for _, a := range from {
			for _, b := range ends {
				r.locate(s.Attrs, a, b)
				err := r.attributed(links, s.Attrs, func(p properties) error { return r.addLink(a, b, p) })
				if err != nil {
					return err
				}
			}
		}
		from = ends
	}
	return err
}

// ends returns the names of the routers at one end of an edge.
func (r *dotReader) ends(v ast.Vertex, routers, links properties) (names []string, err error) {
	switch v := v.(type) {
	case *ast.Node:
		return []string{unquoted(v.ID)}, nil
	case *ast.Subgraph:
		for _, s := range v.Stmts {
			if k, is := s.(*ast.NodeStmt); is {
				names = append(names, unquoted(k.Node.ID))
			}
		}
		return names, r.statements(v.Stmts, routers, links)
	}
	return nil, r.bad(dotRight, "an edge ends at no router")
}

// locate finds the line of a statement by its words in their order and by its attributes: the
// first one from the statement before on that has all of these, else the first with the words.
// The library does not say where it found what it read.
func (r *dotReader) locate(list []*ast.Attr, words ...string) {
	has := func(line string) bool { return inOrder(line, words) }
	all := func(line string) bool {
		return has(line) && !slices.ContainsFunc(list, func(a *ast.Attr) bool {
			return !inOrder(line, []string{unquoted(a.Key), unquoted(a.Val)})
		})
	}
	before := max(0, r.line-1)
	for _, fits := range []func(line string) bool{all, has} {
		if i := slices.IndexFunc(r.lines[before:], fits); i >= 0 {
			r.line = before + i + 1
			return
		}
	}
}

// inOrder reports whether a line has some words one behind the other, each of them no part of a
// longer one.
func inOrder(line string, words []string) bool {
	inside := func(c byte) bool {
		return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' ||
			c >= 'A' && c <= 'Z'
	}
	at := 0
	for _, word := range words {
		for {
			i := strings.Index(line[at:], word)
			if i < 0 {
				return false
			}
			begin, end := at+i, at+i+len(word)
			if at = begin + 1; word == "" {
				at = begin
				break
			}
			if (begin == 0 || !inside(line[begin-1]) || !inside(word[0])) &&
				(end == len(line) || !inside(line[end]) || !inside(word[len(word)-1])) {
				at = end
				break
			}
		}
	}
	return true
}

// unquoted returns an identifier of the DOT language without its quotes.
func unquoted(id string) string {
	if text, err := strconv.Unquote(id); err == nil {
		return text
	}
	return id
}
