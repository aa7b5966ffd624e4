package doctor

import (
	"cmp"
	"fmt"
	"strings"

	"contend/experiments/spec"
)

// String returns one line, and a second one if the check failed.
func (o Outcome) String() string {
	word := "ok    "
	if !o.OK() {
		word = "FAILED"
	}
	text := fmt.Sprintf("%s  %-18s  %d %s, %s, %.1f s: %s\n", word, o.Check, o.Cases,
		cmp.Or(o.Unit, "cases"), cmp.Or(o.Worst, "not finished"), o.Seconds,
		cmp.Or(o.Compared, "nothing compared"))
	if !o.OK() {
		text += "        " + spec.Printable(o.Problem) + "\n"
	}
	return text
}

// String describes the machine in three lines.
func (m Machine) String() string {
	memory, folder := "unknown memory", "writable"
	if m.Memory > 0 {
		memory = gigabytes(m.Memory) + " of memory available"
	}
	if m.Unwritable != nil {
		folder = fmt.Sprintf("WARNING: not writable (%v)", m.Unwritable)
	}
	if m.Space >= 0 {
		folder += ", " + gigabytes(m.Space) + " free"
		if m.Space < 1e9 {
			folder += ", WARNING: little"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "program  %s, %s, %s\n", m.Program, m.Go, m.System)
	fmt.Fprintf(&b, "machine  %s, %d cores, %s\n", cmp.Or(m.CPU, "unknown processor"), m.Cores,
		memory)
	fmt.Fprintf(&b, "folder   %s: %s\n", spec.Printable(m.Folder), folder)
	return b.String()
}

// gigabytes returns a number of bytes in GB.
func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/1e9) }

// SpeedText states the speed of the engines here and in docs/BENCHMARKS.md.
func SpeedText(speeds []Speed) string {
	text := "speed    16x16 mesh, uniform traffic at half of saturation, packets of 8 flits, " +
		"one thread:\n"
	for _, s := range speeds {
		text += fmt.Sprintf("         %-5s engine: %.3g ns a flit-hop, "+
			"%.2f million cycles a second (%.3g ns on %s, docs/BENCHMARKS.md)\n",
			s.Engine, s.NsPerFlitHop, s.CyclesPerSecond/1e6, s.Noted, NotedOn)
	}
	return text
}
