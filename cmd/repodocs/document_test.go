package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// document is Markdown, as lines of prose and fenced blocks.
type document struct {
	prose  []line
	blocks []block
}

// line is a line outside of blocks.
type line struct {
	number int // the first line is 1
	text   string
}

// block is a fenced block.
type block struct {
	words []string // its language and what else stands behind the fence
	text  string
}

// parseDocument cuts a document into lines and blocks.
func parseDocument(text string) *document {
	d, open := &document{}, false
	for i, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fence, isFence := strings.CutPrefix(l, "```")
		switch {
		case isFence && !open:
			d.blocks, open = append(d.blocks, block{words: strings.Fields(fence)}), true
		case isFence:
			open = false
		case open:
			d.blocks[len(d.blocks)-1].text += l + "\n"
		default:
			d.prose = append(d.prose, line{i + 1, l})
		}
	}
	return d
}

// study returns the block that holds the study of that name, and its file, "" if there is none.
func (d *document) study(name string) (text, file string) {
	for _, b := range d.blocks {
		for _, w := range b.words {
			if file, ok := strings.CutPrefix(w, "file="); ok &&
				strings.TrimSuffix(filepath.Base(file), ".toml") == name {
				return b.text, file
			}
		}
	}
	return "", ""
}

// outputs counts the lines with a beginning in blocks that tests compare with the program's output.
func (d *document) outputs(begins string) (n int) {
	for _, b := range d.blocks {
		if !slices.Contains(b.words, "output") {
			continue
		}
		for l := range strings.SplitSeq(b.text, "\n") {
			if strings.HasPrefix(l, begins) {
				n++
			}
		}
	}
	return n
}
