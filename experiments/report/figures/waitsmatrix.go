package figures

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"contend/experiments/figure"
)

// mostWaiting is the number of jobs of a matrix of waits. More do not fit a page.
const mostWaiting = 32

// pairWaits are the waits of pairs of jobs.
type pairWaits struct {
	cycles       map[[2]int]float64 // by waiting and holding job
	involved     map[int]float64    // waits of a job for others and of others for it
	all, foreign float64
}

// waits reads the waits of the only point.
func (k *recorded) waits() (*pairWaits, error) {
	t, err := k.table("interference", k.points[0], "job", "for_job", "cycles")
	if err != nil {
		return nil, err
	}
	w := &pairWaits{cycles: map[[2]int]float64{}, involved: map[int]float64{}}
	for i := range t.Rows {
		pair := [2]int{int(t.Number(i, "job")), int(t.Number(i, "for_job"))}
		n := t.Number(i, "cycles")
		w.cycles[pair] += n
		w.all += n
		if pair[0] != pair[1] {
			w.foreign += n
			w.involved[pair[0]] += n
			w.involved[pair[1]] += n
		}
	}
	if len(w.involved) == 0 {
		return nil, k.bad("no job of its run waited for another",
			"choose a point whose jobs share channels")
	}
	return w, nil
}

// most returns the jobs with most waits for or of others, in order of number.
func (w *pairWaits) most() []int {
	jobs := slices.Sorted(maps.Keys(w.involved))
	slices.SortStableFunc(jobs, func(a, b int) int {
		return cmp.Compare(w.involved[b], w.involved[a])
	})
	jobs = jobs[:min(len(jobs), mostWaiting)]
	slices.Sort(jobs)
	return jobs
}

// waitsMatrix draws how long packets of each job waited for packets of each other job: of the
// jobs with most waits, in order of number.
func waitsMatrix(k *recorded) (figure.Drawable, error) {
	w, err := k.waits()
	if err != nil {
		return nil, err
	}
	jobs := w.most()
	d := figure.Figure{Kind: figure.HeatMap, X: figure.Axis{Label: "Job whose packets held channels"},
		Y:       figure.Axis{Label: "Job whose packets waited"},
		Colour:  figure.Axis{Label: "Waits (cycles)", Log: k.logY},
		Subject: fmt.Sprintf("Which jobs waited for which (%s)", k.pointText())}
	if !d.Colour.Log {
		d.Colour.Min = new(0.0)
	}
	for _, j := range jobs {
		d.Categories = append(d.Categories, strconv.Itoa(j))
		s := figure.Series{Name: strconv.Itoa(j)}
		for _, o := range jobs {
			v, ok := w.cycles[[2]int{j, o}]
			if !ok || d.Colour.Log && v <= 0 {
				v = math.NaN()
			}
			s.Y = append(s.Y, v)
		}
		d.Series = append(d.Series, s)
	}
	d.Description = fmt.Sprintf("Cycles in which ready headers of a job (row) waited for virtual "+
		"channels that packets of a job (column) held; white: never. %.3g%% of all waits are for "+
		"other jobs. First replication.", 100*w.foreign/w.all)
	if left := len(w.involved) - len(jobs); left > 0 {
		d.Description += fmt.Sprintf(" The %d jobs with most waits for or of others; %d have less.",
			len(jobs), left)
	}
	return d, nil
}
