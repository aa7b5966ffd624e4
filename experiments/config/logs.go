package config

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/bits"
	"strings"

	"contend/internal/input"
	"contend/scheduler"
)

// ReadLog reads a log, or a workload of Batsim as such. A bad log is an *input.Error.
func ReadLog(path string, format scheduler.SWFFormat) (*scheduler.SWF, error) {
	if IsBatsim(path) {
		b, err := ReadBatsim(path)
		if err != nil {
			return nil, err
		}
		return &b.SWF, nil
	}
	l, err := format.Open(path)
	if err != nil {
		return nil, logError(path, err)
	}
	return l, nil
}

// IsBatsim reports whether a file is a workload of Batsim by its name.
func IsBatsim(path string) bool { return strings.HasSuffix(path, ".json") }

// logError returns the error of reading a log as an *input.Error.
func logError(path string, err error) error {
	var bad *input.Error
	switch {
	case errors.As(err, &bad):
		if bad.Key == "SWFFormat.NodesField" {
			bad.Key, bad.Right = "", fmt.Sprintf("%s, or --nodes-field of contend trace stats, names the "+
				"field that has the number of nodes, such as 20", FieldNodesField)
		}
		return bad
	case errors.Is(err, fs.ErrNotExist):
		return &input.MissingError{Trace: path, Tried: []string{"the place given"}}
	}
	return Refuse(err)
}

// ReadBatsim reads a workload of Batsim.
func ReadBatsim(path string) (*scheduler.Batsim, error) {
	b, err := scheduler.OpenBatsim(path)
	if err != nil {
		return nil, logError(path, err)
	}
	return b, nil
}

// logSize is the size of a log's machine and the source of that number.
type logSize struct {
	processors int
	field      string // of the header; "" for the size of the largest job
}

// SizeOf returns the size of the machine of a log: MaxProcs of its header, else
// MaxNodes, else that of the largest job.
func SizeOf(l *scheduler.SWF) logSize {
	n, field := l.MachineSize()
	for l := l.Copy(); field == ""; {
		j, err := l.Next()
		if err != nil { // the end, of a log that has been read already
			break
		}
		n = max(n, j.Size)
	}
	return logSize{max(1, n), field}
}

// Dims returns machine.dims for the machine of a log: of mesh and torus the
// most nearly square rectangle of just as many routers, if its sides are at
// most 2:1, or else a nearly square one that holds as many.
func (z logSize) Dims(m *MachineSpec) []int {
	routers := (z.processors + m.Concentration - 1) / m.Concentration
	if m.Topology == "hypercube" {
		return []int{max(1, bits.Len(uint(routers-1)))}
	}
	width, height := nearSquare(routers)
	return []int{width, height}
}

// nearSquare returns the sides of the rectangle for n, the longer one first.
func nearSquare(n int) (width, height int) {
	root := int(math.Sqrt(float64(n)))
	for height = root; 2*height*height >= n; height-- {
		if n%height == 0 {
			return n / height, height
		}
	}
	if width = root; width*width < n {
		width++
	}
	return width, (n + width - 1) / width
}

// Sentence says which machine the program chose for a log, and why.
func (z logSize) Sentence(name string, m MachineSpec) string {
	m.Dims = z.Dims(&m)
	from := z.field + " of its header says"
	if z.field == "" {
		from = "its largest job asks for, as its header has neither MaxProcs nor MaxNodes"
	}
	s := fmt.Sprintf("%s: the machine is a %s, for the %d processors %s",
		input.BaseName(name), m.Phrase(), z.processors, from)
	nodes := m.Concentration
	for _, d := range m.Dims {
		if m.Topology == "hypercube" {
			d = 1 << d
		}
		nodes *= d
	}
	if more := nodes - z.processors; more > 0 {
		s += fmt.Sprintf("; it has %s more than the log's machine", input.Plural(more, "node"))
	}
	return s
}

// CheckLogMachine refuses to guess the sides if some routers carry no nodes.
func (m *MachineSpec) CheckLogMachine(name string) *input.Error {
	if len(m.ServiceRows) == 0 {
		return nil
	}
	return input.Bad("machine.dims", "give the routers along each dimension, such as [16, 17]",
		"machine.dims is not given, and the size of %s does not determine it with machine.service_rows",
		input.BaseName(name))
}
