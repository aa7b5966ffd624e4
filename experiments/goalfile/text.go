package goalfile

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"contend/internal/bounded"
	"contend/patterns/tasks"
)

// parser reads the text.
type parser struct {
	file    string
	size    int // of the file
	line    int
	words   []string // of the line, from the current one on
	comment bool     // the line began in a comment
	g       *tasks.Graph
	lines   [][]int32 // of the tasks of each rank
	rank    int       // whose tasks the lines are, or -1
	labels  map[string]int32
	needs   []need
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
		if err := p.readLine(); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case p.comment:
		return nil, nil, p.bad("end it with */", "the file ends in a comment")
	case p.rank >= 0:
		return nil, nil, p.bad("end its tasks with }", "the file ends within rank %d", p.rank)
	case p.g == nil:
		return nil, nil, &bounded.Error{File: file, Problem: "there is no num_ranks", Right: right}
	}
	for r, list := range p.lines {
		if list == nil {
			return nil, nil, &bounded.Error{File: file, Problem: fmt.Sprintf("there is no rank %d", r),
				Right: fmt.Sprintf("give ranks 0 to %d, each once", len(p.lines)-1)}
		}
	}
	return p.g, p.lines, nil
}

func (p *parser) bad(right, problem string, args ...any) error {
	return &bounded.Error{File: p.file, Line: p.line, Problem: fmt.Sprintf(problem, args...),
		Right: right}
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
		text := line
		at := min(index(line, "//"), index(line, "/*"))
		text, line = line[:at], line[at:]
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' }) {
			dst = cutMarks(dst, w)
		}
		if strings.HasPrefix(line, "//") {
			return dst
		}
		if line != "" {
			line, p.comment = line[2:], true
		}
	}
	return dst
}

// index is where a text has a mark, or its end.
func index(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i
	}
	return len(text)
}

// cutMarks appends a word, with marks as words of their own.
func cutMarks(dst []string, word string) []string {
	for word != "" {
		i := strings.IndexAny(word, ":{}")
		if i < 0 {
			return append(dst, word)
		}
		if i > 0 {
			dst = append(dst, word[:i])
		}
		dst, word = append(dst, word[i:i+1]), word[i+1:]
	}
	return dst
}

// next takes the next word, or "" at the end of the line.
func (p *parser) next() string {
	if len(p.words) == 0 {
		return ""
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

// expect takes a word that has to come now.
func (p *parser) expect(word string) error {
	if w := p.next(); w != word {
		return p.unexpected(w, word)
	}
	return nil
}

func (p *parser) unexpected(got, want string) error {
	if got == "" {
		return p.bad("give "+want, "the line ends too early")
	}
	return p.bad("give "+want, "%q is not expected here", got)
}

// number takes a whole number.
func (p *parser) number(what string) (uint64, error) {
	w := p.next()
	n, err := strconv.ParseUint(w, 10, 63)
	if err != nil {
		return 0, p.unexpected(w, what)
	}
	return n, nil
}

// readLine reads the words of a line.
func (p *parser) readLine() error {
	for len(p.words) > 0 {
		switch first := p.words[0]; {
		case first == "num_ranks":
			if err := p.numRanks(); err != nil {
				return err
			}
		case p.rank < 0:
			if err := p.beginRank(); err != nil {
				return err
			}
		case first == "}":
			if err := p.endRank(); err != nil {
				return err
			}
		default:
			return p.statement()
		}
	}
	return nil
}

func (p *parser) numRanks() error {
	p.next()
	if p.g != nil {
		return p.bad("give it once, first", "num_ranks comes again")
	}
	n, err := p.number("the number of ranks")
	if err != nil {
		return err
	}
	if wrong := checkRanks(n); wrong != "" {
		return p.bad("", "num_ranks: %s", wrong)
	}
	if n > uint64(p.size) { // before there is memory for them
		return p.bad("give each rank", "the file of %d bytes cannot have %d ranks", p.size, n)
	}
	p.g = &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	p.lines = make([][]int32, n)
	return nil
}

// beginRank reads rank R {.
func (p *parser) beginRank() error {
	if err := p.expect("rank"); err != nil {
		return err
	}
	r, err := p.number("the number of the rank")
	switch {
	case err != nil:
		return err
	case p.g == nil:
		return p.bad("begin with num_ranks", "rank %d comes before num_ranks", r)
	case r >= uint64(len(p.lines)):
		return p.bad(fmt.Sprintf("ranks are 0 to %d", len(p.lines)-1), "there is no rank %d", r)
	case p.lines[r] != nil:
		return p.bad("give each rank once", "rank %d comes again", r)
	}
	p.rank, p.lines[r] = int(r), []int32{}
	p.labels, p.needs = map[string]int32{}, p.needs[:0]
	return p.expect("{")
}

// endRank reads } and finds the tasks that others wait for.
func (p *parser) endRank() error {
	p.next()
	list := p.g.Ranks[p.rank]
	for _, n := range p.needs {
		task, ok := p.labels[n.task]
		other, known := p.labels[n.other]
		if !ok || !known {
			missing := n.task
			if ok {
				missing = n.other
			}
			p.line = n.line
			return p.bad("give the label of a task of the rank", "rank %d has no label %s", p.rank, missing)
		}
		if t := &list[task]; n.after {
			t.After = append(t.After, other)
		} else {
			t.With = append(t.With, other)
		}
	}
	p.rank = -1
	return nil
}

// statement reads a task, or what a task waits for.
func (p *parser) statement() error {
	label := ""
	if w := p.words[0]; !slices.Contains([]string{"send", "recv", "calc"}, w) {
		if p.next(); !isLabel(w) {
			return p.unexpected(w, "a label, send, recv, calc or }")
		}
		label = w
		switch w = p.next(); w {
		case ":":
		case "requires", "irequires":
			other := p.next()
			if !isLabel(other) {
				return p.unexpected(other, "a label")
			}
			p.needs = append(p.needs, need{label, other, w == "requires", p.line})
			return p.end()
		default:
			return p.unexpected(w, "a colon, requires or irequires")
		}
	}
	return p.task(label)
}

// isLabel tells whether a word is a label.
func isLabel(w string) bool {
	for i, r := range w {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r != '_' && (r < '0' || r > '9')) {
			return false
		}
	}
	return w != ""
}

// end refuses further words.
func (p *parser) end() error {
	if w := p.next(); w != "" {
		return p.unexpected(w, "the next statement on a line of its own")
	}
	return nil
}

// task reads a send, recv or calc.
func (p *parser) task(label string) (err error) {
	t := tasks.Task{Name: label}
	var size, peer, tag uint64
	switch w := p.next(); w {
	case "calc":
		size, err = p.number("a time in nanoseconds")
	case "send":
		t.Kind = tasks.Send
		size, peer, err = p.message("to")
	case "recv":
		t.Kind = tasks.Receive
		size, peer, err = p.message("from")
	default:
		err = p.unexpected(w, "send, recv or calc")
	}
	options := map[string]uint64{}
	for err == nil && len(p.words) > 0 {
		err = p.option(&t, options)
	}
	if err != nil {
		return err
	}
	tag = options["tag"]
	if t.Kind == tasks.Send && (tag == wildcard || peer == wildcard) {
		return p.bad("only recv takes -1", "a send needs a rank and a tag")
	}
	t.CPU = int32(options["cpu"])
	if wrong := fill(&t, size, peer, tag, options["nic"]); wrong != "" {
		return p.bad("", "%s", wrong)
	}
	list := &p.g.Ranks[p.rank]
	if label == "" {
		t.Name = fmt.Sprintf("line %d", p.line)
	} else if _, again := p.labels[label]; again {
		return p.bad("give each label of a rank once", "the label %s comes again", label)
	} else {
		p.labels[label] = int32(len(*list))
	}
	*list = append(*list, t)
	p.lines[p.rank] = append(p.lines[p.rank], int32(p.line))
	return nil
}

// message reads the size and the peer of a message.
func (p *parser) message(direction string) (size, peer uint64, err error) {
	if w := strings.TrimSuffix(p.current(), "b"); w != p.current() {
		p.words[0] = w
		p.words = slices.Insert(p.words, 1, "b")
	}
	if size, err = p.number("a size in bytes, such as 8b"); err != nil {
		return
	}
	if err = p.expect("b"); err != nil {
		return
	}
	if err = p.expect(direction); err != nil {
		return
	}
	peer, err = p.wild("a rank")
	return
}

// current is the current word, or "".
func (p *parser) current() string {
	if len(p.words) == 0 {
		return ""
	}
	return p.words[0]
}

// wild takes a number or -1.
func (p *parser) wild(what string) (uint64, error) {
	if p.current() == "-1" {
		p.next()
		return wildcard, nil
	}
	n, err := p.number(what)
	if err == nil && n >= wildcard {
		err = p.bad("give "+what, "%d is too large", n)
	}
	return n, err
}

// option reads the tag, the cpu or the nic of a task.
func (p *parser) option(t *tasks.Task, given map[string]uint64) error {
	name := p.next()
	most := map[string]uint64{"tag": wildcard, "cpu": 255, "nic": 255}[name]
	if most == 0 || t.Kind == tasks.Calc && name != "cpu" {
		want := "tag, cpu, nic or the end of the line"
		if t.Kind == tasks.Calc {
			want = "cpu or the end of the line"
		}
		return p.unexpected(name, want)
	}
	if _, again := given[name]; again {
		return p.bad("give it once", "%s comes again", name)
	}
	var err error
	if name == "tag" {
		given[name], err = p.wild("a tag")
	} else {
		given[name], err = p.number("the number of the " + name)
	}
	if err == nil && given[name] > most {
		err = p.bad(fmt.Sprintf("give 0 to %d", most), "%s is %d", name, given[name])
	}
	return err
}
