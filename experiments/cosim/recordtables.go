package cosim

import (
	"slices"

	"contend/internal/table"
)

// SeriesTable returns the columns of Extra.SeriesRows, with units as in JobTable.
func SeriesTable() []table.Column { return slices.Clone(seriesTable) }

// SeriesColumns returns the names of the columns of Extra.SeriesRows.
func SeriesColumns() []string { return table.Names(seriesTable) }

// LoadTable returns the columns of Extra.LoadRows, with units as in JobTable.
func LoadTable() []table.Column { return slices.Clone(loadTable) }

// LoadColumns returns the names of the columns of Extra.LoadRows.
func LoadColumns() []string { return table.Names(loadTable) }

// WaitTable returns the columns of Extra.WaitRows.
func WaitTable() []table.Column { return slices.Clone(waitTable) }

// WaitColumns returns the names of the columns of Extra.WaitRows.
func WaitColumns() []string { return table.Names(waitTable) }

var seriesTable = []table.Column{
	table.Number.Column("time", "time", "when the bin begins, from the start of the run"),
	table.Number.Column("duration", "time",
		"how long it is; a run has at most 512 bins of equal length, the last one cut at its end"),
	table.Number.Column("utilization_percent", "%",
		"mean share of the machine in use; over the bins that makes `utilization`").OrEmpty(),
	table.Number.Column("queue_jobs", "jobs", "mean number of jobs that waited").OrEmpty(),
	table.Number.Column("running_jobs", "jobs", "mean number of jobs that ran").OrEmpty(),
	table.Number.Column("free_components", "",
		"mean number of connected pieces of the free nodes; nodes of one router are connected, "+
			"and so are those of neighbouring routers").OrEmpty(),
	table.Number.Column("link_utilization_percent", "%",
		"mean share of the bin in which a network channel carried flits; empty without a network",
	).OrEmpty(),
	table.Number.Column("link_utilization_max_percent", "%",
		"the same of the channel that was busiest in the bin").OrEmpty(),
}

var loadTable = []table.Column{
	table.Number.Column("time", "time", "when the bin begins"),
	table.Number.Column("duration", "time",
		"how long it is: 8 bins of `series.csv`, so a run has at most 64"),
	table.Integer.Column("link", "", "number of the channel, as in `links.csv`"),
	table.Number.Column("utilization_percent", "%", "share of the bin in which it carried flits"),
}

var waitTable = []table.Column{
	table.Integer.Column("job", "", "job whose ready headers waited"),
	table.Integer.Column("for_job", "",
		"job whose packets held the virtual channel, or the job itself"),
	table.Integer.Column("cycles", "cycles",
		"sum of the waits; over all rows it is that of `waited_own_cycles` and "+
			"`waited_foreign_cycles` in `links.csv`"),
}
