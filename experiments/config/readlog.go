package config

import (
	"contend/internal/input"
	"contend/scheduler"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// ReadLog reads a log, or a workload of Batsim as such. A bad log is an *input.Error.
func ReadLog(path string, format scheduler.SWFFormat) (*scheduler.SWF, error) {
	if IsBatsim(path) {
		b, err := ReadBatsim(path)
		if err != nil {
			return nil, err
		}
		return &b.SWF, nil
	}
	l, err := format.Open(path)
	if err != nil {
		return nil, logError(path, err)
	}
	return l, nil
}

// IsBatsim reports whether a file is a workload of Batsim by its name.
func IsBatsim(path string) bool { return strings.HasSuffix(path, ".json") }

// logError returns the error of reading a log as an *input.Error.
func logError(path string, err error) error {
	var bad *input.Error
	switch {
	case errors.As(err, &bad):
		if bad.Key == "SWFFormat.NodesField" {
			bad.Key, bad.Right = "", fmt.Sprintf("%s, or --nodes-field of contend trace stats, names the "+
				"field that has the number of nodes, such as 20", FieldNodesField)
		}
		return bad
	case errors.Is(err, fs.ErrNotExist):
		return &input.MissingError{Trace: path, Tried: []string{"the place given"}}
	}
	return Refuse(err)
}

// ReadBatsim reads a workload of Batsim.
func ReadBatsim(path string) (*scheduler.Batsim, error) {
	b, err := scheduler.OpenBatsim(path)
	if err != nil {
		return nil, logError(path, err)
	}
	return b, nil
}
