package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"contend/experiments"
	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/table"
)

// partOf writes a recorded table of a run by hand.
func partOf(t *testing.T, r *experiments.Results, kind string, point, replication int,
	text string) {
	t.Helper()
	rows := [][]string{}
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimSpace(line), ";"))
	}
	key := experiments.RunKey{Hash: r.Points[point].Hash, Replication: replication}
	must.Have(0, r.Folder.WritePart(kind, key, rows[0], table.TextRows(rows[1:])))
}

const handJobs = `job;submit;start;end;pattern;nodes
1;0;0;10;n-body;0-3,8
2;0.5;1;12;;5`

func TestColumnsAreJSON(t *testing.T) {
	r := ran(t, smallStudy, experiments.Tables{})
	partOf(t, r, "jobs", 0, 0, handJobs)
	partOf(t, r, "load", 0, 0, `time;duration;link;utilization_percent
0;8;3;12.3456
0;8;4;1
8;8;3;0.004`)
	page := writtenPage(t, r, DefaultLimit)
	pageHas(t, page, `{"job":[1,2],"submit":[0,0.5],"start":[0,1],"end":[10,12],`+
		`"pattern":["n-body",null],"nodes":["0-3,8",5]}`,
		`{"time":[0,2,8,1],"link":[3,4,3],"utilization_percent":[12.35,1,0]}`)
}

// A run without the nodes of its jobs, from an older program, is not in the player.
func TestJobsWithoutNodes(t *testing.T) {
	r := ran(t, smallStudy, experiments.Tables{})
	partOf(t, r, "jobs", 0, 0, "job;submit;start;end\n1;0;0;10")
	page := writtenPage(t, r, DefaultLimit)
	pageHas(t, page, "These runs were not recorded")
	hasNot(t, page, `id="player"`)
}

func TestDamagedTable(t *testing.T) {
	r := ran(t, smallStudy, experiments.Tables{})
	partOf(t, r, "jobs", 0, 0, handJobs)
	path := r.Folder.PartPath("jobs", experiments.RunKey{Hash: r.Points[0].Hash})
	text := must.Have(os.ReadFile(path))
	changed := strings.Replace(string(text), "n-body", "m-body", 1)
	must.Have(0, os.WriteFile(path, []byte(changed), 0o600))
	err := WritePage(&strings.Builder{}, r, PageOptions{Limit: DefaultLimit})
	var bad *input.Error
	if !errors.As(err, &bad) || bad.Where != path+":3" {
		t.Errorf("the error is %v", err)
	}
}

// Where the limit has no room for all, first replications come first, and the page says what it
// lacks.
func TestLimit(t *testing.T) {
	r := ran(t, smallStudy, experiments.Tables{})
	for point := range 2 {
		for replication := range 2 {
			partOf(t, r, "jobs", point, replication, handJobs)
			partOf(t, r, "load", point, replication, "time;link;utilization_percent\n0;1;2")
		}
	}
	sizes := func(limit int) (ids []string, missing string) {
		p, rec, err := record(r, limit)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, i := range rec.islands {
			ids = append(ids, strings.ReplaceAll(strings.ReplaceAll(i.ID, r.Points[0].Hash, "a"),
				r.Points[1].Hash, "b"))
			total += len(i.JSON)
			if !json.Valid([]byte(i.JSON)) {
				t.Errorf("%s is no JSON: %s", i.ID, i.JSON)
			}
		}
		if total > limit {
			t.Errorf("%d bytes, above %d", total, limit)
		}
		if (p == nil) != (len(ids) == 0) {
			t.Errorf("%d tables and the player %v", len(ids), p)
		}
		return ids, rec.missing()
	}
	ids, missing := sizes(DefaultLimit)
	if got, want := fmt.Sprint(ids), "[jobs-a-0 jobs-b-0 load-a-0 load-b-0 jobs-a-1 jobs-b-1 "+
		"load-a-1 load-b-1]"; got != want || missing != "" {
		t.Errorf("all: %s, without %q", got, missing)
	}
	ids, missing = sizes(300)
	if got, want := fmt.Sprint(ids), "[jobs-a-0 jobs-b-0 load-a-0]"; got != want {
		t.Errorf("300 bytes hold %s", got)
	}
	if want := "jobs.csv of 2 of 4 runs, load.csv of 1 of 2 runs"; missing != want {
		t.Errorf("300 bytes are without %q", missing)
	}
	if ids, missing = sizes(0); ids != nil || missing != "jobs.csv of 4 of 4 runs" {
		t.Errorf("0 bytes hold %v, without %q", ids, missing)
	}
	pageHas(t, writtenPage(t, r, 0), "larger than the limit of 0 MB")
}
