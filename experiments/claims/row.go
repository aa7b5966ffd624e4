// Package claims holds what documents conclude: the outcomes of the named rules of the built-in
// studies, one row for each rule and seed, the numbers and the verdicts that documents take from
// them, and the table of all claims.
//
// A rule is judged with seeds 1 and 2, which those who set its bounds may have seen, and with a
// third that is drawn from a hash of the study's rules (HeldOutSeed): a bound that changes after a
// look at its runs gets another one.
package claims

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"

	"contend/experiments/studies"
)

// File is the name of the rows beside the built-in studies.
const File = "claims.csv"

// Row is the outcome of a rule with one seed.
type Row struct {
	Study   string // the built-in study, or the folder's name if flags changed the study
	Rule    string // the name of the rule
	Seed    int64
	Verdict string  // what the rule says: see VerdictOf
	Within  int     // cells or groups within the rule
	Of      int     // cells or groups
	Least   float64 // the least value of a group, NaN if the rule has none
	Most    float64 // the largest value of a group
	Low     float64 // the ends of the 95% interval of the only group, NaN if there are several
	High    float64
	Set     string // the bounds were set before or after results were seen
	Command string // the command that makes the runs
	Minutes string // that they take on two processors by the forecast; "" if it is unknown
	Program string // the program that made the runs
	Digests
	Place    string // where a document has the claim: its path and the heading, "" for nowhere
	Sentence string // that concludes by the rule
}

// Digests identify the inputs of an outcome: it holds for as long as all of them are the same.
type Digests struct {
	// OfRule is of the rule, and of the published numbers, the break-even or the landmark that it is
	// about.
	OfRule  string
	Points  string // of the points that it selects
	Results string // of its metric in the golden file of the study
}

// head has the names of the columns of File, in the order of the fields of a row.
var head = []string{"study", "rule", "seed", "verdict", "within", "of", "value_min", "value_max",
	"low", "high", "set", "command", "minutes", "program", "rule_digest", "points_digest",
	"results_digest", "place", "sentence"}

// fields returns the fields of a row.
func (r *Row) fields() []any {
	return []any{&r.Study, &r.Rule, &r.Seed, &r.Verdict, &r.Within, &r.Of, &r.Least, &r.Most, &r.Low,
		&r.High, &r.Set, &r.Command, &r.Minutes, &r.Program, &r.OfRule, &r.Points, &r.Results, &r.Place,
		&r.Sentence}
}

// Builtin returns the rows that the program has.
func Builtin() []Row {
	text, _ := studies.CSV(File)
	rows, err := Read(File, []byte(text))
	if err != nil {
		panic("claims: the rows of the program: " + err.Error())
	}
	return rows
}

// Read returns the rows of a text. where names it in errors.
func Read(where string, text []byte) (rows []Row, err error) {
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	if len(records) == 0 || !slices.Equal(records[0], head) {
		return nil, fmt.Errorf("%s: no table with the header %s", where, head)
	}
	for i, record := range records[1:] {
		var r Row
		for k, field := range r.fields() {
			if err := set(field, record[k]); err != nil {
				return nil, fmt.Errorf("%s:%d: %s: %w", where, i+2, head[k], err)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// set sets a field by its text. A number that is missing is NaN.
func set(field any, text string) (err error) {
	switch f := field.(type) {
	case *string:
		*f = text
	case *int:
		*f, err = strconv.Atoi(text)
	case *int64:
		*f, err = strconv.ParseInt(text, 10, 64)
	case *float64:
		*f, err = strconv.ParseFloat(cmp.Or(text, "NaN"), 64)
	}
	return err
}

// text is the inverse of set. Numbers have five significant digits.
func text(field any) string {
	switch f := field.(type) {
	case *string:
		return *f
	case *int:
		return strconv.Itoa(*f)
	case *int64:
		return strconv.FormatInt(*f, 10)
	case *float64:
		if !math.IsNaN(*f) {
			return strconv.FormatFloat(*f, 'g', 5, 64)
		}
	}
	return ""
}

// Text returns rows as a table of comma-separated values.
func Text(rows []Row) []byte {
	records := [][]string{head}
	for i := range rows {
		var record []string
		for _, field := range rows[i].fields() {
			record = append(record, text(field))
		}
		records = append(records, record)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(records); err != nil {
		panic("claims: " + err.Error()) // a buffer takes all
	}
	return b.Bytes()
}

// Merge returns old and new rows sorted by study, rule and seed. New rows replace all old ones of
// the same study and seed.
func Merge(old, judged []Row) []Row {
	rows := slices.DeleteFunc(slices.Clone(old), func(o Row) bool {
		return slices.ContainsFunc(judged, func(n Row) bool {
			return n.Study == o.Study && n.Seed == o.Seed
		})
	})
	rows = append(rows, judged...)
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Study, b.Study), cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Seed, b.Seed))
	})
	return rows
}

// ByRule cuts sorted rows into those of one rule each.
func ByRule(rows []Row) (rules [][]Row) {
	for i := range rows {
		if i == 0 || rows[i].Study != rows[i-1].Study || rows[i].Rule != rows[i-1].Rule {
			rules = append(rules, nil)
		}
		last := &rules[len(rules)-1]
		*last = append(*last, rows[i])
	}
	return rules
}
