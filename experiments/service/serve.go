package service

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"contend/internal/input"
	"contend/internal/written"
)

// errorAnswer is the answer to a bad line.
type errorAnswer struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// Answer returns the answer to a line, without an end of line, and reports whether the line was
// good. The answer to a bad line states the error; the state has not changed.
func (v *Service) Answer(line []byte, number int) (text []byte, good bool) {
	r, err := readRequest(line)
	var a any
	if err == nil {
		a, err = v.carryOut(r)
	}
	if err != nil {
		a = errorAnswer{number, input.Printable(err.Error())}
	}
	text = written.JSON(a)
	if r.id == nil {
		return text, err == nil
	}
	front := append([]byte(`{"id":`), r.id...)
	if len(text) > len("{}") {
		front = append(front, ',')
	}
	return append(front, text[1:]...), err == nil
}

// Serve answers lines until the input ends. It writes each answer before it reads the next line,
// and skips empty lines. After bad lines, which it answers too, it returns an input.Error at the
// end.
func (v *Service) Serve(in io.Reader, out io.Writer) error {
	max := 1<<20 + 16*v.plan.Machine.Nodes() // room for a list of all nodes
	lines := input.NewLineReader(in, max)
	for number, bad := 1, 0; ; number++ {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return badLinesError(bad, number-1)
		}
		good := false
		var text []byte
		if errors.Is(err, input.ErrLongLine) {
			text = written.JSON(errorAnswer{number, fmt.Sprintf("the line has more than %d bytes", max)})
		} else if err != nil {
			return err
		} else if len(bytes.TrimSpace(line)) == 0 {
			continue
		} else if text, good = v.Answer(line, number); v.Life.Err() != nil {
			return v.Life.Err()
		}
		if _, err := out.Write(append(text, '\n')); err != nil {
			return err
		}
		if !good {
			bad++
		}
	}
}

// badLinesError returns the error for bad lines at the end of the input, nil if all were good.
func badLinesError(bad, lines int) error {
	if bad == 0 {
		return nil
	}
	return &input.Error{
		Problem: fmt.Sprintf("%d of %d lines could not be answered", bad, lines),
		Right:   `their answers say why, under "error"`,
	}
}
