package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ServeLines answers line after line until the input ends. It writes each answer at once, so that
// a program may wait for it, and skips empty lines. It has bad lines answered too, and then returns
// an Error at the end of the input. The function answer gets the number of a line, from 1, and an
// error in place of a line of more than most bytes. It appends the answer and reports whether the
// line was good; its error ends the service.
func ServeLines(in io.Reader, out io.Writer, most int,
	answer func(dst, line []byte, number int, long error) (text []byte, good bool, err error),
) error {
	lines := NewLineReader(in, most)
	var text []byte
	bad := 0
	for number := 1; ; number++ {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return badLines(bad, number-1)
		}
		if errors.Is(err, ErrLongLine) {
			err = fmt.Errorf("the line has more than %d bytes", most)
		} else if err != nil {
			return err
		} else if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var good bool
		if text, good, err = answer(text[:0], line, number, err); err != nil {
			return err
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
	return &Error{
		Problem: fmt.Sprintf("%d of %d lines could not be answered", bad, lines),
		Right:   `their answers say why, under "error"`,
	}
}

// EncodeJSON returns a value as JSON. One that JSON cannot encode is a bug.
func EncodeJSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("input: a value that JSON cannot encode: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// DecodeStrictly decodes an object of JSON that has no unknown fields and that nothing follows.
func DecodeStrictly(text []byte, to any) error {
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	err := in.Decode(to)
	if err == nil && in.InputOffset() != int64(len(text)) {
		err = errors.New("something follows the object")
	}
	if err != nil {
		err = JSONProblem(text, err)
	}
	return err
}

// WithID returns an answer, a JSON object, with the id of its request in front. That of a request
// without one is nil.
func WithID(dst, id, answer []byte) []byte {
	if id == nil {
		return append(dst, answer...)
	}
	dst = append(append(dst, `{"id":`...), id...)
	if len(answer) > len("{}") {
		dst = append(dst, ',')
	}
	return append(dst, answer[1:]...)
}

// JobName returns the name of a job as JSON, which does not depend on how the line escapes it.
func JobName(key string, name []byte) (string, error) {
	var text any
	if err := json.Unmarshal(name, &text); err != nil {
		return "", err
	}
	switch text.(type) {
	case string:
		return string(EncodeJSON(text)), nil
	case float64:
		return string(name), nil
	}
	return "", fmt.Errorf("%s is %s: give the name of a job, a string or a number", key, name)
}

// ErrLongLine is the error of lineReader for a line that it skipped.
var ErrLongLine = errors.New("line too long")

// lineReader reads lines of any length up to a limit.
type lineReader struct {
	in   *bufio.Reader
	most int
	line []byte
}

func NewLineReader(in io.Reader, most int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 1<<16), most: most}
}

// More reports whether bytes of a further line have been read.
func (l *lineReader) More() bool { return l.in.Buffered() > 0 }

// Next returns the next line, which stays as it is until the next call; the
// last may do without an end of line. At the end it returns io.EOF.
func (l *lineReader) Next() ([]byte, error) {
	l.line = l.line[:0]
	long, some := false, false
	for {
		part, err := l.in.ReadSlice('\n')
		some = some || len(part) > 0
		if long = long || len(l.line)+len(part) > l.most; !long {
			l.line = append(l.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !(errors.Is(err, io.EOF) && some):
			return nil, err
		case long:
			return nil, ErrLongLine
		}
		return l.line, nil
	}
}
