package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"contend/internal/input"
	"contend/internal/quantity"
	"contend/router/topology"
	"contend/scheduler"
)

// Listed jobs (workload.source = "list") are given one by one, in tables [[workload.list]] or in
// texts of the same fields, such as "pattern = goal:steps.goal; at = 2 us". They arrive, wait and
// are allocated as other jobs are.

// ListedJob is a row of workload.list.
type ListedJob struct {
	Pattern Weighted // what the job sends, without a weight
	// Index is that of the pattern in JobPlan.Patterns.
	Index int
	// Processes is their number; 0: as many as the pattern has ranks.
	Processes int
	// At and Estimate are in the unit of the run's clock. An Estimate of 0 is none.
	At, Estimate float64
	Iterations   int64 // of the pattern; 0: as job.quota says
	Count        int   // of such jobs, at least 1
	// Nodes are those that its processes get, in the order of their numbers; nil: the allocator's.
	Nodes []topology.Node
	// Background says that the job goes on without end, and the run ends without it.
	Background bool

	text, rest string // the pattern, and the other fields, in canonical form
	unit       string // the first time with a unit, as `at is "2 us"`; "" for none
}

// listPath is the key of the rows.
const listPath = string(FieldList)

// rowFields are the fields of a row of workload.list, in the order in which a spec has them.
var rowFields = []string{"pattern", "processes", "at", "estimate", "iterations", "count",
	"nodes", "background"}

// maxListed is the largest number of listed jobs.
const maxListed = 1 << 20

// listRight shows what a row looks like.
const listRight = `give rows such as { pattern = "goal:steps.goal", at = "2 us", count = 3 }, ` +
	"with pattern, processes, at, estimate, iterations, count, nodes and background"

// ParseListed reads a row.
func ParseListed(text string) (j ListedJob, err error) {
	fields, err := rowOf(text, rowFields)
	if err == nil && fields["pattern"] == "" {
		err = fmt.Errorf("which has no pattern")
	}
	if err != nil {
		return j, err
	}
	j.text, j.rest = fields["pattern"], otherFields(fields)
	if j.Pattern, err = parseOne(j.text); err != nil {
		return j, err
	}
	whole := func(name string, low, standard int64) int64 {
		value := fields[name]
		if value == "" || err != nil {
			return standard
		}
		n, bad := strconv.ParseInt(value, 10, 64)
		if bad != nil || n < low || n > maxListed {
			err = fmt.Errorf("where %s is %q: give %d to %d", name, value, low, maxListed)
		}
		return n
	}
	j.Processes, j.Count = int(whole("processes", 0, 0)), int(whole("count", 1, 1))
	j.Iterations = whole("iterations", 0, 0)
	switch value := fields["background"]; {
	case value != "" && value != "true" && value != "false" && err == nil:
		err = fmt.Errorf("where background is %q: give true or false", value)
	case value == "true" && j.Iterations > 0 && err == nil:
		err = fmt.Errorf("with iterations and background, which goes on without end: give one of them")
	}
	j.Background = fields["background"] == "true"
	if value := fields["nodes"]; value != "" && err == nil {
		err = j.parseNodes(value)
	}
	for _, f := range []struct {
		name string
		to   *float64
	}{{"at", &j.At}, {"estimate", &j.Estimate}} {
		if value := fields[f.name]; value != "" && err == nil {
			*f.to, err = j.time(f.name, value)
		}
	}
	return j, err
}

// parseNodes reads the nodes of a job, such as 0-3,8-11.
func (j *ListedJob) parseNodes(value string) error {
	of := Failure{Kind: FailingNodes}
	for part := range strings.SplitSeq(value, ",") {
		of.Numbers = nil
		if err := of.parseComponents(part); err != nil || of.Numbers == nil {
			return fmt.Errorf("where nodes is %q: give numbers such as 0-3,8", value)
		}
		for _, n := range of.Numbers {
			if slices.Contains(j.Nodes, topology.Node(n)) {
				return fmt.Errorf("where nodes has %d twice", n)
			}
			j.Nodes = append(j.Nodes, topology.Node(n))
		}
	}
	switch {
	case j.Count > 1:
		return fmt.Errorf("with nodes and count: give a row for each job")
	case j.Processes > 0 && j.Processes != len(j.Nodes):
		return fmt.Errorf("with %d processes on %d nodes: leave processes out", j.Processes, len(j.Nodes))
	}
	j.Processes = len(j.Nodes)
	return nil
}

// IsPlaced reports whether listed jobs have their nodes. It holds for all rows or for none.
func IsPlaced(rows []ListedJob) bool {
	return slices.ContainsFunc(rows, func(j ListedJob) bool { return j.Nodes != nil })
}

// otherFields returns the fields behind the pattern in canonical form, without those at their
// defaults.
func otherFields(fields map[string]string) (rest string) {
	for _, name := range rowFields[1:] {
		standard := map[string]string{"count": "1", "background": "false"}[name]
		if value := fields[name]; value != "" && value != "0" && value != standard {
			rest += "; " + name + " = " + value
		}
	}
	return rest
}

// time reads a time in the unit of the clock, or with a unit.
func (j *ListedJob) time(name, text string) (float64, error) {
	x, inSeconds, err := rowTime(name, text)
	if inSeconds {
		j.unit = cmp.Or(j.unit, fmt.Sprintf("%s is %q", name, text))
	}
	return x, err
}

// String returns the row in canonical form.
func (j ListedJob) String() string { return "pattern = " + j.text + j.rest }

// patterns implements patternHolder.
func (j ListedJob) patterns() []Weighted { return []Weighted{j.Pattern} }

// each implements patternHolder.
func (j ListedJob) each(of mapPattern) (any, *input.Error) {
	made, err := Mix{j.text, j.patterns()}.mapped(of)
	if err != nil {
		return j, err
	}
	j.text, j.Pattern = made.text, made.Parts[0]
	return j, nil
}

// rowText writes a table as the text of a row, its values as in TOML.
func rowText(table map[string]any) string {
	var parts []string
	for _, name := range input.SortedKeys(table) {
		parts = append(parts, fmt.Sprintf("%s = %v", name, table[name]))
	}
	return strings.Join(parts, "; ")
}

// rowTexts returns rows of tables and texts as texts.
func rowTexts(raw any) any {
	switch list := raw.(type) {
	case []map[string]any:
		rows := make([]any, len(list))
		for i := range list {
			rows[i] = rowText(list[i])
		}
		return rows
	case []any:
		rows := slices.Clone(list)
		for i := range rows {
			if table, is := rows[i].(map[string]any); is {
				rows[i] = rowText(table)
			}
		}
		return rows
	}
	return raw
}

// rowOf returns the fields of a row, which has the first of some names and may have the others.
func rowOf(text string, names []string) (map[string]string, error) {
	fields := map[string]string{}
	for more := true; more; {
		name, after, ok := strings.Cut(text, "=")
		var value string
		value, text, more = cutPart(after, ";")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || !slices.Contains(names, name):
			return nil, fmt.Errorf("where %q is none of %s", name, strings.Join(names, ", "))
		case value == "":
			return nil, fmt.Errorf("where %s has no value", name)
		case fields[name] != "":
			return nil, fmt.Errorf("which has %s twice", name)
		}
		fields[name] = value
	}
	return fields, nil
}

// rowTime reads a time in the unit of the clock, or with a unit and then in seconds.
func rowTime(name, text string) (x float64, inSeconds bool, err error) {
	x, err = strconv.ParseFloat(text, 64)
	if q, bad := quantity.Parse(text); err != nil && bad == nil && q.Kind == quantity.Time {
		x, _ = q.Value.Float64()
		inSeconds, err = true, nil
	}
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return 0, false, fmt.Errorf("where %s is %q: give a time of at least 0", name, text)
	}
	return x, inSeconds, nil
}

// Failure is a row of machine.failures: what fails, when and for how long.
type Failure struct {
	// Kind is nodes, routers or links.
	Kind string
	// Numbers are nodes or routers, and Class is the name of a class of links (topology.Classed).
	// Without any of these and of Cables it is all.
	Numbers []int
	Cables  []Cables
	Class   string
	// Share is the share of all that fails, drawn once; 0 if nothing is drawn.
	Share float64
	// At is when they fail, and For for how long, 0 for ever, in the unit of the run's clock. MTBF
	// and MTTR are mean times of each from a repair to the next failure, and to its repair, or 0.
	At, For, MTBF, MTTR float64
	// Bandwidth is the share of their bandwidth that links have; 0 if they fail.
	Bandwidth float64

	text      string
	inSeconds []string // fields that are given with a unit
}

// The kinds of failures.
const (
	FailingNodes   = "nodes"
	FailingRouters = "routers"
	FailingLinks   = "links"
)

// failuresPath is the key of the rows.
const failuresPath = string(FieldFailures)

// failureFields are the fields of a row, in the order in which a spec has them.
var failureFields = []string{FailingNodes, FailingRouters, FailingLinks, "share", "at", "for",
	"mtbf", "mttr", "bandwidth"}

// failuresRight shows what rows look like.
const failuresRight = `give rows such as { nodes = "3-7,12", at = "2 s", for = "1 h" }, ` +
	`{ nodes = "all", mtbf = "30 d", mttr = "4 h" }, { routers = "2" }, ` +
	`{ links = "all", share = 0.05 } or { links = "3-7", bandwidth = 0.5 }`

// minBandwidth is the least bandwidth of a slow link.
const minBandwidth = 1.0 / 65536

// maxFailing is the largest number of nodes or routers in a range.
const maxFailing = 1 << 24

// ParseFailure reads a row.
func ParseFailure(text string) (f Failure, err error) {
	fields, err := rowOf(text, failureFields)
	for _, name := range failureFields {
		value, given := fields[name]
		if !given || err != nil {
			continue
		}
		f.text += "; " + name + " = " + value
		switch to := f.number(name); {
		case to == nil && f.Kind != "":
			err = fmt.Errorf("with %s and %s: give a row each", f.Kind, name)
		case to == nil:
			f.Kind = name
			err = f.parseComponents(value)
		case name == "share" || name == "bandwidth":
			*to, err = strconv.ParseFloat(value, 64)
			if err != nil || !(*to > 0 && *to < 1) {
				err = fmt.Errorf("where %s is %q: give a share above 0 and below 1", name, value)
			} else if name == "bandwidth" && *to < minBandwidth {
				err = fmt.Errorf("where %s is %q: give a share of at least 1/65536", name, value)
			}
		default:
			var inSeconds bool
			if *to, inSeconds, err = rowTime(name, value); *to == 0 && name != "at" {
				err = fmt.Errorf("where %s is %q: give a time above 0", name, value)
			}
			if inSeconds {
				f.inSeconds = append(f.inSeconds, name)
			}
		}
	}
	f.text = strings.TrimPrefix(f.text, "; ")
	switch {
	case err != nil:
		return f, err
	case f.Kind == "":
		err = fmt.Errorf("which has neither nodes nor routers nor links")
	case f.Share > 0 && (f.Numbers != nil || f.Cables != nil):
		err = fmt.Errorf("where a share is of some %s: give it with %s = all", f.Kind, f.Kind)
	case f.Bandwidth > 0 && f.Kind != FailingLinks:
		err = fmt.Errorf("where %s have a bandwidth: give it with links", f.Kind)
	case (f.MTBF > 0) != (f.MTTR > 0):
		err = fmt.Errorf("with one of mtbf and mttr: give both")
	case f.MTBF > 0 && f.At+f.For > 0:
		err = fmt.Errorf("with mtbf and at or for, and both say when: leave one of them out")
	}
	return f, err
}

// number returns the field of a number, or nil.
func (f *Failure) number(name string) *float64 {
	return map[string]*float64{"share": &f.Share, "at": &f.At, "for": &f.For, "mtbf": &f.MTBF,
		"mttr": &f.MTTR, "bandwidth": &f.Bandwidth}[name]
}

// parseComponents reads which nodes, routers or links fail.
func (f *Failure) parseComponents(value string) error {
	if value == "all" {
		return nil
	}
	if f.Kind == FailingLinks && strings.IndexFunc(value, unicode.IsLetter) == 0 {
		f.Class = value
		return nil
	}
	for part := range strings.SplitSeq(value, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		cable := AllCables
		if of, number, one := strings.Cut(to, "."); one && f.Kind == FailingLinks {
			n, bad := strconv.ParseUint(number, 10, 31)
			if bad != nil {
				return fmt.Errorf("where %s is %q: give cables of two routers such as 3-7.0,3-7.1", f.Kind,
					value)
			}
			to, cable = of, int(n)
		}
		a, bad := strconv.ParseUint(from, 10, 31)
		b, worse := strconv.ParseUint(to, 10, 31)
		switch {
		case bad != nil || worse != nil:
			return fmt.Errorf("where %s is %q: give all, or numbers such as 3-7,12", f.Kind, value)
		case f.Kind == FailingLinks && a == b:
			return fmt.Errorf("where %s is %q: give all, or pairs of routers such as 3-7,7-9", f.Kind, value)
		case f.Kind == FailingLinks:
			f.Cables = append(f.Cables, Cables{[2]int{int(min(a, b)), int(max(a, b))}, cable})
		case b < a || b-a >= maxFailing:
			return fmt.Errorf("where %s has %q, which is no range of at most %d", f.Kind, part, maxFailing)
		}
		for n := a; f.Kind != FailingLinks && n <= b; n++ {
			f.Numbers = append(f.Numbers, int(n))
		}
	}
	slices.Sort(f.Numbers)
	f.Numbers = slices.Compact(f.Numbers)
	return nil
}

// String returns the row in canonical form.
func (f Failure) String() string { return f.text }

// Drawn returns how many of some things fail by a share that is drawn: at least 1.
func (f *Failure) Drawn(of int) int { return max(1, int(math.Round(f.Share*float64(of)))) }

// draws reports whether something of the row is drawn.
func (f Failure) draws() bool { return f.Share > 0 || f.MTBF > 0 }

// failsNodes reports whether the row is of nodes, or of routers with theirs, and failsLinks whether
// links fail, of their own or with routers.
func (f Failure) failsNodes() bool { return f.Kind != FailingLinks }

func (f Failure) failsLinks() bool { return f.Kind != FailingNodes && f.Bandwidth == 0 }

// SeriesPair is a pair of a source and a destination whose queue pair series.csv shows: two nodes,
// or two ranks of a job.
type SeriesPair struct {
	text string // in canonical form
	// Job is the job of the ranks, NoJob for nodes.
	Job scheduler.JobID
	// From and To are nodes or ranks, which differ.
	From, To int
}

// Cables are those between two routers, of which the first has the smaller number.
type Cables struct {
	Routers [2]int
	// Number is that of one of them, from 0 in the order of ports of the first router, or AllCables.
	Number int
}

// String returns the cables as a row of machine.failures has them.
func (c Cables) String() string {
	s := fmt.Sprintf("%d-%d", c.Routers[0], c.Routers[1])
	if c.Number != AllCables {
		s += fmt.Sprintf(".%d", c.Number)
	}
	return s
}

// AllCables is the number of all cables between two routers.
const AllCables = -1

// Of returns the cables between two routers with a number.
func (c Cables) Of(a, b, number int) bool {
	return c.Routers == [2]int{a, b} && (c.Number == AllCables || c.Number == number)
}

// NoJob is the Job of a pair of nodes.
const NoJob scheduler.JobID = -1

// seriesPairRight shows what a pair looks like.
const seriesPairRight = `give pairs such as "3>0", from node 3 to node 0, or "2:3>0", from rank 3 of ` +
	`job 2 to its rank 0`

// ParseSeriesPair reads a pair: FROM>TO or JOB:FROM>TO.
func ParseSeriesPair(text string) (p SeriesPair, err error) {
	job, ends, ofJob := strings.Cut(text, ":")
	if !ofJob {
		job, ends = "", text
	}
	from, to, ok := strings.Cut(ends, ">")
	number := func(text string) int {
		n, bad := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
		ok = ok && bad == nil
		return int(n)
	}
	p = SeriesPair{Job: NoJob, From: number(from), To: number(to)}
	p.text = fmt.Sprintf("%d>%d", p.From, p.To)
	if ofJob {
		p.Job = scheduler.JobID(number(job))
		p.text = fmt.Sprintf("%d:%s", p.Job, p.text)
	}
	switch {
	case !ok:
		return p, fmt.Errorf("which is no pair")
	case p.From == p.To:
		return p, fmt.Errorf("which is one end twice")
	}
	return p, nil
}

// String returns the pair in canonical form.
func (p SeriesPair) String() string { return p.text }
