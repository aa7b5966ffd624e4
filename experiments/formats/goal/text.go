package goal

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/internal/input"
	"contend/patterns"
	"contend/patterns/tasks"
)

// The statements of the text, each on a line of its own.
var (
	ranksText   = regexp.MustCompile(`^num_ranks (\d+)$`)
	rankText    = regexp.MustCompile(`^rank (\d+) ?\{$`)
	requireText = regexp.MustCompile(`^(\w+) (i?requires) (\w+)$`)
	taskText    = regexp.MustCompile(`^(?:(\w+) ?: ?)?(send|recv|calc) (\d+)(?: ?b (to|from) (\S+))?` +
		`((?: \w+ \S+)*)$`)
)

// braces splits lines at braces.
var braces = strings.NewReplacer("{", "{\n", "}", "\n}\n")

// forms shows what statements look like, for errors.
const forms = "give statements such as num_ranks 2, rank 0 {, a: calc 100 cpu 0, " +
	"b: send 8b to 1 tag 0 cpu 0 nic 0, c: recv 8b from 1 tag 0, b requires a, b irequires a and }"

// directions are the words before the other rank of a task, by kind.
var directions = map[string]string{"send": "to", "recv": "from"}

// parser reads the text. After the first error it continues to the end of the line without effect.
type parser struct {
	file         string
	size         int              // of the file, in bytes
	line         int              // being read
	comment      bool             // the line ends within a comment
	g            *tasks.Graph     // the list of a rank that has not been read is nil
	rank         int              // being read, or -1
	labels       map[string]int32 // of the rank: index of a task
	requirements []requirement
	err          error
}

// requirement is a line with requires or irequires.
type requirement struct {
	task, other string // labels: task waits for other
	after       bool   // for the end of other and not for its beginning
	line        int
}

// parseText reads the text.
func parseText(file string, data []byte) (*tasks.Graph, error) {
	p := &parser{file: file, size: len(data), rank: -1}
	for line := range bytes.Lines(data) {
		p.line++
		for part := range strings.SplitSeq(braces.Replace(p.uncommented(string(line))), "\n") {
			if words := strings.Fields(part); len(words) > 0 {
				p.statement(strings.Join(words, " "))
			}
		}
		if p.err != nil {
			return nil, p.err
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
	default:
		p.line = 0
		if r := slices.IndexFunc(p.g.Ranks, func(l []tasks.Task) bool { return l == nil }); r >= 0 {
			p.fail(fmt.Sprintf("give ranks 0 to %d, each once", len(p.g.Ranks)-1), "there is no rank %d", r)
		}
	}
	return p.g, p.err
}

// fail keeps the first error.
func (p *parser) fail(right, problem string, args ...any) {
	if p.err == nil {
		p.err = &input.Error{File: p.file, Line: p.line, Problem: fmt.Sprintf(problem, args...),
			Right: right}
	}
}

// uncommented returns a line without its comments.
func (p *parser) uncommented(line string) (kept string) {
	for {
		if p.comment {
			_, rest, ended := strings.Cut(line, "*/")
			if !ended {
				return kept
			}
			line, p.comment = rest, false
		}
		before, rest, block := strings.Cut(line, "/*")
		if at := strings.Index(line, "//"); at >= 0 && at <= len(before) {
			return kept + line[:at]
		}
		if kept += before + " "; !block {
			return kept
		}
		line, p.comment = rest, true
	}
}

// statement reads a statement, whose words are a blank apart.
func (p *parser) statement(text string) {
	if m := ranksText.FindStringSubmatch(text); m != nil {
		p.numRanks(p.number(m[1], patterns.MaxProcesses))
	} else if m := rankText.FindStringSubmatch(text); m != nil && p.rank < 0 {
		p.beginRank(p.number(m[1], math.MaxInt64))
	} else if text == "}" && p.rank >= 0 {
		p.endRank()
	} else if m := requireText.FindStringSubmatch(text); m != nil && p.rank >= 0 {
		p.requirements = append(p.requirements, requirement{m[1], m[3], m[2] == "requires", p.line})
	} else if m := taskText.FindStringSubmatch(text); m != nil && p.rank >= 0 &&
		m[4] == directions[m[2]] {
		p.task(m[1], m[2], m[3], m[5], m[6])
	} else {
		p.fail(forms, "%.60q is not expected here", text)
	}
}

// number parses a whole number up to a limit.
func (p *parser) number(text string, limit uint64) uint64 {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n > limit {
		p.fail(fmt.Sprintf("give 0 to %d", limit), "%.40q is no such number", text)
	}
	return n
}

// numRanks makes the graph.
func (p *parser) numRanks(n uint64) {
	switch {
	case p.g != nil:
		p.fail("give it once, first", "num_ranks comes again")
	case n > uint64(p.size): // before there is memory for them
		p.fail("give each rank", "the file of %d bytes cannot have %d ranks", p.size, n)
	}
	if p.err == nil {
		p.g = &tasks.Graph{Ranks: make([][]tasks.Task, n)}
	}
}

// beginRank begins the tasks of a rank.
func (p *parser) beginRank(r uint64) {
	switch {
	case p.g == nil:
		p.fail("begin with num_ranks", "rank %d comes before num_ranks", r)
	case r >= uint64(len(p.g.Ranks)):
		p.fail(fmt.Sprintf("ranks are 0 to %d", len(p.g.Ranks)-1), "there is no rank %d", r)
	case p.g.Ranks[r] != nil:
		p.fail("give each rank once", "rank %d comes again", r)
	default:
		p.rank, p.g.Ranks[r] = int(r), []tasks.Task{}
		p.labels, p.requirements = map[string]int32{}, p.requirements[:0]
	}
}

// endRank resolves the requirements of the tasks of a rank.
func (p *parser) endRank() {
	list := p.g.Ranks[p.rank]
	for _, n := range p.requirements {
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

// task reads a send, recv or calc.
func (p *parser) task(label, kind, size, peer, options string) {
	t := tasks.Task{Name: label, Line: int32(p.line), Kind: kindsByName[kind]}
	given := map[string]uint64{}
	wild := func(text string) uint64 { // -1 stands for any rank or tag
		if text == "-1" && t.Kind == tasks.Receive {
			return wildcard
		}
		return p.number(text, wildcard-1)
	}
	words := strings.Fields(options)
	for i := 0; i < len(words); i += 2 {
		name, value := words[i], words[i+1]
		if _, again := given[name]; again {
			p.fail("give it once", "%s comes again", name)
		}
		switch {
		case name == "tag" && t.Kind != tasks.Calc:
			given[name] = wild(value)
		case name == "cpu", name == "nic" && t.Kind != tasks.Calc:
			given[name] = p.number(value, math.MaxUint8)
		default:
			p.fail("a calc has a cpu, others have tag, cpu and nic", "%q is not expected here", name)
		}
	}
	other := uint64(0)
	if t.Kind != tasks.Calc {
		other = wild(peer)
	}
	t.CPU = int32(given["cpu"])
	bytes := p.number(size, math.MaxInt64)
	if wrong := setNumbers(&t, bytes, other, given["tag"], given["nic"]); wrong != "" {
		p.fail("", "%s", wrong)
	}
	list := &p.g.Ranks[p.rank]
	if _, again := p.labels[label]; again {
		p.fail("give each label of a rank once", "the label %s comes again", label)
	} else if label != "" {
		p.labels[label] = int32(len(*list))
	}
	*list = append(*list, t)
}
