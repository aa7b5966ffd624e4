package metrics

// LengthRow is a row of lengths.csv: the part of traffic that has messages of one length.
type LengthRow struct {
	// Flits is the length of the messages.
	Flits int32
	// Created and Accepted are parts of the loads of the point, in flits per node and cycle.
	Created, Accepted float64
	// Latency, LatencyP50, LatencyP99, LatencyP999 and ZeroLoad are those of the packets of
	// these messages, in cycles. They are NaN if there are no such packets.
	Latency, LatencyP50, LatencyP99, LatencyP999, ZeroLoad float64
	// Packets is the number of these packets.
	Packets int64
}

// LengthTable is lengths.csv.
var LengthTable = withColumns(RowTable{Name: "lengths", Row: "length of messages",
	Key: []string{"message_flits"}, Wanted: func(x *Records) bool { return x.Lengths }},
	func(x *Records) []LengthRow { return x.LengthRows },
	integers("message_flits", "flits", "length of the messages",
		func(r *LengthRow) int32 { return r.Flits }),
	numbers("created_load", "flits/node/cycle", "their load created in the window",
		func(r *LengthRow) float64 { return r.Created }),
	numbers("accepted_load", "flits/node/cycle", "their load delivered in the window",
		func(r *LengthRow) float64 { return r.Accepted }),
	numbers("latency", "cycles",
		"mean over their packets created in the window, creation to delivery",
		func(r *LengthRow) float64 { return r.Latency }).orEmpty(),
	numbers("latency_p50", "cycles", "median of it",
		func(r *LengthRow) float64 { return r.LatencyP50 }).orEmpty(),
	numbers("latency_p99", "cycles", "99th percentile of it",
		func(r *LengthRow) float64 { return r.LatencyP99 }).orEmpty(),
	numbers("latency_p99_9", "cycles", "99.9th percentile of it",
		func(r *LengthRow) float64 { return r.LatencyP999 }).orEmpty(),
	numbers("idle_latency", "cycles",
		"mean latency of the same messages, each alone on the network",
		func(r *LengthRow) float64 { return r.ZeroLoad }).orEmpty(),
	integers("packets", "packets", "packets measured", func(r *LengthRow) int64 { return r.Packets }),
)
