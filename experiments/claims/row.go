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
	"strings"

	"contend/experiments/studies"
	"contend/internal/input"
)

// File is the name of the rows beside the built-in studies.
const File = "claims.csv"

// Roles of a seed.
const (
	Seen    = "seen"     // its results may have been known when bounds were set
	HeldOut = "held-out" // it is drawn from the rules of the study
)

// Chance is the kind of random draws by which two seeds differ in the points that a rule selects.
type Chance string

const (
	NothingDrawn Chance = "nothing is drawn"
	WindowsDrawn Chance = "windows of a log"
	Drawn        Chance = "drawn"
)

// Row is the outcome of a rule with one seed.
type Row struct {
	Study   string // the built-in study, or the folder's name if flags changed the study
	Rule    string // the name of the rule
	Seed    int64
	Role    string  // of the seed: Seen or HeldOut
	Verdict string  // what the rule says: see VerdictOf
	Within  int     // cells or groups within the rule
	Of      int     // cells or groups
	Least   float64 // the least value of a group, NaN if the rule has none
	Most    float64 // the largest value of a group
	Nearest string  // the group that is nearest to a bound or farthest outside
	Value   float64 // its value
	Low     float64 // the ends of its 95% interval, NaN if it has none
	High    float64
	Set     string // the bounds were set before or after results were seen
	Chance  Chance
	Command string // the command that makes the runs
	Minutes string // of a processor that it takes, as contend run --dry-run forecasts them
	Program string // the program that made the runs
	Digests
	Words    string // the rule in words
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

// columns are those of File, each with the field of a row that it has.
var columns = []struct {
	name  string
	field func(*Row) any
}{
	{"study", func(r *Row) any { return &r.Study }},
	{"rule", func(r *Row) any { return &r.Rule }},
	{"seed", func(r *Row) any { return &r.Seed }},
	{"role", func(r *Row) any { return &r.Role }},
	{"verdict", func(r *Row) any { return &r.Verdict }},
	{"within", func(r *Row) any { return &r.Within }},
	{"of", func(r *Row) any { return &r.Of }},
	{"value_min", func(r *Row) any { return &r.Least }},
	{"value_max", func(r *Row) any { return &r.Most }},
	{"nearest", func(r *Row) any { return &r.Nearest }},
	{"nearest_value", func(r *Row) any { return &r.Value }},
	{"low", func(r *Row) any { return &r.Low }},
	{"high", func(r *Row) any { return &r.High }},
	{"set", func(r *Row) any { return &r.Set }},
	{"chance", func(r *Row) any { return (*string)(&r.Chance) }},
	{"command", func(r *Row) any { return &r.Command }},
	{"minutes", func(r *Row) any { return &r.Minutes }},
	{"program", func(r *Row) any { return &r.Program }},
	{"rule_digest", func(r *Row) any { return &r.OfRule }},
	{"points_digest", func(r *Row) any { return &r.Points }},
	{"results_digest", func(r *Row) any { return &r.Results }},
	{"words", func(r *Row) any { return &r.Words }},
	{"place", func(r *Row) any { return &r.Place }},
	{"sentence", func(r *Row) any { return &r.Sentence }},
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
	bad := func(line int, problem string) error {
		return &input.Error{Where: fmt.Sprintf("%s:%d", where, line), Problem: problem,
			Right: "take the file of the repository, and run make docs with the results of the studies"}
	}
	if err != nil {
		return nil, bad(1, err.Error())
	}
	if len(records) == 0 || !slices.Equal(records[0], head()) {
		return nil, bad(1, "no table with the header "+strings.Join(head(), ","))
	}
	for i, record := range records[1:] {
		var r Row
		for k, text := range record {
			if err := set(columns[k].field(&r), text); err != nil {
				return nil, bad(i+2, columns[k].name+": "+err.Error())
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// head returns the names of the columns.
func head() (names []string) {
	for _, c := range columns {
		names = append(names, c.name)
	}
	return names
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
		if *f = math.NaN(); text != "" {
			*f, err = strconv.ParseFloat(text, 64)
		}
	}
	return err
}

// Text returns rows as a table of comma-separated values. Numbers have five significant digits.
func Text(rows []Row) []byte {
	records := [][]string{head()}
	for i := range rows {
		var record []string
		for _, c := range columns {
			text := ""
			switch f := c.field(&rows[i]).(type) {
			case *string:
				text = *f
			case *float64:
				if !math.IsNaN(*f) {
					text = strconv.FormatFloat(*f, 'g', 5, 64)
				}
			case *int:
				text = strconv.Itoa(*f)
			case *int64:
				text = strconv.FormatInt(*f, 10)
			}
			record = append(record, text)
		}
		records = append(records, record)
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(records); err != nil {
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
