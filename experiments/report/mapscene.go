package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"contend/experiments/plot"
	"contend/experiments/report/floor"

	"contend/internal/decimal"
)

// mapKinds are the kinds of figures of the nodes of a machine.
var mapKinds = []kind{{name: "map", draw: mapScene}}

// mapScene draws which job has each node at a time.
func mapScene(k *drawing) (plot.Drawable, error) {
	jobs, plan, err := k.jobsOnMachine()
	if err != nil {
		return nil, err
	}
	mark, err := k.markedJob(jobs)
	if err != nil {
		return nil, err
	}
	at, err := k.mapTime(jobs, mark)
	if err != nil {
		return nil, err
	}
	m := nodeMap{floor: floor.NewPlan(plan.Machine), jobs: jobs, mark: -1,
		holder: slices.Repeat([]int{-1}, plan.Machine.Nodes())}
	running, used := 0, 0
	for i, j := range jobs {
		if !(j.Start <= at && at < j.End) {
			continue
		}
		running++
		for _, n := range j.Nodes {
			m.holder[n] = i
			used++
		}
		if mark >= 0 && j.Number == jobs[mark].Number {
			m.mark = i
		}
	}
	s := m.scene()
	s.Subject = fmt.Sprintf("Jobs on the machine (%s)", k.pointText())
	s.Description = fmt.Sprintf("Nodes of running jobs at time %s (%s): %d jobs on %d of %d nodes. "+
		"White nodes are free; numbers are those of jobs. First replication.",
		decimal.Significant(at, 9), plan.ClockUnit, running, used, len(m.holder))
	return s, nil
}

// markedJob returns the index of the job that the figure marks, -1 for none. It refuses a job that
// the run does not have.
func (k *drawing) markedJob(jobs []floor.Job) (int, error) {
	number := strconv.Itoa(k.figure.Job)
	at := slices.IndexFunc(jobs, func(j floor.Job) bool { return j.Number == number })
	if k.figure.Job > 0 && at < 0 {
		return -1, k.bad("the run has no job "+number,
			"give a job of jobs.csv, such as "+jobs[0].Number)
	}
	return at, nil
}

// mapTime returns the time that a map shows: the given one, the start of the marked job, or the
// first at which most nodes are in use.
func (k *drawing) mapTime(jobs []floor.Job, mark int) (float64, error) {
	if k.figure.Timed() {
		end := lastEnd(jobs)
		at := k.figure.Moment(end)
		if at >= end {
			return 0, k.bad(fmt.Sprintf("no job runs at time %g or later", at),
				"give a time below "+decimal.Significant(end, 9))
		}
		runs := func(j floor.Job) bool { // a log may use a number twice
			return j.Number == jobs[mark].Number && j.Start <= at && at < j.End
		}
		if mark >= 0 && !slices.ContainsFunc(jobs, runs) {
			return 0, k.bad(fmt.Sprintf("job %d does not run at time %g", k.figure.Job, at),
				"leave out the time, for the start of the job")
		}
		return at, nil
	}
	if mark >= 0 {
		return jobs[mark].Start, nil
	}
	return fullestTime(jobs), nil
}

// lastEnd returns the time at which the last job ends.
func lastEnd(jobs []floor.Job) (end float64) {
	for _, j := range jobs {
		end = max(end, j.End)
	}
	return end
}

// fullestTime returns the first time at which most nodes are in use. The jobs are in order of their
// starts.
func fullestTime(jobs []floor.Job) (at float64) {
	byEnd := slices.Clone(jobs)
	slices.SortStableFunc(byEnd, func(a, b floor.Job) int { return cmp.Compare(a.End, b.End) })
	most, used, ended := -1, 0, 0
	for i, j := range jobs {
		for ended < len(byEnd) && byEnd[ended].End <= j.Start {
			used -= len(byEnd[ended].Nodes)
			ended++
		}
		used += len(j.Nodes)
		last := i+1 == len(jobs) || jobs[i+1].Start > j.Start // of those that start now
		if last && used > most {
			at, most = j.Start, used
		}
	}
	return at
}

// nodeMap is a machine whose nodes are held by jobs.
type nodeMap struct {
	floor  *floor.Plan
	holder []int // index of the job on each node, -1 for none
	jobs   []floor.Job
	mark   int // the job to mark, -1 for none
}

// scene draws the map.
func (m *nodeMap) scene() plot.Scene {
	f := m.floor
	s := plot.Scene{Equal: true, X: plot.Axis{Label: f.Below, Min: new(0.0), Max: new(f.Width)},
		Y:     plot.Axis{Min: new(0.0), Max: new(f.Height)},
		Table: [][]string{{"node", "job", "column", "row"}}, Texts: slices.Clone(f.Headings)}
	s.Tiles = append(s.Tiles, f.Outlines...)
	at := m.nodeAt()
	hues := m.hues(at)
	for n, c := range f.Cells {
		tile := plot.Tile{X0: c.X, X1: c.X + c.W, Y0: c.Y, Y1: c.Y + c.H}
		job, number := m.holder[n], ""
		if job >= 0 {
			number = m.jobs[job].Number
			tile.Fill, tile.Hue, tile.Seamless = plot.Hued, hues[job], true
			if m.mark >= 0 && job != m.mark {
				tile.Fill = plot.Faint
			}
		}
		s.Tiles = append(s.Tiles, tile)
		s.Table = append(s.Table, []string{strconv.Itoa(n), number, strconv.Itoa(c.Column),
			strconv.Itoa(c.Row)})
	}
	s.Strokes = append(m.lines(at), f.Strokes...)
	s.Texts = append(s.Texts, m.labels(at)...)
	return s
}

// square is a column and row of a floor.
type square struct{ column, row int }

// neighbours lists the squares to the right, above, to the left and below.
func (s square) neighbours() []square {
	return []square{{s.column + 1, s.row}, {s.column, s.row + 1}, {s.column - 1, s.row},
		{s.column, s.row - 1}}
}

// squareOf returns the square of a node.
func (m *nodeMap) squareOf(n int) square {
	return square{m.floor.Cells[n].Column, m.floor.Cells[n].Row}
}

// nodeAt returns the node at each square of the floor.
func (m *nodeMap) nodeAt() map[square]int {
	at := make(map[square]int, len(m.floor.Cells))
	for n := range m.floor.Cells {
		at[m.squareOf(n)] = n
	}
	return at
}

// hues gives jobs colours, so that neighbours on the floor differ where possible.
func (m *nodeMap) hues(at map[square]int) []int {
	b := make(plot.Borders, len(m.jobs))
	for n := range m.floor.Cells {
		for _, next := range m.squareOf(n).neighbours()[:2] {
			if o, ok := at[next]; ok && m.holder[n] >= 0 && m.holder[o] >= 0 {
				b.Add(m.holder[n], m.holder[o])
			}
		}
	}
	return b.Hues()
}

// lines returns thin lines around free nodes and bold ones between different holders.
func (m *nodeMap) lines(at map[square]int) []plot.Stroke {
	var thin, bold []plot.Stroke
	for n, c := range m.floor.Cells {
		x, y := []float64{c.X, c.X + c.W}, []float64{c.Y, c.Y + c.H}
		sides := [4]plot.Stroke{{X: []float64{x[1], x[1]}, Y: y}, {X: x, Y: []float64{y[1], y[1]}},
			{X: []float64{x[0], x[0]}, Y: y}, {X: x, Y: []float64{y[0], y[0]}}}
		for side, next := range m.squareOf(n).neighbours() {
			o, ok := at[next]
			if ok && side > 1 {
				continue // the neighbour draws it
			}
			line := sides[side]
			switch {
			case !ok || m.holder[n] != m.holder[o]:
				line.Bold = true
				bold = append(bold, line)
			case m.holder[n] < 0:
				thin = append(thin, line)
			}
		}
	}
	return append(thin, bold...)
}

// labels writes the number of a job into each connected piece of its nodes: into the longest
// row of nodes, of several the one nearest to the middle of the piece.
func (m *nodeMap) labels(at map[square]int) (texts []plot.Text) {
	done := make([]bool, len(m.holder))
	for n := range m.holder {
		if done[n] || m.holder[n] < 0 {
			continue
		}
		piece := m.piece(at, n, done)
		texts = append(texts, m.label(at, piece))
	}
	return texts
}

// piece returns the nodes that are connected with node n on the floor and have the same job. It
// marks them in done.
func (m *nodeMap) piece(at map[square]int, n int, done []bool) []int {
	done[n] = true
	piece := []int{n}
	for i := 0; i < len(piece); i++ {
		for _, next := range m.squareOf(piece[i]).neighbours() {
			if o, ok := at[next]; ok && !done[o] && m.holder[o] == m.holder[n] {
				done[o] = true
				piece = append(piece, o)
			}
		}
	}
	return piece
}

// run is a row of adjacent nodes of a job on the floor.
type run struct {
	from, to square  // the first and the last node
	x0, x1   float64 // left and right edge
	y, h     float64 // lower edge and height
}

// runs returns the runs of a piece of a job, by their first node.
func (m *nodeMap) runs(at map[square]int, piece []int) map[square]run {
	all, job := map[square]run{}, m.holder[piece[0]]
	for _, n := range piece {
		c := m.floor.Cells[n]
		if o, ok := at[square{c.Column - 1, c.Row}]; ok && m.holder[o] == job {
			continue // a run begins at its first node
		}
		end := c
		for {
			o, ok := at[square{end.Column + 1, c.Row}]
			if !ok || m.holder[o] != job {
				break
			}
			end = m.floor.Cells[o]
		}
		from := m.squareOf(n)
		all[from] = run{from, square{end.Column, c.Row}, c.X, end.X + end.W, c.Y, c.H}
	}
	return all
}

// label returns the text of a piece of a job: in the middle of the rectangle around the longest
// of its runs, of several the one nearest to the middle of the piece.
func (m *nodeMap) label(at map[square]int, piece []int) plot.Text {
	middle := 0.0
	for _, n := range piece {
		middle += m.floor.Cells[n].Y / float64(len(piece))
	}
	all := m.runs(at, piece)
	var best run
	score := -1.0
	for _, n := range piece { // in the order of the piece, so that the choice is always the same
		r, ok := all[m.squareOf(n)]
		if s := r.x1 - r.x0 - 1e-3*(r.y-middle)*(r.y-middle); ok && (score < 0 || s > score) {
			best, score = r, s
		}
	}
	// end follows runs that end in the same column up or down.
	end := func(step int) run {
		for r := best; ; {
			next, ok := all[square{r.from.column, r.from.row + step}]
			if !ok || next.to.column != best.to.column {
				return r
			}
			r = next
		}
	}
	low, high := end(-1), end(1)
	return plot.Text{X: (best.x0 + best.x1) / 2, Y: (low.y + high.y + high.h) / 2,
		Words: m.jobs[m.holder[piece[0]]].Number, Width: best.x1 - best.x0,
		Height: high.y + high.h - low.y}
}
