package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report/floor"
)

// recordedTable is a kind of table of rows that the player shows.
type recordedTable struct {
	kind    string   // name of the file without its ending
	needs   []string // columns without which the player cannot use it
	drops   []string // columns that the page has from elsewhere
	repeats string   // column with the same value in many rows, "" for none
	rounds  string   // column of which two decimals suffice, "" for none
	without string   // column that is empty in the rows of use, "" for all
}

// recordedTables are the recorded tables in the order of their use to a reader.
var recordedTables = []recordedTable{
	{kind: "jobs", needs: []string{"job", "submit", "start", "end", "nodes"}},
	{kind: "series", needs: []string{"time", "duration"}, drops: metrics.PairColumns(),
		without: metrics.PairColumn},
	{kind: "links", needs: []string{"link", "utilization_percent"},
		drops: []string{"kind", "from_router", "from_port", "to_router", "to_port", "node"}},
	{kind: "load", needs: []string{"time", "link", "utilization_percent"},
		drops: []string{"duration"}, repeats: "time", rounds: "utilization_percent"},
}

// player is the index that the player of the machine reads.
type player struct {
	Axes     []string            `json:"axes"`
	Points   []playerPoint       `json:"points"` // those with recorded jobs
	Machines []*floor.MachineMap `json:"machines"`
	Units    map[string]string   `json:"units"` // of the columns, by name
}

// playerPoint is a point of the study that has recorded jobs.
type playerPoint struct {
	Labels  []string    `json:"labels"`
	Machine int         `json:"machine"` // index of the machine
	Clock   string      `json:"clock"`   // unit of its times
	Runs    []playerRun `json:"runs"`
}

// playerRun is a run with the identifiers of its tables by kind.
type playerRun struct {
	Replication int               `json:"replication"`
	Tables      map[string]string `json:"tables"`
	Colours     []int             `json:"colours"` // of its jobs, in the order of their table
}

// island is JSON in the page under an identifier.
type island struct {
	ID   string
	JSON template.JS
}

// recorder collects the recorded tables up to a limit.
type recorder struct {
	results *experiments.Results
	left    int // bytes that may still be added
	islands []island
	known   map[string]bool // identifiers of the islands
	leftOut map[string]int  // runs whose table is not in the page, by kind
	found   map[string]int  // runs that have the table, by kind
}

// record collects the recorded tables of the results, of at most limit bytes, and their index, nil
// if there are none. The first replication of every point comes first, and for all points their
// jobs before the next kind.
func record(r *experiments.Results, limit int) (*player, *recorder, error) {
	rec := &recorder{results: r, left: limit, known: map[string]bool{}, leftOut: map[string]int{},
		found: map[string]int{}}
	runs := make([][]playerRun, len(r.Points))
	for i := range runs {
		for rep := range r.Replications(i) {
			runs[i] = append(runs[i], playerRun{rep, map[string]string{}, nil})
		}
	}
	all := 0
	for i := range runs {
		all = max(all, len(runs[i]))
	}
	for _, reps := range [][2]int{{0, min(1, all)}, {1, all}} {
		for _, t := range recordedTables {
			for rep := reps[0]; rep < reps[1]; rep++ {
				if err := rec.addTables(runs, rep, t); err != nil {
					return nil, nil, err
				}
			}
		}
	}
	p, err := rec.player(runs)
	return p, rec, err
}

// addTables adds a kind of table of a replication of all points. Runs whose jobs are not in the
// page have no other tables.
func (rec *recorder) addTables(runs [][]playerRun, rep int, t recordedTable) error {
	for i := range runs {
		if rep >= len(runs[i]) || t.kind != "jobs" && runs[i][rep].Tables["jobs"] == "" {
			continue
		}
		key := experiments.RunKey{Hash: rec.results.Points[i].Hash, Replication: rep}
		id := fmt.Sprintf("%s-%s-%d", t.kind, key.Hash, rep)
		if !rec.known[id] {
			added, err := rec.add(id, rec.results.Folder.PartPath(t.kind, key), t)
			if err != nil {
				return err
			}
			if !added {
				continue
			}
		}
		runs[i][rep].Tables[t.kind] = id
	}
	return nil
}

// add reads a table into an island. It reports false if there is no usable table or no room for it.
func (rec *recorder) add(id, path string, t recordedTable) (bool, error) {
	c, err := readColumns(path, t, rec.left)
	full := errors.Is(err, errFull)
	if !full && (err != nil || c == nil || !c.has(t.needs...)) {
		return false, err
	}
	rec.found[t.kind]++
	var text []byte
	if !full {
		text = c.json()
	}
	if full || len(text) > rec.left {
		rec.leftOut[t.kind]++
		return false, nil
	}
	rec.left -= len(text)
	rec.known[id] = true
	rec.islands = append(rec.islands, island{id, template.JS(text)})
	return true, nil
}

// player returns the index of the collected tables, nil if they have no jobs.
func (rec *recorder) player(runs [][]playerRun) (*player, error) {
	r := rec.results
	p := &player{Axes: append([]string{}, r.AxisKeys()...), Units: unitsOfColumns()}
	index := map[string]int{}
	for i := range r.Points {
		with := slices.DeleteFunc(runs[i], func(run playerRun) bool {
			return run.Tables["jobs"] == ""
		})
		if len(with) == 0 {
			continue
		}
		plan, err := r.Points[i].Spec.Plan()
		if err != nil {
			return nil, err
		}
		at := p.machine(plan, index)
		for n := range with {
			if with[n].Colours, err = rec.colours(p.Machines[at], with[n].Tables["jobs"]); err != nil {
				return nil, err
			}
		}
		p.Points = append(p.Points, playerPoint{Machine: at, Clock: plan.ClockUnit, Runs: with,
			Labels: append([]string{}, r.Points[i].Labels...)})
	}
	if p.Points == nil {
		return nil, nil
	}
	return p, nil
}

// colours returns the colours of the jobs of a table on a machine.
func (rec *recorder) colours(m *floor.MachineMap, table string) ([]int, error) {
	at := slices.IndexFunc(rec.islands, func(i island) bool { return i.ID == table })
	colours, err := coloursOf(m.Floor, []byte(rec.islands[at].JSON))
	if err != nil {
		return nil, experiments.PartError(table+".csv", err)
	}
	return colours, nil
}

// machine returns the index of the machine of a plan in p.Machines, and adds it if it is new.
func (p *player) machine(plan *config.Plan, index map[string]int) int {
	key := fmt.Sprint(plan.MachineID(), plan.Network.InjectionPorts, plan.Job.Run)
	if at, known := index[key]; known {
		return at
	}
	index[key] = len(p.Machines)
	p.Machines = append(p.Machines, floor.NewMachineMap(plan))
	return index[key]
}

// islandOf returns a value as JSON under an identifier.
func islandOf(id string, value any) (island, error) {
	text, err := json.Marshal(value)
	return island{id, template.JS(text)}, err
}

// missing counts the recorded tables that are not in the page, by kind; "" if all are.
func (rec *recorder) missing() string {
	var parts []string
	for _, t := range recordedTables {
		if n := rec.leftOut[t.kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s.csv of %d of %d runs", t.kind, n,
				rec.found[t.kind]))
		}
	}
	return strings.Join(parts, ", ")
}

// unitsOfColumns returns the units of recorded columns that have one; "clock" stands for that of
// the run's clock.
func unitsOfColumns() map[string]string {
	units := map[string]string{}
	for _, c := range slices.Concat(metrics.JobTable, metrics.SeriesTable, metrics.LinkTable,
		metrics.LoadTable) {
		switch c.Unit {
		case "":
		case "time":
			units[c.Name] = "clock"
		default:
			units[c.Name] = c.Unit
		}
	}
	return units
}
