package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"contend/internal/input"
)

// request is a line that has been read.
type request struct {
	input.Object                 // all keys but id
	kind         string          // the key that names the request
	id           json.RawMessage // nil for none
	line         []byte          // as read
}

// readRequest reads a line. The request has the id of the line even after an error in its keys.
func readRequest(line []byte) (*request, error) {
	r := &request{line: bytes.Clone(line)}
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

// count reads a whole number from 1 on, if the request has it.
func (r *request) count(key string) (n int64, has bool, err error) {
	_, has = r.Object[key]
	what := fmt.Sprintf("a whole number from 1 to %d", int64(maxCount))
	n = 1
	err = r.Read(key, what, &n)
	if err == nil && (n < 1 || n > maxCount) {
		err = fmt.Errorf("%s is %d: give %s", key, n, what)
	}
	return n, has, err
}

// maxCount bounds counts and cycles, so that sums of them fit.
const maxCount = 1 << 52

// job returns the name of a job that the request is about, as JSON, which does not depend on how
// the line escapes it.
func (r *request) job() (string, error) {
	var name any
	if err := json.Unmarshal(r.Object[r.kind], &name); err != nil {
		return "", errors.New(r.kind + " is no name of a job")
	}
	switch name.(type) {
	case string:
		return string(input.EncodeJSON(name)), nil
	case float64:
		return string(r.Object[r.kind]), nil
	}
	return "", fmt.Errorf("%s is %s: give the name of a job, a string or a number", r.kind,
		r.Object[r.kind])
}

// keyValue returns the value of a key of [job] as the TOML library would give it.
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
