// Package metrics is what a run is measured by: the table of metrics with their units, the result
// of a run, and the collectors that make it.
//
// MetricInfos is the table. A Collector accumulates what the jobs of a run do and returns a
// Result; Records holds the rows that a run answers beside it: jobs, channels, waits, and what
// happened over time. A PlacementMeter measures where jobs are placed.
package metrics
