package manual

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/decide"
	"contend/experiments/figure"
	"contend/experiments/openloop"
	"contend/experiments/report"
	"contend/experiments/tune"
)

// column says what a column holds. Its name comes from the package that writes
// the file.
type column struct{ name, unit, meaning string }

// file is one kind of file with a header.
type file struct {
	name, command, row string
	axes               bool     // columns of the axes' keys come first
	columns            []string // as the package that writes them has them
	about              []column
}

// run tells the runs of a study apart.
var run = column{"replication", "", "number of the replication, from 0"}

// unitOf is the meaning of a column that names a unit.
const unitOf = "unit of the values in the row, empty for a ratio"

// metricWords tell of the metric in the row.
var (
	metricName = column{"metric", "", "a [metric](metrics.md)"}
	metricUnit = column{"unit", "", unitOf}
)

func files() []file {
	return []file{
		{"summary.csv", "`contend run`, `tune`, `speedup`", "point and metric", true,
			report.SummaryColumns, []column{
				metricName, metricUnit,
				{"mean", "unit", "mean over the replications"},
				{"ci_half_width", "unit", "half the width of the confidence interval (`runs.confidence`); " +
					"empty with one replication"},
				{"replications", "runs", "replications that have this metric"},
				{"published", "unit", "the number a paper printed for this point, or empty"},
				{"ratio", "", "`mean` over `published`"},
				{"ci_low", "unit", "lower end of the interval, not below the least value the metric can have"},
				{"ci_high", "unit", "upper end of the interval"},
			}},
		{"runs.csv", "the same; `runs.parquet` has the same columns", "run and metric", true,
			report.RunColumns, []column{
				run, {"hash", "", "names the run's settings; the same in `runs.jsonl`"}, metricName, metricUnit,
				{"value", "unit", "the metric in this run"},
			}},
		{"jobs.csv", "`contend run --jobs-csv`", "job", true,
			append([]string{"replication"}, cosim.JobColumns()...), append([]column{run}, jobColumns...)},
		{"links.csv", "`contend run --links-csv`", "physical channel", true,
			append([]string{"replication"}, cosim.LinkColumns()...), append([]column{run}, linkColumns...)},
		{"series.csv", "`contend run --series-csv`", "bin of time", true,
			append([]string{"replication"}, cosim.SeriesColumns()...),
			append([]column{run}, seriesColumns...)},
		{"load.csv", "`contend run --series-csv`", "channel and bin of time in which it carried flits",
			true, append([]string{"replication"}, cosim.LoadColumns()...),
			append([]column{run}, loadColumns...)},
		{"waits.csv", "`contend run --waits-csv`",
			"pair of jobs of which one waited for the other, or job that waited for itself", true,
			append([]string{"replication"}, cosim.WaitColumns()...), append([]column{run}, waitColumns...)},
		{"break-even.csv", "`contend run`, of a study with `break_even`", "value compared", true,
			report.CrossingColumns, crossingColumns},
		{"comparison-KEY.csv", "`contend compare --by KEY`", "metric and pair of values of KEY; the " +
			"other axes come first", true,
			report.ComparisonColumns, comparisonColumns},
		{"figures/NAME.csv", "`contend run`, `plot`, `net`, `pattern --matrix`",
			"value drawn; the keys of the panels come first", false,
			append(slices.Clone(figure.Columns), "crossed"), []column{
				{"series", "", "line, group of bars or row of a matrix"},
				{"x", "of the abscissa", "category or position"},
				{"y", "of the ordinate", "value drawn"},
				{"y_low", "of the ordinate", "lower end of the interval, or empty"},
				{"y_high", "of the ordinate", "upper end of the interval, or empty"},
				{"published", "of the ordinate", "value a paper printed, or empty"},
				{"crossed", "", "only in figures that cross points out: whether this one is"},
			}},
		{"net.csv", "`contend net`", "load and replication", false, openloop.NetColumns, netColumns},
		{"tune.csv", "`contend tune`",
			"vector tried, the best first; row 0 is MC1x1 without tie-breaking", false,
			tune.Columns("METRIC"), tuneColumns},
		{"standard output", "`contend bench --csv`", "network, load and engine", false,
			openloop.BenchColumns, benchColumns},
	}
}

var jobColumns = []column{
	{"job", "", "number of the job"},
	{"submit", "time", "when it was submitted"},
	{"start", "time", "when it got its nodes"},
	{"end", "time", "when it gave them back"},
	{"processors", "nodes", "nodes it used"},
	{"reserved", "nodes", "nodes it was given, those it used included"},
	{"pattern", "", "who sent to whom; empty without a network"},
	{"messages", "messages", "messages delivered"},
	{"packets", "packets", "packets delivered"},
	{"latency", "cycles", "mean over packets, creation to delivery"},
	{"network_latency", "cycles", "mean over packets, injection of the header to delivery"},
	{"packet_blocking_time", "cycles", "mean over packets, time a ready header waited for a " +
		"channel or a slot"},
	{"foreign_blocking_time", "cycles", "the part of it in which another job held the channel"},
	{"mean_hops", "channels", "mean over packets, network channels crossed"},
	{"dispersal", "", "share of the bounding box that is not the job's"},
	{"weighted_dispersal", "nodes", "dispersal times nodes"},
	{"mean_pairwise_distance", "channels", "mean distance of two nodes used"},
	{"components", "", "connected pieces of the nodes used"},
	{"span_linear", "nodes", "ranks from the first to the last node in the allocator's order"},
	{"span_ring", "nodes", "the same with the order closed to a ring"},
	{"bounding_cube_ratio", "", "size of the bounding cube over that of the smallest possible one"},
	{"wait_time", "time", "`start` less `submit`"},
	{"service_time", "time", "`end` less `start`"},
	{"nodes", "", "the nodes it was given, in order of number as intervals: `0-15,32,40-47`"},
}

var linkColumns = []column{
	{"link", "", "number of the channel"},
	{"kind", "", "injection, network or ejection"},
	{"from_router", "", "router it leaves"},
	{"from_port", "", "output port there"},
	{"to_router", "", "router it enters"},
	{"to_port", "", "input port there"},
	{"node", "", "node of an injection or ejection channel"},
	{"flits", "flits", "flits carried"},
	{"utilization_percent", "%", "share of the run in which it carried flits"},
	{"held_cycles", "cycles", "time a packet held a virtual channel of it, summed over virtual " +
		"channels"},
	{"stalled_cycles", "cycles", "the part of it in which no flit was sent"},
	{"waited_own_cycles", "cycles", "time ready headers waited for it while a packet of their own " +
		"job held it"},
	{"waited_foreign_cycles", "cycles", "the same while a packet of another job held it"},
}

var seriesColumns = []column{
	{"time", "time", "when the bin begins, from the start of the run"},
	{"duration", "time", "how long it is; a run has at most 512 bins of equal length, the last " +
		"one cut at its end"},
	{"utilization_percent", "%", "mean share of the machine in use; over the bins that makes " +
		"`utilization`"},
	{"queue_jobs", "jobs", "mean number of jobs that waited"},
	{"running_jobs", "jobs", "mean number of jobs that ran"},
	{"free_components", "", "mean number of connected pieces of the free nodes; nodes of one router " +
		"are connected, and so are those of neighbouring routers"},
	{"link_utilization_percent", "%", "mean share of the bin in which a network channel carried " +
		"flits; empty without a network"},
	{"link_utilization_max_percent", "%", "the same of the channel that was busiest in the bin"},
}

var loadColumns = []column{
	{"time", "time", "when the bin begins"},
	{"duration", "time", "how long it is: 8 bins of `series.csv`, so a run has at most 64"},
	{"link", "", "number of the channel, as in `links.csv`"},
	{"utilization_percent", "%", "share of the bin in which it carried flits"},
}

var waitColumns = []column{
	{"job", "", "job whose ready headers waited"},
	{"for_job", "", "job whose packets held the virtual channel, or the job itself"},
	{"cycles", "cycles", "sum of the waits; over all rows it is that of `waited_own_cycles` and " +
		"`waited_foreign_cycles` in `links.csv`"},
}

var crossingColumns = []column{
	{"name", "", "title of the table (`break_even.name`)"},
	{"metric", "", "what has to become lower"},
	{"against", "", "what has to be beaten"},
	{"break_even", "of the key along", "least value from which on the metric is lower, up to the " +
		"end; `+Inf`: never. The column of the key along is empty"},
	{"first_tried", "of the key along", "the first value tried that is not below it"},
	{"ci_low", "of the key along", "lower end of the interval"},
	{"ci_high", "of the key along", "upper end of the interval"},
	{"published_low", "of the key along", "least break-even a paper gives, or empty"},
	{"published_high", "of the key along", "greatest break-even a paper gives, or empty"},
}

var comparisonColumns = []column{
	metricName, metricUnit,
	{"by", "", "the key compared"},
	{"a", "", "its first value"},
	{"b", "", "its second value"},
	{"pairs", "runs", "replications both have"},
	{"mean_a", "unit", "mean at the first value over these replications"},
	{"mean_b", "unit", "mean at the second value"},
	{"difference", "unit", "mean of the paired differences, first less second"},
	{"difference_ci_half_width", "unit", "half the width of its interval"},
	{"ratio", "", "`mean_a` over `mean_b`"},
	{"ratio_ci_half_width", "", "half the width of its interval"},
	{"p", "", "p-value of the paired test"},
	{"p_holm", "", "p-value adjusted by Holm's method for all pairs of the metric"},
	{"significant", "", "yes or no at the confidence of the study; empty without a test"},
	{"note", "", "why there is no test, or what limits it"},
}

var netColumns = []column{
	{"topology", "", "`machine.topology`"},
	{"dims", "", "its size, or the parameters of a topology of your own"},
	{"traffic", "", "traffic pattern"},
	{"offered_flits_per_node_cycle", "flits/node/cycle", "load asked for"},
	run,
	{"accepted_flits_per_node_cycle", "flits/node/cycle", "load delivered in the measurement window"},
	{"latency_mean", "cycles", "mean over packets created in the window, creation to delivery"},
	{"latency_p99", "cycles", "99th percentile of it"},
	{"network_latency_mean", "cycles", "mean, injection of the header to delivery"},
	{"blocking_mean", "cycles", "mean time a ready header waited"},
	{"packets", "packets", "packets measured"},
	{"mean_hops", "channels", "mean network channels crossed"},
	{"cycles", "cycles", "length of the whole simulation"},
	{"zero_load_latency", "cycles", "mean latency of the same messages, each alone on the network"},
	{"created_flits_per_node_cycle", "flits/node/cycle", "load created in the window"},
	{"accepted_half_width", "flits/node/cycle", "half the 95% interval of the accepted load, over " +
		"batches of the window"},
	{"latency_half_width", "cycles",
		"half the 95% interval of the latency, over batches of the window"},
	{"saturated", "", "true where less arrives than is created: by more than 1%, with a 95% " +
		"interval above 0"},
}

var tuneColumns = []column{
	{"rank", "", "from 1, the best first"},
	{"scan_radius", "shells", "SR of `mc1x1-tie`"},
	{"available", "", "AF, weight of free processors nearby"},
	{"wall", "", "WF, weight of walls"},
	{"border", "", "BF, weight of other jobs"},
	{"METRIC", "of the metric",
		"mean of the metric that is minimized (`--metric`), under its own name"},
	{"improvement_percent", "%", "by how much it is less than in row 0"},
	{"equal_results", "vectors", "vectors with the same results in every metric, this one included"},
	{"round", "", "round of the local search, 0 for the box"},
	{"cluster", "", "cluster of good vectors it belongs to, or empty"},
}

var benchColumns = []column{
	{"topology", "", "`machine.topology`"},
	{"dims", "", "its size, or the parameters of a topology of your own"},
	{"packet_flits", "flits", "length of a packet"},
	{"buffer_flits", "flits", "buffer of a virtual channel"},
	{"load_of_saturation", "", "offered load over the saturation load"},
	{"engine", "", "cycle or worm"},
	{"ns_per_flit_hop", "ns", "time of one flit sent over one channel"},
	{"flit_hops_per_second", "1/s", "its inverse"},
	{"cycles_per_second", "1/s", "simulated cycles in a second"},
	{"peak_bytes", "bytes", "memory of the network and of its source queues"},
}

// otherFiles have no columns.
var otherFiles = [][]string{
	{"`spec.toml`", "the study as resolved; `contend run spec.toml` repeats the run byte for byte"},
	{"`runs.jsonl`", "one JSON object for each finished run: the results that resuming and all " +
		"other files start from"},
	{"`table.md`, `table.tex`", "the table on standard output, as Markdown and LaTeX"},
	{"`figures/NAME.svg`, `.png`, `.pdf`, `.eps`", "the figures"},
	{"`figures/NAME.tex`", "the figure as a document of LaTeX (`contend plot --format pgf`)"},
	{"`figures/captions.md`, `captions.tex`", "a caption for each figure: what is drawn, on which " +
		"machine, from how many replications, and what the whiskers are"},
	{"`jobs.d/HASH-REPLICATION.swf`", "the schedule of a run in the Standard Workload Format " +
		"(`--jobs-csv`)"},
	{"`comparison-KEY.md`, `.tex`", "the printed comparison"},
	{"`report.html`", "all of it as one page that needs nothing from outside (`contend report`)"},
}

// columnsPage lists the columns of every file. It fails if a column has no description
// or a description has no column.
func columnsPage() (string, error) {
	var b strings.Builder
	b.WriteString(title("Columns of the files the program writes"))
	b.WriteString(numbers)
	for _, f := range files() {
		rows, err := f.rows()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n## %s\n\nWritten by %s.\nOne row for each %s.\n\n", f.name, f.command, f.row)
		table(&b, []string{"column", "unit", "meaning"}, rows)
	}
	b.WriteString("\n## Files without columns\n\n")
	table(&b, []string{"file", "holds"}, otherFiles)
	b.WriteString("\n" +
		"## Lines of contend allocate\n\n" +
		"A request is a JSON object on one line of standard input. Its answer is a JSON object on one\n" +
		"line of standard output.\n\n")
	nameTable(&b, "request", decide.RequestInfos())
	b.WriteString("\n")
	nameTable(&b, "answer", decide.AnswerInfos())
	return b.String(), nil
}

const numbers = "" +
	"The unit `time` is that of the run's clock: cycles when generated jobs send messages, seconds\n" +
	"with a log, and the workload's time units otherwise. `unit` stands for the unit in the column\n" +
	"of that name. AXES are the keys of the study's axes, one column each, in the order of the\n" +
	"study.\n\n" +
	"Numbers have no exponents. Integers are written as integers, times in seconds or cycles with\n" +
	"at most three decimals (three significant digits below 1), other numbers with at most nine\n" +
	"significant digits. A value that is not defined is empty. `runs.jsonl` and `runs.parquet` are\n" +
	"exact. In `runs.parquet` an axis is an `int64`, `double` or `boolean` column if its key is an\n" +
	"integer, a number or a boolean, else a string. Names are quoted as CSV requires and otherwise\n" +
	"unchanged. A spreadsheet takes a name that begins with `=`, `+`, `-` or `@` for a formula, so\n" +
	"import such a file as text.\n"

// rows are those of a file's table.
func (f *file) rows() (rows [][]string, err error) {
	if f.axes {
		rows = append(rows, []string{"AXES", "", "the point"})
	}
	for i, name := range f.columns {
		if i >= len(f.about) || f.about[i].name != name {
			return nil, fmt.Errorf("manual: %s: the column %s is not described in its place", f.name, name)
		}
		rows = append(rows, []string{code(name), f.about[i].unit, f.about[i].meaning})
	}
	if len(f.about) != len(f.columns) {
		return nil, fmt.Errorf("manual: %s: %d columns are described, %d written", f.name, len(f.about),
			len(f.columns))
	}
	return rows, nil
}
