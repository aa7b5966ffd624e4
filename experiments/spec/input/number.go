package input

import (
	"contend/internal/decimal"
)

// The numbers in files are the package decimal's: integers as integers, times
// with at most three decimals, other numbers with at most nine significant
// digits, none with an exponent. Exceptions are runs.jsonl, runs.parquet and
// wide.parquet, which are exact, and TOML, which is read back.

// InUnit writes a number of the unit.
func InUnit(unit string, x float64) string {
	if IsTime(unit) {
		return decimal.Time(x)
	}
	return decimal.Number(x)
}

// AppendInUnit appends a number as InUnit writes it.
func AppendInUnit(to []byte, unit string, x float64) []byte {
	if IsTime(unit) {
		return decimal.AppendTime(to, x)
	}
	return decimal.AppendNumber(to, x)
}

// Signed writes a difference with its sign and four significant digits.
func Signed(x float64) string {
	if x >= 0 {
		return "+" + decimal.Significant(x, 4)
	}
	return decimal.Significant(x, 4)
}

// IsTime tells whether a unit is one of time. The time units of generated
// workloads are none: how long one is, the workload says.
func IsTime(unit string) bool { return unit == "s" || unit == "cycles" }

// ColumnUnit is the unit of a column of jobs.csv, as far as it is one of time;
// clock is that of the run's clock.
func ColumnUnit(column, clock string) string {
	switch column {
	case "submit", "start", "end", "wait_time", "service_time":
		return clock
	case "latency", "network_latency", "packet_blocking_time", "foreign_blocking_time":
		return "cycles"
	}
	return ""
}
