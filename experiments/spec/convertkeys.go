package spec

// ConvertKeys lists the keys that change the lines of a log, for a log that is
// written again.
func ConvertKeys() []string {
	return []string{"workload.start", "workload.jobs", "workload.size_divisor",
		"workload.round_sizes", "workload.size_clamp", "workload.load_scale",
		"workload.work_multiple"}
}
