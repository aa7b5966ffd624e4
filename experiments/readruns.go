package experiments

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/input"
	"contend/internal/written"
)

// runReader reads a file of runs: runs.jsonl or a shard. It skips an unfinished last line, which a
// killed program leaves behind. Any other line that a run cannot have written is an input.Error
// with file and line.
type runReader struct {
	path string
	// program is the one that has to have made all runs, "" for that of the first line.
	program string
	// right says what to do about runs of another program.
	right string
	// registry has the metrics that lines may name; nil stands for the built-in ones.
	registry *config.Registry
	// accept is called for every run, once.
	accept func(Record)

	seen map[RunKey]linePlace // the runs so far
}

// linePlace is the number of the line of a run, and its checksum.
type linePlace struct {
	line int
	sum  uint32
}

// readFile reads the file and returns the length in bytes of its whole lines.
func (in *runReader) readFile() (whole int64, err error) {
	file, err := input.Open(in.path, input.RunsLimits)
	if os.IsNotExist(err) {
		return 0, err
	}
	if err != nil {
		return 0, input.Unreadable(err, "move the file away: its runs will be made again")
	}
	defer file.Close()
	return in.read(input.RunsLimits.Reader(in.path, file))
}

// read reads the lines and returns the length in bytes of the whole ones.
func (in *runReader) read(from io.Reader) (whole int64, err error) {
	lines := input.NewLineReader(from, input.RunsLimits.Line+1)
	in.seen = map[RunKey]linePlace{}
	for n := 1; ; n++ {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return whole, nil
		}
		if err != nil {
			return 0, damagedRuns(err)
		}
		end := len(line) - 1
		if line[end] != '\n' { // torn, or else the last line would have an end
			return whole, nil
		}
		if err := in.readLine(line[:end], n); err != nil {
			return 0, err
		}
		whole += int64(end + 1)
	}
}

// deleteLine is the remedy for a line that is of no use.
const deleteLine = "delete the line: its run will be made again"

// readLine reads line n.
func (in *runReader) readLine(line []byte, n int) error {
	object, sum, err := written.CutSum(line)
	var r Record
	if err == nil {
		r, err = parseRecord(object)
	}
	if err == nil {
		err = hasKey(&r)
	}
	if err != nil {
		return in.lineError(n, fmt.Sprintf("the line is damaged, %v", err), deleteLine)
	}
	if in.program == "" {
		in.program = r.Version
	}
	if r.Version != in.program {
		return in.lineError(n, fmt.Sprintf("the run was made by another program (%s), not by %s",
			r.Version, in.program), in.right)
	}
	return in.checkRun(r, linePlace{n, sum})
}

// checkRun passes a run to accept, unless an equal line of the file has done so.
func (in *runReader) checkRun(r Record, at linePlace) error {
	if name, ok := r.Metrics.Foreign(in.registry); ok {
		problem := study.CheckMetric(name, "its metric", in.registry).Problem
		return in.lineError(at.line, problem+", which this program does not measure", deleteLine)
	}
	key := RunKey{r.Hash, r.Replication}
	switch old, ok := in.seen[key]; {
	case !ok:
		in.seen[key] = at
		in.accept(r)
	case old.sum != at.sum:
		const text = "the run %s, replication %d, has another result than in line %d"
		return in.lineError(at.line, fmt.Sprintf(text, r.Hash, r.Replication, old.line),
			"delete both lines: the run will be made again")
	}
	return nil
}

// lineError returns an error about line n.
func (in *runReader) lineError(n int, problem, right string) error {
	return &input.Error{Where: fmt.Sprintf("%s:%d:1", in.path, n), Problem: problem, Right: right}
}

// hasKey refuses a run whose hash or replication is impossible. File names begin with the hash.
func hasKey(r *Record) error {
	for _, c := range []byte(r.Hash) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return fmt.Errorf("%q is no hash of a spec", r.Hash)
		}
	}
	if r.Hash == "" || r.Replication < 0 {
		return fmt.Errorf("it is of replication %d of the spec %q", r.Replication, r.Hash)
	}
	return nil
}

// damagedRuns adds the remedy to an error about a line that is too long. It returns other errors
// unchanged.
func damagedRuns(err error) error {
	var bad *input.Error
	if errors.As(err, &bad) {
		return &input.Error{File: bad.File, Line: bad.Line, Problem: bad.Problem,
			Right: "the file is damaged: move it away, and its runs will be made again"}
	}
	return err
}

// NewRowReader returns a buffered reader with the limits of tables of rows; path
// names the file in errors.
func NewRowReader(path string, in io.Reader) io.Reader {
	return bufio.NewReader(input.RowsLimits.Reader(path, in))
}
