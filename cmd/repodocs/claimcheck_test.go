package main

import (
	"fmt"
	"regexp"
	"strings"

	"contend/experiments/study"
)

// Problem is a fault of a line of a document.
type Problem struct {
	Line int
	Text string
}

// claimMark is the comment behind a sentence that concludes. Its text is STUDY.RULE.
var claimMark = regexp.MustCompile(`<!--\s*claim:?(.*?)-->`)

// inlineCode shows what marks look like and is none.
var inlineCode = regexp.MustCompile("`[^`]*`")

// Claims returns the sentences of a document whose rule is missing, stale, failed, or was
// evaluated with too few seeds.
func (c *Repository) Claims(document string) (list []Problem) {
	d := parseDocument(document)
	for _, l := range d.prose {
		for _, m := range claimMark.FindAllStringSubmatch(inlineCode.ReplaceAllString(l.text, ""), -1) {
			name, rule, ok := strings.Cut(strings.TrimSpace(m[1]), ".")
			why := "write claim: STUDY.RULE"
			if ok {
				why = c.claim(d, name, rule)
			}
			if why != "" {
				list = append(list, Problem{l.number, strings.TrimSpace(m[1]) + ": " + why})
			}
		}
	}
	return list
}

// claim says why a document cannot conclude by a rule, "" if it can.
func (c *Repository) claim(d *document, name, rule string) string {
	if text, file := d.study(name); file != "" {
		return c.blockClaim(d, file, text, rule)
	}
	st := c.studyOf(name)
	if st == nil {
		return "neither a built-in study nor a block of this page has this name"
	}
	if ruleOf(st, rule) == nil {
		return "the study " + st.Name + " has no rule of this name"
	}
	var rows []Outcome
	for _, o := range c.Outcomes {
		if o.Study == name && o.Rule == rule {
			rows = append(rows, o)
		}
	}
	if rows == nil {
		return fmt.Sprintf("docs/claims.csv has no outcome: contend run %s, then make docs", name)
	}
	return c.barred(rows)
}

// blockClaim says why a document cannot conclude by a rule of a study in a block of it, "" if it
// can: tested output of contend compare shows that the rule holds, with two seeds where something
// is drawn.
func (c *Repository) blockClaim(d *document, file, text, rule string) string {
	st, err := study.Parse(file, text, c.Names)
	if err != nil {
		return err.Error()
	}
	t := ruleOf(st, rule)
	if t == nil {
		return "the study in " + file + " has no rule of this name"
	}
	chance, err := chanceOf(st, t, c.Names)
	if err != nil {
		return err.Error()
	}
	passed, failed := d.outputs("pass  "+rule+": "), d.outputs("FAIL  "+rule+": ")
	switch {
	case failed > 0:
		return "the output on this page says that it fails"
	case passed == 0:
		return "no output of contend compare on this page shows that it holds"
	case passed < 2 && chance == Drawn:
		return "the page shows one seed, and the study's points are drawn: compare another seed too"
	}
	return ""
}
