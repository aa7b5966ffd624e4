package service

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"contend/internal/input"
)

// fault is the answer to a bad line.
type fault struct {
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// Answer returns the answer to a line, without an end of line. It reports whether the line was
// good; the answer to a bad line states the error, and nothing has changed.
func (v *Service) Answer(line []byte, number int) (text []byte, good bool) {
	r, err := readRequest(line)
	var a any
	if err == nil {
		a, err = v.do(r)
	}
	if err != nil {
		a = fault{number, input.Printable(err.Error())}
	}
	text = input.EncodeJSON(a)
	if r.id == nil {
		return text, err == nil
	}
	front := append([]byte(`{"id":`), r.id...)
	if len(text) > len("{}") {
		front = append(front, ',')
	}
	return append(front, text[1:]...), err == nil
}

// Serve answers line after line until the input ends. It writes each answer before it reads the
// next line, and skips empty lines. It answers bad lines too, and then returns an Error at the end
// of the input.
func (v *Service) Serve(in io.Reader, out io.Writer) error {
	max := 1<<20 + 16*v.plan.Machine.Nodes() // room for a list of all nodes
	lines := input.NewLineReader(in, max)
	for number, bad := 1, 0; ; number++ {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return badLines(bad, number-1)
		}
		good := false
		var text []byte
		if errors.Is(err, input.ErrLongLine) {
			text = input.EncodeJSON(fault{number, fmt.Sprintf("the line has more than %d bytes", max)})
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

// badLines returns the error of a service at its end, nil if all lines were good.
func badLines(bad, lines int) error {
	if bad == 0 {
		return nil
	}
	return &input.Error{
		Problem: fmt.Sprintf("%d of %d lines could not be answered", bad, lines),
		Right:   `their answers say why, under "error"`,
	}
}
