package cosim

import (
	"contend/experiments/cosim/fastforward"
	"contend/experiments/cosim/metrics"
	"contend/experiments/cosim/traffic"
)

// Names of other rooms, for callers that do not import them.
type (
	Result           = metrics.Result
	Metric           = metrics.Metric
	Mean             = metrics.Mean
	MetricInfo       = metrics.MetricInfo
	Picker           = metrics.Picker
	PlacementMeter   = metrics.PlacementMeter
	PlacementQuality = metrics.PlacementQuality
	SizeMeans        = metrics.SizeMeans
	NetPoint         = traffic.Point
	NetCurve         = traffic.Curve
	NetClass         = traffic.Class
	ChannelLoad      = traffic.ChannelLoad
	IdleLatency      = traffic.IdleLatency
)

var (
	Builtin           = metrics.Builtin
	UnitOf            = metrics.UnitOf
	BoundsOf          = metrics.BoundsOf
	MetricInfos       = metrics.MetricInfos
	MetricsOf         = metrics.MetricsOf
	NewPicker         = metrics.NewPicker
	Units             = metrics.Units
	ClassOf           = metrics.ClassOf
	ForReaders        = metrics.ForReaders
	ParseNodes        = metrics.ParseNodes
	ParseResult       = metrics.ParseResult
	NewPlacementMeter = metrics.NewPlacementMeter
	JobTable          = metrics.JobTable
	JobColumns        = metrics.JobColumns
	LinkTable         = metrics.LinkTable
	LinkColumns       = metrics.LinkColumns
	SeriesTable       = metrics.SeriesTable
	SeriesColumns     = metrics.SeriesColumns
	LoadTable         = metrics.LoadTable
	LoadColumns       = metrics.LoadColumns
	WaitTable         = metrics.WaitTable
	WaitColumns       = metrics.WaitColumns
	SizeColumns       = metrics.SizeColumns
	Trusted           = fastforward.Trusted
	NewIdleLatency    = traffic.NewIdleLatency
	NewIdleLatencies  = traffic.NewIdleLatencies
	NewNetMeter       = traffic.NewMeter
	NewTraffic        = traffic.New
)

const (
	WithBoxes  = metrics.WithBoxes
	TreesOnly  = metrics.TreesOnly
	WithGroups = metrics.WithGroups
)
