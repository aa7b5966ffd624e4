package cli

import "io"

// output is standard output that remembers the first error of a write, so that a command whose
// results were lost, on a full disk for example, fails.
type output struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}
