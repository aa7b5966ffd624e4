package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"contend/experiments/claims"
	"contend/internal/input"
)

// mark is a comment by which a document takes something from a rule, claim: STUDY.RULE and
//
//   - a form of claims.Number: the program writes the number between the mark and <!-- /claim -->;
//   - the word of a verdict: the sentence says so in words.
type mark struct {
	study, rule string
	form, unit  string // of a number, "" for a verdict
	verdict     string // "" for a number
	at, end     int    // where the comment begins, and where all of the mark ends
	from, to    int    // the enclosed number
}

// sentence is a sentence of a document with its marks.
type sentence struct {
	from, to int
	marks    []mark
}

// document is Markdown with its sentences.
type document struct {
	text, masked string // masked has fenced blocks as spaces and code as letters
	blocks       []block
	sentences    []sentence
	problems     []Problem
}

// Problem is a fault of a line of a document.
type Problem struct {
	Line int
	Text string
}

// block is a fenced block.
type block struct {
	words []string // its language and the other words after the fence
	text  string
}

var (
	fences     = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```[^\n]*$")
	inlineCode = regexp.MustCompile("`[^`]*`")
	claimed    = regexp.MustCompile(`^<!--\s+claim:\s+([^\s.]+)\.(\S+)\s+(?:` +
		`(` + strings.Join(claims.Forms, "|") + `)(?:\s+(\S+))?\s*-->([^<]*)<!--\s+/claim\s+-->|` +
		`([a-z,\s]+?)\s*-->)`)
	comments = regexp.MustCompile(`<!--\s+/?claim\b[^>]*-->`)
	// cuts are where a sentence ends: behind a mark of a verdict that follows a full stop, before
	// the next sentence, and between paragraphs and items.
	cuts = regexp.MustCompile(`\n[ \t]*\n|\n(?:#|\||!\[| *[-*] | *\d+\. )|` +
		`[.!?](?:\*\*)?(?:\s*<!-- claim: \S+ [a-z, ]+ -->)*\s+[A-Z"\[*]`)
)

// parseDocument finds the blocks, the sentences and the marks of a document.
func parseDocument(text string) *document {
	d := &document{text: text}
	for _, m := range fences.FindAllStringSubmatch(text, -1) {
		d.blocks = append(d.blocks, block{strings.Fields(m[1]), m[2]})
	}
	d.masked = mask(mask(text, fences, ' '), inlineCode, 'X')
	from := 0
	add := func(to int) {
		d.sentences = append(d.sentences, sentence{from: from, to: to})
		from = to
	}
	for _, at := range cuts.FindAllStringIndex(d.masked, -1) {
		if d.masked[at[0]] == '\n' {
			add(at[0])
		} else {
			add(at[1] - 1)
		}
	}
	add(len(text))
	for _, m := range d.marks() {
		i := slices.IndexFunc(d.sentences, func(s sentence) bool { return m.at < s.to })
		d.sentences[i].marks = append(d.sentences[i].marks, m)
	}
	return d
}

// mask replaces what an expression matches by a letter, byte by byte, and keeps lines.
func mask(text string, what *regexp.Regexp, by rune) string {
	return what.ReplaceAllStringFunc(text, func(s string) string {
		b := []byte(s)
		for i := range b {
			if b[i] != '\n' {
				b[i] = byte(by)
			}
		}
		return string(b)
	})
}

// problem notes a fault at a place.
func (d *document) problem(at int, format string, args ...any) {
	d.problems = append(d.problems,
		Problem{1 + strings.Count(d.text[:at], "\n"), fmt.Sprintf(format, args...)})
}

// marks returns the marks of a document in order.
func (d *document) marks() (list []mark) {
	end := 0
	for _, comment := range comments.FindAllStringIndex(d.masked, -1) {
		at := comment[0]
		if at < end {
			continue // it closes the mark before
		}
		line := d.masked[strings.LastIndexByte(d.masked[:at], '\n')+1 : at]
		if strings.TrimSpace(line) == "" {
			d.problem(at, "a comment that begins a line ends its paragraph: put it behind a word")
		}
		of := claimed.FindStringSubmatchIndex(d.masked[at:])
		if of == nil {
			d.problem(at, "%s: write <!-- claim: STUDY.RULE VERDICT -->, or claim: STUDY.RULE FORM and "+
				"<!-- /claim --> behind the number", d.masked[at:comment[1]])
			continue
		}
		word := func(n int) string {
			return strings.Join(strings.Fields(d.masked[at+max(0, of[2*n]):at+max(0, of[2*n+1])]), " ")
		}
		end = at + of[1]
		m := mark{study: word(1), rule: word(2), form: word(3), unit: word(4), verdict: word(6), at: at,
			end: end, from: at + max(0, of[10]), to: at + max(0, of[11])}
		if slices.Contains(claims.Forms, m.verdict) {
			d.problem(at, "no <!-- /claim --> follows")
			continue
		}
		list = append(list, m)
	}
	return list
}

// study returns the block that holds the study of that name, and its file, "" if there is none.
func (d *document) study(name string) (text, file string) {
	for _, b := range d.blocks {
		for _, w := range b.words {
			if file, ok := strings.CutPrefix(w, "file="); ok &&
				strings.TrimSuffix(input.BaseName(file), ".toml") == name {
				return b.text, file
			}
		}
	}
	return "", ""
}

// outputs counts the lines with a beginning in blocks that tests compare with the program's output.
func (d *document) outputs(begins string) (n int) {
	for _, b := range d.blocks {
		if slices.Contains(b.words, "output") {
			n += strings.Count("\n"+b.text, "\n"+begins)
		}
	}
	return n
}

var (
	anyComment = regexp.MustCompile(`(?s)\s?<!--.*?-->`)
	aLink      = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	heading    = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	noAnchor   = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// plain returns a sentence as a reader sees it, in one line.
func (d *document) plain(s *sentence) string {
	text := anyComment.ReplaceAllStringFunc(d.text[s.from:s.to], func(c string) string {
		return c[:strings.Index(c, "<")]
	})
	text = aLink.ReplaceAllString(text, "$1")
	text = strings.NewReplacer("**", "", "`", "").Replace(text)
	text = strings.Join(strings.Fields(strings.TrimLeft(text, "\n -")), " ")
	return strings.NewReplacer(" ,", ",", " .", ".", " ;", ";", " :", ":").Replace(text)
}

// anchor returns the heading above a place as links name it, after "#"; "" if there is none.
func (d *document) anchor(at int) string {
	all := heading.FindAllStringSubmatchIndex(d.masked[:at], -1)
	if len(all) == 0 {
		return ""
	}
	last := all[len(all)-1]
	title := noAnchor.ReplaceAllString(strings.ToLower(d.text[last[2]:last[3]]), "")
	return "#" + strings.ReplaceAll(title, " ", "-")
}

const numeral = `(?:\d[\d,]*(?:\.\d+)?|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))`

// results are numbers that only the program may write where a sentence has a mark: those with a
// unit of results, shares, ranges, and numbers with decimals.
var results = regexp.MustCompile(numeral + `(?: (?:to|and|or) ` + numeral + `)? ?(?:times|%|ms\b|us\b|s\b)|` +
	`\b\d+ of \d+\b|\b\d[\d.]* to \d[\d.]*|\b\d+\.\d+\b|\btwice\b`)

// constant follows a number that is a setting, or that a paper printed.
var constant = regexp.MustCompile(`^\s*<!--\s+(?:setting|printed)\s+-->`)

// loose returns a number in a sentence that no mark encloses and that is neither a setting nor
// printed, "" if there is none.
func (d *document) loose(s *sentence) string {
	text := []byte(d.masked[s.from:s.to])
	for _, m := range s.marks { // keeps lengths
		for i := m.at; i < min(m.end, s.to); i++ {
			text[i-s.from] = '.'
		}
	}
	for _, at := range results.FindAllIndex(text, -1) {
		if !constant.Match(text[at[1]:]) {
			return strings.Join(strings.Fields(string(text[at[0]:at[1]])), " ")
		}
	}
	return ""
}
