package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/experiments"
	"contend/experiments/config"
	"contend/experiments/metrics"
	"contend/experiments/report/floor"
	"contend/internal/decimal"
	"contend/internal/input"
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
	for _, c := range slices.Concat(metrics.JobTable.Columns, metrics.SeriesTable.Columns,
		metrics.LinkTable.Columns, metrics.LoadTable.Columns) {
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

// columns is a table of one run as JSON: an object with an array for each column. In the array of
// the column that repeats itself each value is followed by the number of its rows.
type columns struct {
	names  []string
	values []bytes.Buffer
	size   int // bytes of all values

	table  recordedTable
	last   string // cell of the column that repeats itself
	repeat int    // rows with this cell, 0 in the beginning
}

// errFull is the error of a table that is larger than the limit.
var errFull = fmt.Errorf("page: full")

// readColumns reads a table of rows. It returns errFull if its JSON is longer than limit bytes, and
// nil for a file that does not exist.
func readColumns(path string, t recordedTable, limit int) (*columns, error) {
	file, err := input.Open(path, input.RowsLimits)
	if err != nil {
		if input.Exists(path) {
			return nil, input.Unreadable(err, "")
		}
		return nil, nil
	}
	defer file.Close()
	in := csv.NewReader(experiments.NewPartReader(path, file))
	in.ReuseRecord = true
	header, err := in.Read()
	if err != nil {
		return nil, experiments.PartError(path, err)
	}
	c, kept := &columns{table: t}, []int{}
	for i, name := range header {
		if !slices.Contains(t.drops, name) {
			c.names, kept = append(c.names, name), append(kept, i)
		}
	}
	c.values = make([]bytes.Buffer, len(kept))
	without := slices.Index(header, t.without)
	for {
		row, err := in.Read()
		if err == io.EOF {
			c.endRepeat()
			return c, nil
		}
		if err != nil {
			return nil, experiments.PartError(path, err)
		}
		if without >= 0 && row[without] != "" {
			continue
		}
		for n, i := range kept {
			c.add(n, row[i])
		}
		if c.size > limit {
			return nil, errFull
		}
	}
}

// add appends a cell to a column.
func (c *columns) add(n int, cell string) {
	switch {
	case c.names[n] == c.table.repeats && c.repeat > 0 && c.last == cell:
		c.repeat++
		return
	case c.names[n] == c.table.repeats:
		c.endRepeat()
		c.last, c.repeat = cell, 1
	case c.names[n] == c.table.rounds:
		if x, err := strconv.ParseFloat(cell, 64); err == nil {
			cell = decimal.Exact(math.Round(100*x) / 100)
		}
	}
	c.write(n, cellJSON(cell))
}

// endRepeat writes how often the last cell of the column that repeats itself occurred in a row.
func (c *columns) endRepeat() {
	if c.repeat > 0 {
		c.write(slices.Index(c.names, c.table.repeats), []byte(strconv.Itoa(c.repeat)))
	}
}

// write appends JSON to a column.
func (c *columns) write(n int, text []byte) {
	b := &c.values[n]
	if b.Len() > 0 {
		b.WriteByte(',')
		c.size++
	}
	b.Write(text)
	c.size += len(text)
}

// cellJSON returns a cell as JSON: a number as it stands in the file, null for an empty cell,
// other text as a string.
func cellJSON(cell string) []byte {
	if cell == "" {
		return []byte("null")
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil && json.Valid([]byte(cell)) {
		return []byte(cell)
	}
	return quoted(cell)
}

// quoted returns a text as a JSON string without <, > and &, which is safe within an element.
func quoted(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic("page: a string that is no JSON: " + err.Error())
	}
	return b
}

// has reports whether the table has the columns.
func (c *columns) has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		return !slices.Contains(c.names, name)
	})
}

// json returns the table.
func (c *columns) json() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for n, name := range c.names {
		if n > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(name))
		b.WriteString(":[")
		b.Write(c.values[n].Bytes())
		b.WriteByte(']')
	}
	b.WriteByte('}')
	return b.Bytes()
}
