package goalfile

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/bounded"
	"contend/patterns/tasks"
)

// parser reads the text. After the first error it reads on without effect, up to the end of the
// line.
type parser struct {
	file    string
	size    int // of the file
	line    int
	words   []string // of the line, from the current one on
	comment bool     // the line ends in a comment
	g       *tasks.Graph
	lines   [][]int32 // of the tasks of each rank; nil for a rank that has not come
	rank    int       // whose tasks the lines are, or -1
	labels  map[string]int32
	needs   []need
	err     error
}

// need is a line with requires or irequires.
type need struct {
	task, other string
	after       bool
	line        int
}

func parseText(file string, data []byte) (*tasks.Graph, [][]int32, error) {
	p := &parser{file: file, size: len(data), rank: -1}
	for line := range bytes.Lines(data) {
		p.line++
		p.words = p.split(p.words[:0], strings.TrimRight(string(line), "\r\n"))
		for len(p.words) > 0 && p.err == nil {
			p.readPart()
		}
		if p.err != nil {
			return nil, nil, p.err
		}
	}
	switch {
	case p.comment:
		p.fail("end it with */", "the file ends in a comment")
	case p.rank >= 0:
		p.fail("end its tasks with }", "the file ends within rank %d", p.rank)
	case p.g == nil:
		p.line = 0
		p.fail(right, "there is no num_ranks")
	}
	if r := slices.IndexFunc(p.lines, func(l []int32) bool { return l == nil }); r >= 0 && p.err == nil {
		p.line = 0
		p.fail(fmt.Sprintf("give ranks 0 to %d, each once", len(p.lines)-1), "there is no rank %d", r)
	}
	return p.g, p.lines, p.err
}

// fail sets the error, unless there is one.
func (p *parser) fail(right, problem string, args ...any) {
	if p.err == nil {
		p.err = &bounded.Error{File: p.file, Line: p.line, Problem: fmt.Sprintf(problem, args...),
			Right: right}
	}
}

// split appends the words of a line without its comments.
func (p *parser) split(dst []string, line string) []string {
	for line != "" {
		if p.comment {
			_, rest, ended := strings.Cut(line, "*/")
			if !ended {
				return dst
			}
			line, p.comment = rest, false
		}
		at := min(index(line, "//"), index(line, "/*"))
		for w := range strings.FieldsFuncSeq(line[:at], isBlank) {
			dst = cutMarks(dst, w)
		}
		if line = line[at:]; strings.HasPrefix(line, "//") {
			return dst
		} else if line != "" {
			line, p.comment = line[2:], true
		}
	}
	return dst
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' }

// index is where a text has a mark, or its end.
func index(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// cutMarks appends a word, with marks as words of their own.
func cutMarks(dst []string, word string) []string {
	for i := strings.IndexAny(word, ":{}"); i >= 0; i = strings.IndexAny(word, ":{}") {
		if i > 0 {
			dst = append(dst, word[:i])
		}
		dst, word = append(dst, word[i:i+1]), word[i+1:]
	}
	if word == "" {
		return dst
	}
	return append(dst, word)
}

// peek is the current word, or "" at the end of the line.
func (p *parser) peek() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

// next takes the current word.
func (p *parser) next() string {
	w := p.peek()
	p.words = p.words[min(1, len(p.words)):]
	return w
}

// unexpected is the error for a word in place of something else.
func (p *parser) unexpected(got, want string) {
	if got == "" {
		p.fail("give "+want, "the line ends too early")
	}
	p.fail("give "+want, "%q is not expected here", got)
}

// expect takes a word that has to come now.
func (p *parser) expect(word string) {
	if w := p.next(); w != word {
		p.unexpected(w, word)
	}
}

// number takes a whole number.
func (p *parser) number(what string, most uint64) uint64 {
	w := p.next()
	n, err := strconv.ParseUint(w, 10, 63)
	if err != nil {
		p.unexpected(w, what)
	} else if n > most {
		p.fail(fmt.Sprintf("give 0 to %d", most), "%s is %d", what, n)
	}
	return n
}

// wild takes a number or -1, which a send cannot have.
func (p *parser) wild(kind tasks.Kind, what string) uint64 {
	if p.peek() != "-1" {
		return p.number(what, wildcard-1)
	}
	if p.next(); kind == tasks.Send {
		p.fail("only recv takes -1", "a send needs a rank and a tag")
	}
	return wildcard
}

// readPart reads what begins with the current word.
func (p *parser) readPart() {
	switch first := p.peek(); {
	case first == "num_ranks":
		p.numRanks()
	case p.rank < 0:
		p.beginRank()
	case first == "}":
		p.endRank()
	default:
		p.statement()
	}
}

func (p *parser) numRanks() {
	p.next()
	n := p.number("the number of ranks", math.MaxInt64)
	switch wrong := checkRanks(n); {
	case p.g != nil:
		p.fail("give it once, first", "num_ranks comes again")
	case wrong != "":
		p.fail("", "num_ranks: %s", wrong)
	case n > uint64(p.size): // before there is memory for them
		p.fail("give each rank", "the file of %d bytes cannot have %d ranks", p.size, n)
	}
	if p.err == nil {
		p.g = &tasks.Graph{Ranks: make([][]tasks.Task, n)}
		p.lines = make([][]int32, n)
	}
}

// beginRank reads rank R {.
func (p *parser) beginRank() {
	p.expect("rank")
	r := p.number("the number of the rank", math.MaxInt64)
	switch {
	case p.err != nil:
		return
	case p.g == nil:
		p.fail("begin with num_ranks", "rank %d comes before num_ranks", r)
	case r >= uint64(len(p.lines)):
		p.fail(fmt.Sprintf("ranks are 0 to %d", len(p.lines)-1), "there is no rank %d", r)
	case p.lines[r] != nil:
		p.fail("give each rank once", "rank %d comes again", r)
	default:
		p.rank, p.lines[r] = int(r), []int32{}
		p.labels, p.needs = map[string]int32{}, p.needs[:0]
		p.expect("{")
	}
}

// endRank reads } and finds the tasks that others wait for.
func (p *parser) endRank() {
	p.next()
	list := p.g.Ranks[p.rank]
	for _, n := range p.needs {
		task, ok := p.labels[n.task]
		other, known := p.labels[n.other]
		if !ok || !known {
			missing := map[bool]string{true: n.other, false: n.task}[ok]
			p.line = n.line
			p.fail("give the label of a task of the rank", "rank %d has no label %s", p.rank, missing)
			return
		}
		if t := &list[task]; n.after {
			t.After = append(t.After, other)
		} else {
			t.With = append(t.With, other)
		}
	}
	p.rank = -1
}

// statement reads a task, or what a task waits for, which ends its line.
func (p *parser) statement() {
	label := ""
	if !slices.Contains([]string{"send", "recv", "calc"}, p.peek()) {
		label = p.label("a label, send, recv, calc or }")
		switch w := p.next(); w {
		case ":":
		case "requires", "irequires":
			p.needs = append(p.needs, need{label, p.label("a label"), w == "requires", p.line})
			if w := p.next(); w != "" {
				p.unexpected(w, "the next statement on a line of its own")
			}
			return
		default:
			p.unexpected(w, "a colon, requires or irequires")
		}
	}
	p.task(label)
}

// label takes a label: a letter, and letters, digits and underscores.
func (p *parser) label(what string) string {
	w := p.next()
	for i, r := range w {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			p.unexpected(w, what)
		}
	}
	if w == "" {
		p.unexpected(w, what)
	}
	return w
}

// task reads a send, recv or calc.
func (p *parser) task(label string) {
	t := tasks.Task{Name: label}
	var size, peer uint64
	switch w := p.next(); w {
	case "calc":
		size = p.number("a time in nanoseconds", math.MaxInt64)
	case "send":
		t.Kind = tasks.Send
		size, peer = p.message(t.Kind, "to")
	case "recv":
		t.Kind = tasks.Receive
		size, peer = p.message(t.Kind, "from")
	default:
		p.unexpected(w, "send, recv or calc")
	}
	options := map[string]uint64{}
	for len(p.words) > 0 && p.err == nil {
		p.option(t.Kind, options)
	}
	t.CPU = int32(options["cpu"])
	if wrong := fill(&t, size, peer, options["tag"], options["nic"]); wrong != "" {
		p.fail("", "%s", wrong)
	}
	list := &p.g.Ranks[p.rank]
	if label == "" {
		t.Name = fmt.Sprintf("line %d", p.line)
	} else if _, again := p.labels[label]; again {
		p.fail("give each label of a rank once", "the label %s comes again", label)
	} else {
		p.labels[label] = int32(len(*list))
	}
	*list = append(*list, t)
	p.lines[p.rank] = append(p.lines[p.rank], int32(p.line))
}

// message reads the size and the peer of a message, such as 8b to 1 or 8 b to 1.
func (p *parser) message(kind tasks.Kind, direction string) (size, peer uint64) {
	if bare, ok := strings.CutSuffix(p.peek(), "b"); ok {
		p.words = append([]string{bare, "b"}, p.words[1:]...)
	}
	size = p.number("a size in bytes, such as 8b", math.MaxInt64)
	p.expect("b")
	p.expect(direction)
	return size, p.wild(kind, "a rank")
}

// option reads the tag, the cpu or the nic of a task.
func (p *parser) option(kind tasks.Kind, given map[string]uint64) {
	name := p.next()
	if _, again := given[name]; again {
		p.fail("give it once", "%s comes again", name)
	}
	switch {
	case name == "tag" && kind != tasks.Calc:
		given[name] = p.wild(kind, "tag")
	case name == "cpu", name == "nic" && kind != tasks.Calc:
		given[name] = p.number(name, math.MaxUint8)
	case kind == tasks.Calc:
		p.unexpected(name, "cpu or the end of the line")
	default:
		p.unexpected(name, "tag, cpu, nic or the end of the line")
	}
}
