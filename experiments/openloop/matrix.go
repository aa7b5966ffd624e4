package openloop

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"contend/experiments/bounded"
	"contend/experiments/spec"
	"contend/netsim"
	"contend/netsim/topology"
)

// matrixLimits bound the file of a traffic matrix: a thousand nodes that all send to all.
var matrixLimits = bounded.Limits{Bytes: 64 << 20, Line: 256}

// matrixRight says what a file of weights is.
const matrixRight = "give a CSV file with the columns from, to and weight"

// matrixColumns are those of the file.
var matrixColumns = []string{"from", "to", "weight"}

// readMatrix reads the weights of matrix traffic.
func readMatrix(path string) (netsim.Matrix, error) {
	file, err := bounded.Open(path, matrixLimits)
	if err != nil {
		return nil, spec.Unreadable(err, matrixRight)
	}
	defer file.Close()
	in := csv.NewReader(matrixLimits.Reader(path, file))
	in.ReuseRecord, in.FieldsPerRecord = true, len(matrixColumns)
	header, err := in.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, spec.Unreadable(err, matrixRight)
	}
	if !slices.Equal(header, matrixColumns) {
		return nil, &spec.InputError{Where: path + ":1", Problem: "the header is missing",
			Right: "begin with the line from,to,weight"}
	}
	var m netsim.Matrix
	seen := map[[2]topology.Node]bool{}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			bad := spec.Unreadable(err, matrixRight)
			bad.Where = cmp.Or(bad.Where, path)
			return nil, bad
		}
		line, _ := in.FieldPos(0)
		f, bad := parseFlow(cells)
		if bad == nil && seen[[2]topology.Node{f.From, f.To}] {
			bad = spec.BadInput("", "give each pair once", "the pair %d, %d occurs twice", f.From, f.To)
		}
		if bad != nil {
			bad.Where = fmt.Sprintf("%s:%d", path, line)
			return nil, bad
		}
		seen[[2]topology.Node{f.From, f.To}] = true
		m = append(m, f)
	}
}

// parseFlow reads a line.
func parseFlow(cells []string) (f netsim.Flow, bad *spec.InputError) {
	for i, to := range []*topology.Node{&f.From, &f.To} {
		n, err := strconv.ParseInt(cells[i], 10, 32)
		if err != nil || n < 0 {
			return f, spec.BadInput("", "give the number of a node, from 0", "%s is %q",
				matrixColumns[i], cells[i])
		}
		*to = topology.Node(n)
	}
	var err error
	f.Weight, err = strconv.ParseFloat(cells[2], 64)
	if err != nil || !(f.Weight >= 0) || math.IsInf(f.Weight, 0) {
		return f, spec.BadInput("", "give a number of at least 0", "weight is %q", cells[2])
	}
	return f, nil
}
