package manual

import (
	"fmt"
	"slices"
	"strings"

	"contend/experiments/cosim"
	"contend/experiments/decide"
	"contend/experiments/export"
	"contend/experiments/figure"
	"contend/experiments/openloop"
	"contend/experiments/report/tables"
	"contend/experiments/tune"
	schema "contend/internal/table"
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

// metricColumn stands for the metrics of wide.csv.
var metricColumn = schema.Number.Column("METRIC", "of the metric",
	"a column for each [metric](metrics.md) that some run has, under its own name").OrEmpty()

// typed holds the columns of the files whose columns have types, behind the axes.
var typed = map[string][]schema.Column{
	"summary.csv": tables.SummaryColumns,
	"runs.csv":    export.RunColumns,
	"wide.csv":    append(slices.Clone(export.WideColumns), metricColumn),
	"jobs.csv":    append(export.RunColumns[:1:1], cosim.JobTable()...),
	"links.csv":   append(export.RunColumns[:1:1], cosim.LinkTable()...),
	"series.csv":  append(export.RunColumns[:1:1], cosim.SeriesTable()...),
	"load.csv":    append(export.RunColumns[:1:1], cosim.LoadTable()...),
	"waits.csv":   append(export.RunColumns[:1:1], cosim.WaitTable()...),
}

// unitOf is the meaning of a column that names a unit.
const unitOf = "unit of the values in the row, empty for a ratio"

// metricWords tell of the metric in the row.
var (
	metricName = column{"metric", "", "a [metric](metrics.md)"}
	metricUnit = column{"unit", "", unitOf}
)

func files() []file {
	return []file{
		{"summary.csv", "`contend run`, `tune`, `speedup`", "point and metric", true, nil, nil},
		{"runs.csv", "the same, and `runs.parquet`", "run and metric", true, nil, nil},
		{"wide.csv", "the same, and `wide.parquet`", "run", true, nil, nil},
		{"jobs.csv", "`contend run --jobs-csv`, and `jobs.parquet`", "job", true, nil, nil},
		{"links.csv", "`contend run --links-csv`", "physical channel", true, nil, nil},
		{"series.csv", "`contend run --series-csv`", "bin of time", true, nil, nil},
		{"load.csv", "`contend run --series-csv`", "channel and bin of time in which it carried flits",
			true, nil, nil},
		{"waits.csv", "`contend run --waits-csv`",
			"pair of jobs of which one waited for the other, or job that waited for itself", true,
			nil, nil},
		{"break-even.csv", "`contend run`, of a study with `break_even`", "value compared", true,
			tables.CrossingColumns, crossingColumns},
		{"classes.csv", "`contend run`, with `runs.size_classes`", "point, class of job sizes and " +
			"metric", true, tables.ClassColumns, classColumns},
		{"differences.csv", "`contend run`, of a study with `differences`", "two points compared; " +
			"the column of the axis compared is empty", true,
			tables.ComparisonColumns, comparisonColumns},
		{"comparison-KEY.csv", "`contend compare --by KEY`", "metric and pair of values of KEY; the " +
			"other axes come first", true,
			tables.ComparisonColumns, comparisonColumns},
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
		{"net.csv", "`contend net`", "load and replication", false,
			slices.Concat(openloop.NetColumns, openloop.NetUnitColumns), netColumns},
		{"net-classes.csv", "`contend net`, with `workload.message_lengths`", "load, replication and " +
			"length of messages", false, openloop.NetClassColumns, netClassColumns},
		{"NAME.csv", "`contend net --channel-map NAME.svg`", "physical channel", false,
			openloop.ChannelColumns, channelColumns},
		{"tune.csv", "`contend tune`",
			"vector tried, the best first; row 0 is MC1x1 without tie-breaking", false,
			tune.Columns("METRIC"), tuneColumns},
		{"standard output", "`contend bench --csv`", "network, load and engine", false,
			openloop.BenchColumns, benchColumns},
	}
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

var classColumns = []column{
	{"least_processors", "nodes", "smallest jobs of the class, a power of two"},
	{"most_processors", "nodes", "largest jobs of the class; empty for the last one, " +
		"which has no end"},
	{"metric", "", "a metric of all jobs, here of those of the class: jobs, wait_time, " +
		"response_time, service_time or bounded_slowdown"},
	metricUnit,
	{"mean", "unit", "mean over the replications that have such jobs"},
	{"ci_half_width", "unit", "half the width of the confidence interval; empty with one replication"},
	{"replications", "runs", "replications that have such jobs"},
	{"ci_low", "unit", "lower end of the interval, not below the least value the metric can have"},
	{"ci_high", "unit", "upper end of the interval"},
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
	{"latency_p50", "cycles", "median of the latency"},
	{"latency_p99_9", "cycles", "99.9th percentile of it"},
	{"saturated", "", "true where less arrives than is created: by more than 1%, with a 95% " +
		"interval above 0"},
	{"offered_gb_s", "GB/s", "load asked for, of a node; this and what follows with `network.cycle`"},
	{"accepted_gb_s", "GB/s", "load delivered, of a node"},
	{"latency_mean_ns", "ns", "`latency_mean`"},
	{"latency_p99_ns", "ns", "`latency_p99`"},
	{"zero_load_latency_ns", "ns", "`zero_load_latency`"},
}

var netClassColumns = []column{
	{"topology", "", "`machine.topology`"},
	{"dims", "", "as in net.csv"},
	{"traffic", "", "traffic pattern"},
	{"offered_flits_per_node_cycle", "flits/node/cycle", "load asked for, of all messages"},
	run,
	{"message_flits", "flits", "length of the messages"},
	{"created_flits_per_node_cycle", "flits/node/cycle", "their load created in the window"},
	{"accepted_flits_per_node_cycle", "flits/node/cycle", "their load delivered in the window"},
	{"latency_mean", "cycles", "mean over their packets created in the window, creation to delivery"},
	{"latency_p50", "cycles", "median of it"},
	{"latency_p99", "cycles", "99th percentile of it"},
	{"latency_p99_9", "cycles", "99.9th percentile of it"},
	{"packets", "packets", "packets measured"},
	{"zero_load_latency", "cycles", "mean latency of the same messages, each alone on the network"},
}

var channelColumns = []column{
	{"link", "", "number of the channel"},
	{"kind", "", "injection, network or ejection"},
	{"from_router", "", "router it comes from, or on which its node hangs"},
	{"from_port", "", "port of that router"},
	{"to_router", "", "router it leads to, or on which its node hangs"},
	{"to_port", "", "port of that router"},
	{"node", "", "node of an injection or ejection channel, or empty"},
	{"flits", "flits", "flits sent in the measurement window"},
	{"flits_per_cycle", "flits/cycle", "their number per cycle"},
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
		"other files start from; `crc32c` is the CRC-32C of the bytes of the line before that field"},
	{"`datapackage.json`", "the [schema](#schema) of the tables of runs, jobs, " +
		"channels, bins of time and waits"},
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
		header := []string{"column", "unit", "meaning"}
		if typed[f.name] != nil {
			header = []string{"column", "type", "unit", "meaning"}
		}
		table(&b, header, rows)
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
	"The unit `time` is that of the run's clock: cycles when generated jobs send messages,\n" +
	"seconds with a log, and the workload's time units otherwise. `unit` stands for the unit\n" +
	"in the column of that name. AXES are the keys of the study's axes, one column each, in\n" +
	"the order of the study.\n\n" +
	"Numbers have no exponents. Integers are written as integers, times in seconds or cycles\n" +
	"with at most three decimals (nine significant digits below 1), other numbers with at\n" +
	"most nine significant digits. A value that is not defined is empty. `runs.jsonl`,\n" +
	"`runs.parquet` and `wide.parquet` are exact; `jobs.parquet` has the values of\n" +
	"`jobs.csv`. Names are quoted as CSV requires and otherwise unchanged. A spreadsheet\n" +
	"takes a name that begins with `=`, `+`, `-` or `@` for a formula, so import such a file\n" +
	"as text.\n\n" +
	"## Schema\n\n" +
	"`datapackage.json` describes the tables below that have a column `type`, as a [Data\n" +
	"Package](https://datapackage.org): for every column its name, its type, its unit and its\n" +
	"meaning, and which columns identify a row. In its units the clock's unit takes the place\n" +
	"of `time`, unless points of the study have clocks of several units. An axis is an\n" +
	"`integer`, `number` or `boolean` if its key is an integer, a number or a boolean, else a\n" +
	"`string`; its unit is that of the key. `schema_version` grows when a column gets another\n" +
	"name, type, unit or meaning, or disappears; a new column leaves it as it is.\n\n" +
	"In Parquet the types are `INT64`, `DOUBLE`, `BOOLEAN` and `STRING`, and a cell that is\n" +
	"empty in CSV is null. The metadata of a Parquet file has `contend.schema_version`, the\n" +
	"name of the study in `contend.study`, and the columns with units and meanings as JSON in\n" +
	"`contend.schema`. Files have the same bytes whenever the results are the same.\n"

// rows are those of a file's table.
func (f *file) rows() (rows [][]string, err error) {
	if typed[f.name] != nil {
		return f.typedRows(), nil
	}
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

// typedRows are those of the table of a file whose columns have types.
func (f *file) typedRows() (rows [][]string) {
	if f.axes {
		rows = append(rows, []string{"AXES", "", "", "the point"})
	}
	for _, c := range typed[f.name] {
		kind := string(c.Type)
		if c.Nullable {
			kind += ", may be empty"
		}
		rows = append(rows, []string{code(c.Name), kind, c.Unit, c.Meaning})
	}
	return rows
}
