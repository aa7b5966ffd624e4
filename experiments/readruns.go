package experiments

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"contend/experiments/bounded"
	"contend/experiments/spec"
)

// readRuns calls use for every line of runs.jsonl and returns the length in
// bytes of its whole lines. It leaves out a torn last line. Any other broken line
// is an InputError that names path and line.
func readRuns(path string, in io.Reader, use func(Record)) (whole int64, err error) {
	lines := spec.NewLineReader(in, bounded.Runs.Line+1)
	var before Record
	var broken error // the error of the line before
	for n := 1; ; n++ {
		line, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return whole, nil
		case err != nil:
			return 0, damagedRuns(err)
		case broken != nil:
			return 0, broken
		}
		switch r, err := parseRecord(line, &before); {
		case line[len(line)-1] != '\n':
			return whole, nil
		case err != nil:
			broken = &spec.InputError{Where: fmt.Sprintf("%s:%d:1", path, n),
				Problem: fmt.Sprintf("the line is damaged, %v", err),
				Right:   "delete the line: its run will be made again"}
		default:
			use(r)
			before = r
			whole += int64(len(line))
		}
	}
}

// damagedRuns returns the error for a line that no run can have written. Other
// errors pass unchanged.
func damagedRuns(err error) error {
	var bad *bounded.Error
	if errors.As(err, &bad) {
		return spec.Unreadable(&bounded.Error{File: bad.File, Line: bad.Line, Problem: bad.Problem,
			Right: "the file is damaged: move it away, and its runs will be made again"}, "")
	}
	return err
}

// NewRowReader returns a buffered reader with the limits of tables of rows; path
// names the file in errors.
func NewRowReader(path string, in io.Reader) io.Reader {
	return bufio.NewReader(bounded.Rows.Reader(path, in))
}
