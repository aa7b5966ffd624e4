package tables

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/study"
	"contend/internal/input"
)

// Part holds the rows of a table that one run has stored in the folder.
type Part struct {
	Path    string
	Header  []string
	Rows    [][]string
	columns map[string]int
}

// ReadPart reads a table of one run and checks that it has the columns. It returns nil if the run
// has not stored the table.
func ReadPart(r *experiments.Results, kind string, key experiments.RunKey, columns ...string,
) (*Part, error) {
	p := &Part{Path: r.Folder.Part(kind, key), columns: map[string]int{}}
	file, err := input.Open(p.Path, input.RowsLimits)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(experiments.NewPartReader(p.Path, file)).ReadAll()
	if err != nil {
		return nil, experiments.PartError(p.Path, err)
	}
	p.Header, p.Rows = rows[0], rows[1:]
	for i, name := range p.Header {
		p.columns[name] = i
	}
	for _, c := range columns {
		if _, ok := p.columns[c]; !ok {
			return nil, p.Damaged(-1, "it has no column "+c)
		}
	}
	return p, nil
}

// Text returns a cell.
func (p *Part) Text(row int, column string) string { return p.Rows[row][p.columns[column]] }

// Number returns a cell as a number, NaN where it is empty or a name.
func (p *Part) Number(row int, column string) float64 {
	x, err := strconv.ParseFloat(p.Text(row, column), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// Damaged returns an error about a row, or about the whole file with the row -1.
func (p *Part) Damaged(row int, problem string) error {
	where := p.Path
	if row >= 0 {
		where = fmt.Sprintf("%s:%d", p.Path, row+3)
	}
	return &input.Error{Where: where, Problem: problem,
		Right: "move the file away, and contend run makes it again"}
}

// jobsNotStored returns the error of a run that has kept no jobs.
func jobsNotStored(r *experiments.Results, of *run) error {
	return &input.Error{Where: r.Folder.Dir,
		Problem: "the jobs of the run " + of.title + " are not stored",
		Right:   "run the study with --jobs-csv into the same folder"}
}

// WriteSWF writes the schedule of one run as a log in the Standard Workload Format, as the
// run has left it in the folder.
func WriteSWF(r *experiments.Results, s Selection, w io.Writer) error {
	runs, err := s.runs(r)
	if err != nil {
		return err
	}
	if len(runs) > 1 {
		return &input.Error{Where: "--format swf",
			Problem: "a log holds one run; " + runs[0].title + " and " + runs[1].title + " are two",
			Right:   "choose a point with --at KEY=VALUE"}
	}
	text, err := r.Folder.ReadLogPart(runs[0].key)
	if os.IsNotExist(err) {
		return jobsNotStored(r, &runs[0])
	}
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Selection chooses runs of a study.
type Selection struct {
	// At has the labels that the points must have, as KEY=LABEL. Other axes may have any label.
	At []string
	// Replication is the number of the replication, from 0.
	Replication int
}

// run is a selected run.
type run struct {
	point *study.Point
	key   experiments.RunKey
	title string // the labels that tell it from other points, and the replication
}

// runs returns the finished runs that are selected, in the order of the study. There is
// at least one.
func (s *Selection) runs(r *experiments.Results) ([]run, error) {
	chosen, err := r.Study.Chosen(r.Points, "--at", s.At)
	if err != nil {
		return nil, err
	}
	var runs []run
	for i := range r.Points {
		p := &r.Points[i]
		if !chosen[i] || s.Replication >= r.Replications(i) {
			continue
		}
		var title []string
		for n, key := range r.AxisKeys() {
			if len(r.Study.LabelsOf(r.Points, key)) > 1 {
				title = append(title, key+"="+p.Labels[n])
			}
		}
		title = append(title, fmt.Sprint("replication ", s.Replication))
		runs = append(runs, run{p, experiments.RunKey{Hash: p.Hash, Replication: s.Replication},
			strings.Join(title, ", ")})
	}
	if runs == nil {
		return nil, &input.Error{Where: fmt.Sprint("--replication ", s.Replication),
			Problem: "no such run is finished", Right: "give the number of a replication, from 0"}
	}
	return runs, nil
}
