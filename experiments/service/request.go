package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"contend/internal/input"
	"contend/internal/written"
)

// request is a line of a client.
type request struct {
	input.Object                 // its keys, except for id
	kind         string          // the key that names the request
	id           json.RawMessage // nil for none
	line         []byte          // as read, valid until the next line
}

// readRequest parses a line and checks its keys. Even after an error it returns the id of the line.
func readRequest(line []byte) (*request, error) {
	r := &request{line: line}
	var err error
	if r.Object, err = input.ReadObject(line); err != nil {
		return r, err
	}
	r.id = r.Object["id"]
	delete(r.Object, "id")
	var names, allowed []string
	for _, k := range Requests {
		names = append(names, k.Name)
		if _, has := r.Object[k.Name]; !has {
			continue
		}
		if r.kind != "" {
			return r, fmt.Errorf("both %s and %s: give one", r.kind, k.Name)
		}
		r.kind, allowed = k.Name, []string{k.Name}
		for _, b := range k.Beside {
			allowed = append(allowed, b.Name)
		}
	}
	if r.kind == "" {
		return r, fmt.Errorf("no request: give one of %s", strings.Join(names, ", "))
	}
	return r, r.Only(allowed...)
}

// readLength reads the length of a job: one of three keys, "" if there is none, and its value.
func (r *request) readLength() (key string, n int64, err error) {
	what := fmt.Sprintf("a whole number from 1 to %d", int64(maxCount))
	for _, k := range []string{"messages", "iterations", "cycles"} {
		if _, has := r.Object[k]; !has {
			continue
		}
		if key != "" {
			return key, n, errors.New("several of messages, iterations and cycles: give one")
		}
		key = k
		if err := r.Read(key, what, &n); err != nil {
			return key, n, err
		}
		if n < 1 || n > maxCount {
			return key, n, fmt.Errorf("%s is %d: give %s", key, n, what)
		}
	}
	return key, n, nil
}

// maxCount bounds counts and cycles, so that sums of them fit.
const maxCount = 1 << 52

// jobName returns the name of the job of a request as JSON, independent of how the line escapes it.
func (r *request) jobName() (string, error) {
	const what = "the name of a job, a string or a number"
	text := r.Object[r.kind]
	var name any
	if err := r.Read(r.kind, what, &name); err != nil { // a number without bounds
		return "", err
	}
	switch name.(type) {
	case string:
		return string(written.JSON(name)), nil
	case float64:
		return string(text), nil
	}
	return "", fmt.Errorf("%s is %s: give %s", r.kind, input.Shortened(text), what)
}

// keyValue converts a JSON value to the type that the TOML library would return for it.
func keyValue(text json.RawMessage) any {
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	var v any
	if in.Decode(&v) != nil {
		return nil
	}
	n, is := v.(json.Number)
	if !is {
		return v
	}
	if whole, err := n.Int64(); err == nil {
		return whole
	}
	x, _ := n.Float64()
	return x
}
