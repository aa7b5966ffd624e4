package input

import (
	"bufio"
	"errors"
	"io"
)

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
