package study

import (
	"fmt"
	"reflect"
	"strings"

	"contend/experiments/spec/input"
)

// Keys writes a Markdown table of the keys of a study's TOML outside of
// the sections of a spec.
func Keys(b *strings.Builder) {
	b.WriteString("\n| key | type | meaning |\n| --- | --- | --- |\n")
	eachStudyKey("", reflect.TypeFor[Study](), func(path, kind, doc string) {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", path, kind, doc)
	})
}

// eachStudyKey calls f for every key of a table, with its TOML type and meaning.
func eachStudyKey(prefix string, t reflect.Type, f func(path, kind, doc string)) {
	for _, field := range input.StudyFields(t) {
		path, kind, inner := input.Join(prefix, field.Tag.Get("key")), "", field.Type
		switch field.Type.Kind() {
		case reflect.Struct:
			kind = "table"
		case reflect.Slice:
			kind = "list"
			if inner = field.Type.Elem(); inner.Kind() == reflect.Struct {
				kind = "array of tables"
			}
		case reflect.Map:
			kind = "table of keys"
			if field.Name == "Labels" {
				kind = "table of strings"
			}
		case reflect.Bool:
			kind = "boolean"
		case reflect.Int:
			kind = "integer"
		case reflect.Float64:
			kind = "number"
		default:
			kind = "string"
		}
		f(path, kind, docOf(path))
		if inner.Kind() == reflect.Struct {
			eachStudyKey(path, inner, f)
		}
	}
}

// studyDocs holds the meaning of every key of a study's TOML outside of the
// sections of a spec, in the order in which the manual lists them.
// TestStudyDocs holds it against the fields of Study.
var studyDocs = []keyDoc{
	{"name", "name of the study and of its output folder"},
	{"title", "one line"},
	{"labels", "names to print in figures in place of values of axes, such as " +
		"`{ \"paging:0\" = \"Paging(0)\" }`; allocators, patterns and policies have names already"},
	{"cites", "the paper, table or figure that the study reproduces"},
	{"doc", "what the study does and why it is set up this way"},
	{"primary", "metrics that must reach `runs.max_relative_error`; default finish_time"},

	{"variants", "values of the axis variant, each of which may set several keys"},
	{"variants.name", "name of the variant in axes, tables and figures"},
	{"variants.set", "keys with their values; none: the base unchanged"},

	{"axes", "keys that vary: the points of the study are all combinations of their values"},
	{"axes.key", "any key that belongs to a run, a shorthand, or variant"},
	{"axes.values", "values of the axis"},

	{"overrides", "keys to set at some of the points"},
	{"overrides.when", "axis keys with a value, or a list of values"},
	{"overrides.set", "keys with their values"},

	{"quick", "what `--quick` changes"},
	{"quick.set", "keys with their values"},
	{"quick.axes", "axes that replace those of the same key"},
	{"quick.axes.key", "any key that belongs to a run, a shorthand, or variant"},
	{"quick.axes.values", "values of the axis"},
	{"quick.metrics", "columns of the table, in place of table.metrics"},

	{"table", "the table of results"},
	{"table.metrics", "columns; default the primary metrics"},
	{"table.keys", "keys whose values the table shows beside those of the axes"},
	{"table.relative_to", "a value of an axis, the last axis that has it: adds a column with the " +
		"first primary metric divided by its value there"},

	{"figures", "the figures"},
	{"figures.name", "file name, without folder and ending"},
	{"figures.title", "first sentence of the caption, in figures/captions.md and .tex"},
	{"figures.kind", "bars (points if the ordinate is logarithmic); lines; scatter: a mark for " +
		"each job of the first replication; sizes: the gain over relative_to by job size, in " +
		"percent, or with the metric jobs the number of jobs; break-even: from where something " +
		"pays, over x; map: who has which node; gantt: jobs over time; channel-load: the load of " +
		"channels on the machine; waits: whose packets waited for whose; series: a column of " +
		"series.csv over time; ecdf, box: the distribution of a column of jobs.csv"},
	{"figures.x", "axis key along the abscissa, or of the groups of bars; for sizes: size or " +
		"rank, by number of jobs; for scatter: a column of jobs.csv; for box: the groups; " +
		"for gantt: node for numbers of nodes in place of the allocator's order"},
	{"figures.series", "axis key that tells lines or bars apart; none: one line"},
	{"figures.panels", "axis keys: the figure has a panel for each combination of their values, " +
		"side by side with the same axes"},
	{"figures.metric", "metric along the ordinate; for break-even: break_even.name; for scatter, " +
		"ecdf and box: a column of jobs.csv; for series: of series.csv; for channel-load: of links.csv"},
	{"figures.relative_to", "value of the series, or of x without series, by which the metric is " +
		"divided; bars then begin " +
		"at 1, and that value is a line"},
	{"figures.gain", "with relative_to: draw by how many percent the metric is below its value " +
		"there"},
	{"figures.x_scale", "for lines and scatter: a factor for numbers along the abscissa, to " +
		"change their unit, which x_label then names; 0: none"},
	{"figures.series_scale", "a factor for names of lines or bars that are numbers; 0: none"},
	{"figures.processors", "for scatter: draw only jobs with this number of processors; 0: all"},
	{"figures.time", "for map: the moment to draw, in the unit of jobs.csv; 0: the first at which " +
		"most nodes are in use. For channel-load: draw the bin of load.csv at this time; 0: the " +
		"whole run"},
	{"figures.time_percent", "in place of time: the moment to draw, in percent of the time from the " +
		"start of the run to its end, more than 0 and less than 100; 0: as time says"},
	{"figures.job", "for map and gantt: the number of a job to mark; a map without time shows its " +
		"start; 0: none"},
	{"figures.where", "points to draw: axis keys with a value or a list of values"},
	{"figures.x_label", "label of the abscissa; the default is the name of x"},
	{"figures.y_label", "label of the ordinate; the default is the metric with its unit"},
	{"figures.log_x", "logarithmic abscissa"},
	{"figures.log_y", "logarithmic ordinate"},
	{"figures.published", "mark the published figures too"},
	{"figures.labels", "names to print, as in labels, for this figure"},
	{"figures.bands", "for lines: bands in place of whiskers"},
	{"figures.levels", "ordinates that a thin line marks"},
	{"figures.x_limits", "the two ends of an abscissa of numbers; none: from the data"},
	{"figures.y_limits", "the two ends of the ordinate; none: from the data"},
	{"figures.legend", "above, beside or none; default above, none for a single series"},
	{"figures.width_mm", "width in mm, 20 to 400; 0: 84, a column, or 174 for several panels"},
	{"figures.height_mm", "height in mm, 20 to 240; 0: by aspect"},
	{"figures.aspect", "height over width of the region of the data, 0.05 to 20; 0: 0.6"},

	{"break_even", "the value of a key from which something pays"},
	{"break_even.name", "title of the table"},
	{"break_even.metric", "metric that has to become lower"},
	{"break_even.along", "axis key of numbers, along which to search"},
	{"break_even.against", "label of among that has to be beaten"},
	{"break_even.among", "axis key whose values are compared; default allocator"},
	{"break_even.where", "points to compare: axis keys with a value or a list of values"},
	{"break_even.low", "least published break-even; low and high 0: none was published"},
	{"break_even.high", "greatest published break-even"},

	{"differences", "paired differences between the values of an axis and one of them, in table.md, " +
		"differences.csv and differences.tex"},
	{"differences.by", "axis key whose values are compared; default allocator"},
	{"differences.against", "value of that axis with which the others are compared"},
	{"differences.metric", "metric to compare; default the first primary metric"},
	{"differences.where", "points to compare: axis keys with a value or a list of values"},
	{"differences.within", "replications are added until the interval of each difference leaves out " +
		"0 or is at most this fraction of the mean of against on either side, judged from ten " +
		"replications on, up to `runs.max_replications`; looking again and again would find " +
		"differences that are not there, so the k-th look takes an error of the study's over k(k+1), " +
		"which sums up to the study's over all looks, and these intervals and p-values are what the " +
		"tables show; 0: none are added"},

	{"published", "figures that a paper printed for the same points"},
	{"published.file", "CSV file beside the study, or a built-in one"},
	{"published.csv", "the CSV itself"},
	{"published.program", "the program whose figures they are, if no paper printed them"},
	{"published.elsewhere", "rows that belong to another study: other rows are divided by them, " +
		"and they are neither judged nor counted here"},

	{"tolerances", "rules of contend compare"},
	{"tolerances.rule", "ratio: measured over published; difference: measured less published; " +
		"ranking: the measured values do not fall along a list, whatever is published; agreement: " +
		"the measured values are near those of a reference"},
	{"tolerances.metric", "metric to compare"},
	{"tolerances.within", "for ratio and difference: the largest distance of a cell from 1 or 0, " +
		"beside half a unit of the last digit printed and the error stated for it; for ranking: " +
		"the fraction by which a value may lie below the one before it; for agreement: by which it " +
		"may differ from the reference"},
	{"tolerances.interval", "for ratio and difference: half of the measured interval is added to " +
		"within"},
	{"tolerances.offset", "for ratio and difference: added to the published value first, where " +
		"its definition is known to differ by this much"},
	{"tolerances.relative_to", "for ratio: both values are first divided by the value at this " +
		"label of among; for agreement: the label of the reference"},
	{"tolerances.among", "for ranking, agreement and relative_to: the axis key; default the " +
		"last axis"},
	{"tolerances.ranking", "for ranking: labels of among, the one with the least value first"},
	{"tolerances.at_least", "number of cells, of groups for ranking, of cases for agreement, that " +
		"have to be within; default all published ones, run or not"},
	{"tolerances.where", "cells that the rule judges: axis keys with a value or a list of values"},
	{"tolerances.why", "source of the tolerance: the precision of the paper, not the results"},

	{"notes", "what differs from the paper, and why"},
	{"inputs", "logs and machines that a run chose where the study leaves them open; written by " +
		"the program"},
	{"changed", "flags that changed the study; written by the program"},
	{"selected", "flags that left out points; written by the program"},
}

// keyDoc is the meaning of one key.
type keyDoc struct{ path, doc string }

// docOf returns the meaning of a key, "" if it has none.
func docOf(path string) string {
	for _, d := range studyDocs {
		if d.path == path {
			return d.doc
		}
	}
	return ""
}
