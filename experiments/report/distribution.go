package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"sort"

	"contend/experiments/plot"
	"contend/experiments/report/tables"
	"contend/experiments/study"
)

// distributionKinds are the kinds of figures of the distribution of a column of jobs.csv.
var distributionKinds = []kind{
	{name: "ecdf", draw: distributionLines},
	{name: "box", draw: distributionBoxes},
}

// sample returns a column of jobs.csv over the jobs of all replications of a point, in rising
// order. Zeros count on a logarithmic axis too: without them its shares and percentiles would be
// those of fewer jobs.
func (k *drawing) sample(point int, column string) ([]float64, error) {
	var values []float64
	err := k.eachJob(point, column, func(x, _ float64) { values = append(values, x) })
	slices.Sort(values)
	return values, err
}

// sampleByClass returns what sample does for each class of job sizes, by the smallest size of the
// class.
func (k *drawing) sampleByClass(point int, column string) (map[int][]float64, error) {
	values := map[int][]float64{}
	err := k.eachJob(point, column, func(x, processors float64) {
		low := 1 << max(0, bits.Len(uint(processors))-1)
		values[low] = append(values[low], x)
	})
	for _, list := range values {
		slices.Sort(list)
	}
	return values, err
}

// eachJob calls use with a column of jobs.csv and the size of each job of a point.
func (k *drawing) eachJob(point int, column string, use func(x, processors float64)) error {
	for replication := range k.results.Runs[point] {
		t, err := k.replication("jobs", point, replication, column, "processors")
		if err != nil {
			return err
		}
		for i := range t.Rows {
			if x := t.Number(i, column); !math.IsNaN(x) {
				use(x, t.Number(i, "processors"))
			}
		}
	}
	return nil
}

// valueAxis returns the axis of a column of jobs.csv: the abscissa of lines, the ordinate of boxes.
func (k *drawing) valueAxis(column string, log bool) plot.Axis {
	return plot.Axis{Label: k.columnTitle(column), Log: log, Time: tables.IsTime(k.results, column)}
}

// ecdfSteps is the largest number of steps of a line. A reader cannot see more.
const ecdfSteps = 400

// distributionLines draws the share of jobs up to each value, a line for each point.
func distributionLines(k *drawing) (plot.Drawable, error) {
	column, log := k.metric(), k.figure.LogX
	d := plot.Figure{Kind: plot.Lines, X: k.valueAxis(column, log),
		Y: plot.Axis{Label: "Share of jobs (%)", Min: new(0.0), Max: new(100.0)}}
	zeros := false
	d, err := k.lines(d, func(point int) (s plot.Series, err error) {
		values, err := k.sample(point, column)
		if err != nil {
			return s, err
		}
		if len(values) == 0 {
			return s, k.bad(fmt.Sprintf("the jobs have no %s", column),
				"choose another column, or run jobs with messages")
		}
		if s = steps(values); log && values[0] <= 0 {
			s, zeros = aboveZero(s), true
		}
		return s, nil
	})
	if err != nil {
		return nil, err
	}
	if len(d.Series) == 0 && len(d.Panels) == 0 {
		return nil, k.allZero(column, "log_x")
	}
	d.Subject = k.distributionTitle(column)
	d.Description = fmt.Sprintf("Share of jobs with at most this %s, over the jobs of all "+
		"replications.", tables.ShortKey(column))
	if zeros {
		d.Description += " Jobs with a value of 0 count: a line begins at their share, and there is " +
			"none where all jobs have it."
	}
	return d, nil
}

// distributionTitle returns the title of a figure of the distribution of a column.
func (k *drawing) distributionTitle(column string) string {
	return fmt.Sprintf("Distribution of %s (%s)", tables.ShortKey(column), k.results.Study.Name)
}

// allZero returns the error for a logarithmic axis without a value above 0.
func (k *drawing) allZero(column, key string) error {
	const text = "there is no %s above 0 to show, and 0 has no place on a logarithmic axis"
	return k.bad(fmt.Sprintf(text, column), "leave out "+key)
}

// aboveZero returns the steps at values above 0. The first begins at the share of the others.
func aboveZero(s plot.Series) plot.Series {
	first := slices.IndexFunc(s.X, func(x float64) bool { return x > 0 })
	if first < 0 {
		return plot.Series{}
	}
	return plot.Series{X: s.X[first:], Y: s.Y[first:]}
}

// steps returns the steps of the distribution of sorted values. Where there are many, a step is
// taken at equal shares of the jobs, at the first and at the last.
func steps(values []float64) (s plot.Series) {
	n := len(values)
	add := func(x, jobs float64) {
		s.X, s.Y = append(s.X, x), append(s.Y, 100*jobs/float64(n))
	}
	many := min(n, ecdfSteps)
	below := 0
	for i := range many {
		at := n - 1
		if many > 1 {
			at = i * (n - 1) / (many - 1)
		}
		x := values[at]
		upTo := sort.Search(n, func(i int) bool { return values[i] > x })
		if upTo == below {
			continue
		}
		add(x, float64(below))
		add(x, float64(upTo))
		below = upTo
	}
	return s
}

// distributionBoxes draws a box for each point: median, quartiles, and whiskers to the 5th and
// the 95th percentile.
func distributionBoxes(k *drawing) (plot.Drawable, error) {
	f, column, log := k.figure, k.metric(), k.figure.LogY
	d := plot.Figure{Kind: plot.Lines, Y: k.valueAxis(column, log)}
	groups, byPoint, err := k.boxesOf(column)
	if err != nil {
		return nil, err
	}
	d.Categories = groups
	if f.X == study.SizeClass {
		d.X.Label = "Size of the jobs (processors)"
	}
	names := []string{""}
	if f.Series != "" {
		names = k.labels(f.Series)
	}
	shown, zeros := false, false
	for _, boxes := range byPoint {
		for _, five := range boxes {
			shown = shown || !log || five[4] > 0
			zeros = zeros || log && five[0] <= 0
		}
	}
	d = k.panels(d, k.points, names, func(points []int, name string) plot.Series {
		s := plot.Series{Name: name, Quartiles: &plot.Quartiles{}}
		for _, x := range d.Categories {
			five := slices.Repeat([]float64{math.NaN()}, 5)
			for _, i := range points {
				box, at := byPoint[i][x]
				if at && (f.Series == "" || k.label(i, f.Series) == name) {
					five = box
				}
			}
			addBox(&s, five)
		}
		return s
	})
	if !shown {
		return nil, k.allZero(column, "log_y")
	}
	d.Subject = k.distributionTitle(column)
	d.Description = fmt.Sprintf("%s of the jobs of all replications: median, box from the first "+
		"to the third quartile, whiskers to the 5th and 95th percentile.", tables.AxisTitle(column, ""))
	if zeros {
		d.Description += " Jobs with a value of 0 count: a box or whisker cut off at the lower end of " +
			"the axis reaches 0, and so does a median that is not to be seen."
	}
	return d, nil
}

// addBox adds the percentiles of a box to a series.
func addBox(s *plot.Series, five []float64) {
	s.Low, s.High = append(s.Low, five[0]), append(s.High, five[4])
	s.Quartiles.Lower = append(s.Quartiles.Lower, five[1])
	s.Quartiles.Upper = append(s.Quartiles.Upper, five[3])
	s.Y = append(s.Y, five[2])
}

// boxPercentiles returns the five percentiles that a box shows, of sorted values.
func boxPercentiles(values []float64) (five []float64) {
	for _, p := range []float64{0.05, 0.25, 0.5, 0.75, 0.95} {
		five = append(five, quantile(values, p))
	}
	return five
}

// boxesOf returns the groups along the abscissa in their order, and for each point the percentiles
// of its groups. Without x, a group is a point.
func (k *drawing) boxesOf(column string) (order []string, boxes map[int]map[string][]float64,
	err error) {
	boxes = map[int]map[string][]float64{}
	names := k.pointNames()
	classes := map[int]bool{}
	for _, i := range k.points {
		boxes[i] = map[string][]float64{}
		if k.figure.X == study.SizeClass {
			byClass, err := k.sampleByClass(i, column)
			if err != nil {
				return nil, nil, err
			}
			for low, values := range byClass {
				classes[low] = true
				boxes[i][className(low)] = boxPercentiles(values)
			}
			continue
		}
		name := cmp.Or(names[i], "all")
		if k.figure.X != "" {
			name = k.label(i, k.figure.X)
		}
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
		values, err := k.sample(i, column)
		if err != nil {
			return nil, nil, err
		}
		if len(values) > 0 {
			boxes[i][name] = boxPercentiles(values)
		}
	}
	for _, low := range slices.Sorted(maps.Keys(classes)) {
		order = append(order, className(low))
	}
	return order, boxes, nil
}

// className names the class of jobs that begins at a size.
func className(low int) string {
	if low == 1 {
		return "1"
	}
	return fmt.Sprintf("%d–%d", low, 2*low-1)
}

// quantile returns a quantile of sorted values, interpolated linearly between neighbours.
func quantile(values []float64, p float64) float64 {
	at := p * float64(len(values)-1)
	i := min(int(at), len(values)-1)
	j := min(i+1, len(values)-1)
	return values[i] + (at-float64(i))*(values[j]-values[i])
}
