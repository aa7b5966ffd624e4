package doctor

import (
	"cmp"
	"contend/experiments/spec/input"
	"fmt"
	"strings"
)

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
	fmt.Fprintf(&b, "folder   %s: %s\n", input.Printable(m.Folder), folder)
	return b.String()
}

// gigabytes returns a number of bytes in GB.
func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/1e9) }
