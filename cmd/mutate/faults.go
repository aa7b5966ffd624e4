package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// A fault is a change of one place in a file.
type fault struct {
	pkg      string // import path
	file     string // from the root of the repository
	function string // Type.Method or Function, "" outside of functions
	line     int
	// before and after are the line with the place, without and with the fault: with the file and
	// the function they name the fault however the rest of the file changes.
	before, after string

	source  *source
	at, end int    // the place in the file, as offsets in bytes
	instead string // the text that replaces the place
	body    *body  // of the function, or nil
}

// source is a file with places for faults: its path on disk, the name of its package, and its path
// in the repository.
type source struct{ path, pkg, name, text string }

// A body is the body of a function of a file, or of a function in a variable of the package. number
// counts the bodies with faults from 1.
type body struct {
	number       int
	at, end      int // behind { and at }
	line, column int // of at
	returns      bool
	labels       []int // where labels end
}

// changed returns the text of the file with the fault.
func (f *fault) changed() string {
	return f.source.text[:f.at] + f.instead + f.source.text[f.end:]
}

// name is what two faults have in common only if they are the same.
func (f *fault) name() string {
	return strings.Join([]string{strings.TrimSpace(f.file + " " + f.function), f.before, f.after}, "\n")
}

func (f *fault) String() string {
	return fmt.Sprintf("%s:%d %s\n    - %s\n    + %s", f.file, f.line, f.function, f.before, f.after)
}

// operators has what may stand in place of an operator: arithmetic the other way, comparisons that
// leave out or take in the boundary, and their negation.
var operators = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.REM: {token.MUL}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.OR}, token.AND_NOT: {token.AND},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// A place is where a fault may be, with the texts that may stand there instead.
type place struct {
	pos, end token.Pos
	instead  []string
}

// finder collects the places of a file.
type finder struct {
	text   string
	file   *token.File
	places []place
	within []string       // the function of each place
	bodies []*body        // and its body
	now    string         // the function that is walked
	body   *body          // its body
	result *ast.FieldList // and what it returns
}

// faultsOf returns the faults of each place of a file.
func faultsOf(pkg, name, path, text string) ([][]fault, error) {
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	of := &source{path: path, pkg: tree.Name.Name, name: name, text: text}
	f := finder{text: text, file: files.File(tree.Pos())}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if f.now = functionName(d); d.Body != nil && !isText(d) {
				f.walkBody(d.Body, d.Type.Results)
			}
		case *ast.GenDecl:
			if f.now = ""; d.Tok == token.CONST || d.Tok == token.VAR {
				ast.Inspect(d, f.visit)
			}
		}
	}
	list := make([][]fault, len(f.places))
	for i, p := range f.places {
		for _, instead := range p.instead {
			c := fault{pkg: pkg, file: name, function: f.within[i], line: f.file.Line(p.pos), source: of,
				at: f.file.Offset(p.pos), end: f.file.Offset(p.end), instead: instead, body: f.bodies[i]}
			c.before, c.after = lineAt(text, c.at), lineAt(c.changed(), c.at)
			list[i] = append(list[i], c)
		}
	}
	return list, nil
}

// functionName returns Type.Method or Function.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	of := d.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
			continue
		case *ast.IndexExpr:
			of = x.X
			continue
		}
		return fmt.Sprint(of) + "." + d.Name.Name
	}
}

// isText reports whether a method makes text for readers, which no result depends on.
func isText(d *ast.FuncDecl) bool { return d.Name.Name == "String" || d.Name.Name == "Error" }

// lineAt returns the line of a text around an offset, without the space around it, or "(removed)"
// for an empty line.
func lineAt(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "(removed)"
	}
	return line
}

// walkBody walks a function, which may be part of another.
func (f *finder) walkBody(n *ast.BlockStmt, results *ast.FieldList) {
	outer, result := f.body, f.result
	if f.body == nil {
		at := n.Lbrace + 1
		f.body = &body{at: f.file.Offset(at), end: f.file.Offset(n.Rbrace), line: f.file.Line(at),
			column: f.file.Position(at).Column, returns: results != nil}
	}
	f.result = results
	ast.Inspect(n, f.visit)
	f.body, f.result = outer, result
}

// visit adds the places of a node. Guards against wrong callers (an if that only panics), texts of
// errors and what only reserves memory are left out.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		f.walkBody(n.Body, n.Type.Results)
		return false
	case *ast.LabeledStmt:
		f.body.labels = append(f.body.labels, f.file.Offset(n.Label.End()))
	case *ast.IfStmt:
		if isGuard(n) {
			return false
		}
		f.negate(n.Cond)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.negate(n.Cond)
		}
	case *ast.CallExpr:
		return !f.skips(n)
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			f.add(n.OpPos, n.OpPos+1, "")
		}
	case *ast.BasicLit:
		f.constant(n)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.operator(n.TokPos, n.Tok)
			f.remove(n)
		}
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
		f.remove(n)
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok && !isCallOf(call, "panic") {
			f.remove(n)
		}
	case *ast.BranchStmt:
		if n.Tok != token.FALLTHROUGH {
			f.remove(n)
		}
		if n.Label != nil {
			f.body.labels = append(f.body.labels, f.file.Offset(n.Label.End()))
		}
	case *ast.ReturnStmt:
		f.returnZero(n)
	}
	return true
}

func (f *finder) add(pos, end token.Pos, instead ...string) {
	f.places = append(f.places, place{pos, end, instead})
	f.within = append(f.within, f.now)
	f.bodies = append(f.bodies, f.body)
}

// source returns the text of a node.
func (f *finder) source(n ast.Node) string {
	return f.text[f.file.Offset(n.Pos()):f.file.Offset(n.End())]
}

// negate negates a condition. The opposite of one comparison is among its operators.
func (f *finder) negate(cond ast.Expr) {
	if b, ok := cond.(*ast.BinaryExpr); ok && b.Op != token.LAND && b.Op != token.LOR {
		return
	}
	f.add(cond.Pos(), cond.End(), "!("+f.source(cond)+")")
}

// operator adds the faults of an operator.
func (f *finder) operator(pos token.Pos, op token.Token) {
	var instead []string
	for _, other := range operators[op] {
		instead = append(instead, other.String())
	}
	if instead != nil {
		f.add(pos, pos+token.Pos(len(op.String())), instead...)
	}
}

func (f *finder) remove(n ast.Stmt) { f.add(n.Pos(), n.End(), "") }

// constant makes a number one larger or smaller.
func (f *finder) constant(n *ast.BasicLit) {
	switch v, err := strconv.ParseInt(n.Value, 0, 64); {
	case n.Kind == token.INT && err == nil && v < 1<<62:
		f.add(n.Pos(), n.End(), fmt.Sprint(v+1), fmt.Sprint(v-1))
	case n.Kind == token.FLOAT:
		f.add(n.Pos(), n.End(), "("+n.Value+"+1)", "("+n.Value+"-1)")
	}
}

// returnZero adds the fault that returns the zero value of each result.
func (f *finder) returnZero(n *ast.ReturnStmt) {
	if len(n.Results) == 0 || f.result == nil {
		return
	}
	var zeros []string
	for _, field := range f.result.List {
		for range max(1, len(field.Names)) {
			zeros = append(zeros, "*new("+f.source(field.Type)+")")
		}
	}
	for _, r := range n.Results {
		switch f.source(r) {
		case "nil", "0", "false", `""`:
		default:
			f.add(n.Pos(), n.End(), "return "+strings.Join(zeros, ", "))
			return
		}
	}
}

// isGuard reports whether an if does nothing but panic.
func isGuard(n *ast.IfStmt) bool {
	if len(n.Body.List) != 1 || n.Else != nil {
		return false
	}
	s, ok := n.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	return ok && isCallOf(call, "panic")
}

func isCallOf(call *ast.CallExpr, names ...string) bool {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = fmt.Sprint(f.X) + "." + f.Sel.Name
	}
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// skips reports whether faults in the arguments of a call change no result. Of make it adds the
// faults of the length, which does.
func (f *finder) skips(call *ast.CallExpr) bool {
	switch {
	case isCallOf(call, "panic", "fmt.Errorf", "errors.New", "slices.Grow"):
		return true
	case isCallOf(call, "make") && len(call.Args) == 3:
		ast.Inspect(call.Args[1], f.visit)
		return true
	}
	return false
}
