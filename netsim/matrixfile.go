package netsim

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
	"contend/router/topology"
)

// matrixLimits bound the file of a traffic matrix: a thousand nodes that all send to all.
var matrixLimits = input.Limits{Bytes: 64 << 20, Line: 256}

// matrixRight says what a file of weights is.
const matrixRight = "give a CSV file with the columns from, to and weight"

// matrixColumns are those of the file.
var matrixColumns = []string{"from", "to", "weight"}

// ReadMatrix reads the weights of matrix traffic from its file. It returns the digest of the file,
// and an error if the pattern has another one.
func ReadMatrix(p TrafficPattern) (m Matrix, digest string, err error) {
	path := p.File
	file, err := input.Open(path, matrixLimits)
	if err != nil {
		return nil, "", input.Unreadable(err, matrixRight)
	}
	defer file.Close()
	sum := sha256.New()
	in := csv.NewReader(io.TeeReader(matrixLimits.Reader(path, file), sum))
	if m, err = readFlows(path, in); err != nil {
		return nil, "", err
	}
	digest = fmt.Sprintf("%x", sum.Sum(nil))[:call.DigestDigits]
	if p.Digest != "" && p.Digest != digest {
		return nil, "", &input.Error{Where: path, Problem: fmt.Sprintf("the file has the digest %s, and "+
			"the traffic was given with %s", digest, p.Digest),
			Right: "find that file, or take the digest out"}
	}
	return m, digest, nil
}

// readFlows reads the lines of the file.
func readFlows(path string, in *csv.Reader) (Matrix, error) {
	in.ReuseRecord, in.FieldsPerRecord = true, len(matrixColumns)
	header, err := in.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, input.Unreadable(err, matrixRight)
	}
	if len(header) > 0 { // spreadsheets begin CSV files with a byte order mark
		header[0] = strings.TrimPrefix(header[0], "\ufeff")
	}
	if !slices.Equal(header, matrixColumns) {
		return nil, &input.Error{Where: path + ":1", Problem: "the header is missing",
			Right: "begin with the line from,to,weight"}
	}
	var m Matrix
	seen := map[[2]topology.Node]bool{}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return nil, badRecord(path, len(cells), err)
		}
		line, _ := in.FieldPos(0)
		f, bad := parseFlow(cells)
		if bad == nil && seen[[2]topology.Node{f.From, f.To}] {
			bad = input.Bad("", "give each pair once", "the pair %d, %d occurs twice", f.From, f.To)
		}
		if bad != nil {
			bad.Where = fmt.Sprintf("%s:%d", path, line)
			return nil, bad
		}
		seen[[2]topology.Node{f.From, f.To}] = true
		m = append(m, f)
	}
}

// badRecord is the error for a line that has another number of cells than the rows of the file.
func badRecord(path string, cells int, err error) *input.Error {
	bad := input.Unreadable(err, matrixRight)
	bad.Where = cmp.Or(bad.Where, path)
	if at := (*csv.ParseError)(nil); errors.As(err, &at) {
		bad.Where, bad.Problem = fmt.Sprintf("%s:%d", path, at.Line), at.Err.Error()
		if errors.Is(err, csv.ErrFieldCount) {
			bad.Problem = fmt.Sprintf("the line has %s, and the header 3", input.Plural(cells, "field"))
		}
	}
	return bad
}

// parseFlow reads a line.
func parseFlow(cells []string) (f Flow, bad *input.Error) {
	for i, to := range []*topology.Node{&f.From, &f.To} {
		n, err := strconv.ParseInt(cells[i], 10, 32)
		if err != nil || n < 0 {
			return f, input.Bad("", "give the number of a node, from 0", "%s is %q",
				matrixColumns[i], cells[i])
		}
		*to = topology.Node(n)
	}
	var err error
	f.Weight, err = strconv.ParseFloat(cells[2], 64)
	if err != nil || !(f.Weight >= 0) || math.IsInf(f.Weight, 0) {
		return f, input.Bad("", "give a number of at least 0", "weight is %q", cells[2])
	}
	return f, nil
}
