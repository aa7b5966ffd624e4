package tune

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"contend/experiments/report/tables"
	"contend/experiments/spec/input"
	"contend/experiments/study"
	"contend/internal/decimal"
	"contend/internal/table"
)

// Cluster is a set of good vectors with the same scan radius and similar
// ratios: "good solutions generally cluster, with slightly different ratios
// giving similar performance" [Johnson et al. 2010, sec. III].
type Cluster struct {
	Members []Trial // the best first, one or more
}

// similar is the largest difference between the shares of factors of two similar
// vectors. The three vectors of SDSC-Par96 in Fig. 8 differ by less than 0.001.
const similar = 0.03

// clustered returns the trials that Clusters groups: the best twentieth, at least
// twenty.
func (f *Tuning) clustered() []Trial {
	return f.Trials[:min(len(f.Trials), max(20, len(f.Trials)/20))]
}

// Clusters groups the best vectors. Two vectors are in one cluster if a chain of
// similar vectors joins them. The cluster of the best vector comes first.
func (f *Tuning) Clusters() []Cluster {
	best := f.clustered()
	of := make([]int, len(best)) // the least index of each one's cluster
	for i := range best {
		of[i] = i
		for j := range i {
			if of[j] == of[i] || !best[i].Vector.like(best[j].Vector) {
				continue
			}
			from, to := max(of[i], of[j]), min(of[i], of[j])
			for k := range i + 1 {
				if of[k] == from {
					of[k] = to
				}
			}
		}
	}
	var clusters []Cluster
	for first := range best {
		var c Cluster
		for i := range best {
			if of[i] == first {
				c.Members = append(c.Members, best[i])
			}
		}
		if c.Members != nil {
			clusters = append(clusters, c)
		}
	}
	return clusters
}

// like reports whether two vectors have the same scan radius and similar ratios.
func (v Vector) like(w Vector) bool {
	a, b := v.shares(), w.shares()
	return v[0] == w[0] && math.Abs(a[0]-b[0]) <= similar && math.Abs(a[1]-b[1]) <= similar &&
		math.Abs(a[2]-b[2]) <= similar
}

// span returns the least and the greatest value of a number among the members.
func (c Cluster) span(of func(Trial) float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, m := range c.Members {
		low, high = min(low, of(m)), max(high, of(m))
	}
	return low, high
}

// ratio returns a factor divided by the available factor, "" if that is 0.
func (v Vector) ratio(i int) string {
	if v[1] == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", float64(v[i])/float64(v[1]))
}

// Best returns the tables of the n best vectors and of their clusters in
// Markdown.
func (f *Tuning) Best(n int) string {
	grid := [][]string{{"rank", "SR, AF, WF, BF", "WF / AF", "BF / AF", f.Metric, "improvement (%)",
		"equal results", "round"}}
	for i, t := range f.Trials[:min(n, len(f.Trials))] {
		grid = append(grid, []string{fmt.Sprint(i + 1), t.Vector.String(), t.Vector.ratio(2),
			t.Vector.ratio(3), tables.Significant(t.Value, 6),
			fmt.Sprintf("%.4f", t.Gain), fmt.Sprint(t.Equal), fmt.Sprint(t.Round)})
	}
	var b strings.Builder
	better := 0
	for better < len(f.Trials) && f.Trials[better].Gain > 0 {
		better++
	}
	fmt.Fprintf(&b, "Without tie-breaking %s is %s; %d of %d vectors have less.\n"+
		"The improvements are those for the jobs that chose the vectors; other jobs may gain less."+
		"\n\n%s", f.Metric, tables.Significant(f.Base, 6), better, len(f.Trials),
		tables.MarkdownTable(grid, 2))
	clusters := f.Clusters()
	table := tables.MarkdownTable(clusterGrid(clusters[:min(n, len(clusters))]), 1)
	fmt.Fprintf(&b, "\nClusters of the same scan radius and similar ratios among the best %d "+
		"vectors: %d.\n\n%s", len(f.clustered()), len(clusters), table)
	return b.String()
}

// clusterGrid returns the table of clusters.
func clusterGrid(clusters []Cluster) [][]string {
	grid := [][]string{{"best", "vectors", "improvement (%)", "AF share (%)", "WF share (%)",
		"BF share (%)"}}
	for _, c := range clusters {
		row := []string{c.Members[0].Vector.String(), fmt.Sprint(len(c.Members)),
			spanText(c, "%.3f", func(t Trial) float64 { return t.Gain })}
		for i := range 3 {
			row = append(row, spanText(c, "%.1f", func(t Trial) float64 {
				return 100 * t.Vector.shares()[i]
			}))
		}
		grid = append(grid, row)
	}
	return grid
}

// spanText returns a span in words, one number if its ends are equal.
func spanText(c Cluster, format string, of func(Trial) float64) string {
	low, high := c.span(of)
	from, to := fmt.Sprintf(format, low), fmt.Sprintf(format, high)
	if from == to {
		return from
	}
	return from + " to " + to
}

// Columns are those of tune.csv for a metric that is minimized.
func Columns(metric string) []table.Column {
	columns := []table.Column{table.Plain("rank", "", "from 1, the best first")}
	for _, k := range vectorKeys {
		columns = append(columns, table.Plain(k.long, k.unit, k.meaning))
	}
	return append(columns,
		table.Plain(metric, "of the metric",
			"mean of the metric that is minimized (`--metric`), under its own name"),
		table.Plain("improvement_percent", "%", "by how much it is less than in row 0"),
		table.Plain("equal_results", "vectors",
			"vectors with the same results in every metric, this one included"),
		table.Plain("round", "", "round of the local search, 0 for the box"),
		table.Plain("cluster", "", "cluster of good vectors it belongs to, or empty"))
}

// write writes tune.csv, a row for each vector tried, the best first.
func (f *Tuning) write(dir string) error {
	cluster := map[Vector]int{}
	for i, c := range f.Clusters() {
		for _, m := range c.Members {
			cluster[m.Vector] = i + 1
		}
	}
	rows := [][]string{table.Names(Columns(f.Metric))}
	all := slices.Insert(slices.Clone(f.Trials), 0, f.base)
	for i, t := range all {
		row := []string{fmt.Sprint(i)}
		for _, x := range t.Vector {
			row = append(row, fmt.Sprint(x))
		}
		in := ""
		if n := cluster[t.Vector]; n > 0 {
			in = fmt.Sprint(n)
		}
		rows = append(rows, append(row, decimal.Number(t.Value), decimal.Number(t.Gain),
			fmt.Sprint(max(1, t.Equal)), fmt.Sprint(t.Round), in))
	}
	return input.WriteFileWith(filepath.Join(dir, "tune.csv"), func(w io.Writer) error {
		return csv.NewWriter(w).WriteAll(rows)
	})
}

// BestStudy returns the study of MC1x1 itself and of the best vectors, one for
// each of the n best different results. It draws the gain of the best vector by
// job size [Johnson et al. 2010, Figs. 9 and 10].
func (t *Tuner) BestStudy(found *Tuning, n int) *study.Study {
	st := t.with(append([]Vector{{}}, found.best(n)...))
	st.Name, st.Title = t.Study.Name+"-best", "What breaking ties gains by size of the jobs"
	base, best := fmt.Sprint(st.Axes[0].Values[0]), st.Axes[0].Values[1]
	st.Table = study.TableSpec{Metrics: []string{"sum_pairwise_distance"}, Relative: base}
	for _, f := range []study.Figure{
		{Name: "by-size", X: "size", XLabel: "processors of a job"},
		{Name: "by-rank", X: "rank", XLabel: "sizes of jobs, the most common first"},
	} {
		f.Kind, f.Series, f.Relative, f.Where = study.SizesKind, "allocator", base,
			map[string]any{"allocator": best}
		jobs := f
		f.Title, f.Metric, f.YLabel = "Improvement over "+base, "sum_pairwise_distance",
			"improvement (%)"
		jobs.Name, jobs.Title, jobs.Metric, jobs.YLabel, jobs.LogY = f.Name+"-jobs",
			"Number of jobs", "jobs", "jobs", true
		st.Figures = append(st.Figures, f, jobs)
	}
	return st
}
