package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// page is what the front page takes from the page of a study.
type page struct {
	name, title string
	source      string // what is measured against: the paper or the program
	logs        string // "" if jobs or traffic are generated
	program     string // hash of the program that made the runs
	passed      int    // rules
	failed      int
	account     account  // its counts alone; no paper if there is none
	numbers     []number // that the paper printed and that were run
}

// number is a printed number and the measured one with the ends of its interval.
type number struct{ published, measured, low, high float64 }

// readPages reads the pages in a folder, in the order of what they are measured against.
func readPages(dir string) ([]page, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return nil, err
	}
	var pages []page
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p, err := readPage(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		pages = append(pages, p)
	}
	slices.SortStableFunc(pages, func(a, b page) int {
		return cmp.Or(strings.Compare(firstWord(a.source), firstWord(b.source)),
			strings.Compare(a.name, b.name))
	})
	return pages, nil
}

func firstWord(s string) string { return strings.FieldsFunc(s+" -", notInWord)[0] }

func notInWord(r rune) bool { return r == ' ' || r == ',' }

var (
	pageRule    = regexp.MustCompile(`^- .*?: (passed|failed), `)
	pageLogs    = regexp.MustCompile(`^The logs? (.*?)( on an? .*)?\.$`)
	pageProgram = regexp.MustCompile(`^Runs made by contend (.*)\.$`)
	interval    = regexp.MustCompile(`^(\S+) to (\S+)$`)
)

// readPage reads a page as Page writes it.
func readPage(text string) (page, error) {
	var p page
	paragraphs := 0 // of one line, before the first table, rule or heading
	var heading string
	var header []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "|") {
			header = nil
		}
		switch {
		case line == "":
		case strings.HasPrefix(line, "# "):
			p.name = line[2:]
		case strings.HasPrefix(line, "## "):
			heading = line[3:]
		case strings.HasPrefix(line, "|"):
			cells := cellsOf(line)
			if header == nil {
				header = cells
			} else if strings.Trim(line, "|-: ") == "" {
				continue
			} else if err := p.readRow(heading, header, cells); err != nil {
				return p, err
			}
		case pageRule.MatchString(line):
			if pageRule.FindStringSubmatch(line)[1] == "passed" {
				p.passed++
			} else {
				p.failed++
			}
		case pageLogs.MatchString(line):
			p.logs = pageLogs.FindStringSubmatch(line)[1]
		case pageProgram.MatchString(line):
			p.program = pageProgram.FindStringSubmatch(line)[1]
		case heading == "" && paragraphs == 0:
			p.title = strings.TrimSuffix(line, ".")
			paragraphs++
		case heading == "" && paragraphs == 1:
			p.source = shortCitation(strings.TrimSuffix(line, "."))
			paragraphs++
		}
	}
	if p.name == "" {
		return p, fmt.Errorf("the page has no heading \"# NAME\"; write it with repodocs validation")
	}
	return p, nil
}

func cellsOf(line string) []string {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// readRow reads a row of the account or of a table of published numbers. The numbers of ratios
// stand in tables of their own and count once.
func (p *page) readRow(heading string, header, cells []string) error {
	if len(cells) != len(header) {
		return fmt.Errorf("a row of %d cells under a header of %d: %s", len(cells), len(header),
			strings.Join(cells, " | "))
	}
	if slices.Equal(header, accountHeader) {
		return p.readAccount(cells)
	}
	at := slices.Index(header, "published")
	if at < 0 || len(header) != at+5 || header[at+4] != "interval" || p.account.paper == "" ||
		strings.Contains(heading, " relative to ") {
		return nil
	}
	published, err := strconv.ParseFloat(cells[at], 64)
	mean, _, _ := strings.Cut(cells[at+1], " ")
	measured, err2 := strconv.ParseFloat(mean, 64)
	if err != nil || err2 != nil {
		return fmt.Errorf("%s: published %q and measured %q: want numbers", heading, cells[at],
			cells[at+1])
	}
	n := number{published, measured, math.NaN(), math.NaN()}
	if m := interval.FindStringSubmatch(cells[at+4]); m != nil {
		low, err := strconv.ParseFloat(m[1], 64)
		high, err2 := strconv.ParseFloat(m[2], 64)
		if err != nil || err2 != nil {
			return fmt.Errorf("%s: interval %q: want two numbers", heading, m[0])
		}
		n.low, n.high = low*published, high*published
	}
	p.numbers = append(p.numbers, n)
	return nil
}

// readAccount reads the row of an account.
func (p *page) readAccount(cells []string) error {
	a := &p.account
	a.paper = cells[0]
	for i, count := range []*int{&a.printed, &a.run, &a.within, &a.failed, &a.other} {
		var err error
		if *count, err = strconv.Atoi(cells[i+1]); err != nil {
			return fmt.Errorf("%s is %q: want a count", accountHeader[i+1], cells[i+1])
		}
	}
	if cells[8] == "" {
		return nil
	}
	for _, part := range strings.Split(cells[8], "; ") {
		count, reason, _ := strings.Cut(part, ": ")
		n, err := strconv.Atoi(count)
		if err != nil {
			return fmt.Errorf("%s: %q: want counts with reasons", accountHeader[8], part)
		}
		a.missing = append(a.missing, missingCount{reason, n})
	}
	return nil
}
