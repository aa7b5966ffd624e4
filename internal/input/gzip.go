package input

import (
	"compress/gzip"
	"io"
)

// No text of people or programs shrinks to a hundredth: logs shrink to a tenth, zeros
// to a thousandth. The limit does not apply to small files.
const (
	maxRatio   = 100      // of unpacked to packed bytes
	plainBytes = 16 << 20 // unpacked, up to which any ratio is allowed
)

// Gunzip returns a reader that unpacks gzip data within the limits. It refuses data
// that expand more than a hundredfold. Errors of the data are those of package gzip.
func (l Limits) Gunzip(name string, r io.Reader) (io.Reader, error) {
	packed := &byteCounter{in: r}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return l.Reader(name, &unpacker{in: z, packed: packed, name: name}), nil
}

// byteCounter counts the bytes that pass through a reader.
type byteCounter struct {
	in io.Reader
	n  int64
}

func (c *byteCounter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}

// unpacker refuses data that expand too much.
type unpacker struct {
	in     io.Reader // unpacks
	packed *byteCounter
	name   string // of the file, for errors
	n      int64  // bytes unpacked
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	if u.n += int64(n); u.n > plainBytes && u.n > maxRatio*u.packed.n {
		return 0, &Error{File: u.name,
			Problem: "unpacks to more than a hundred times its size, which no log does",
			Right:   "give one that was not made to fill memory"}
	}
	return n, err
}
