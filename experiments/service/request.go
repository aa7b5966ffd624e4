package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"contend/internal/input"
)

// networkRequest is a line that has been read.
type networkRequest struct {
	verb string
	id   []byte
	line []byte                     // as it was
	keys map[string]json.RawMessage // all keys but id
}

// ownKeys are the keys of each kind of request beside its own.
var ownKeys = map[string][]string{
	"start":   {"nodes", "shape", "messages", "iterations", "cycles", "seed"},
	"advance": {"slowdown"},
	"end":     nil,
	"status":  {"slowdown"},
	"save":    nil,
	"load":    nil,
}

// verbs are the kinds of requests, as messages list them.
const verbs = "start, advance, end, status, save and load"

// jobKeys are the keys of [job] that a start takes: all that say what a job sends.
var jobKeys = []string{"pattern", "flits", "order", "repeat", "grid", "cycle", "bits", "bodies",
	"class", "bytes", "scale", "cut", "compute_cycles"}

// readRequest parses a line. The request has the id of the line even after an error.
func readRequest(line []byte) (*networkRequest, error) {
	r := &networkRequest{line: bytes.Clone(line)}
	if !utf8.Valid(line) {
		return r, errors.New("the line is not UTF-8")
	}
	err := input.CheckJSON(line)
	if err == nil && (json.Unmarshal(line, &r.keys) != nil || r.keys == nil) {
		err = errors.New(`it is no object: give one such as {"advance":1000}`)
	}
	if err != nil {
		return r, fmt.Errorf("the line is not a JSON object: %w", err)
	}
	r.id = r.keys["id"]
	delete(r.keys, "id")
	for key := range ownKeys {
		if r.keys[key] == nil {
			continue
		}
		if r.verb != "" {
			return r, fmt.Errorf("the line has several of %s: give one", verbs)
		}
		r.verb = key
	}
	if r.verb == "" {
		return r, fmt.Errorf("the line has none of %s: give one", verbs)
	}
	allowed := append([]string{r.verb}, ownKeys[r.verb]...)
	if r.verb == "start" {
		allowed = append(allowed, jobKeys...)
	}
	for _, key := range input.SortedKeys(r.keys) {
		if !slices.Contains(allowed, key) {
			return r, fmt.Errorf("the line has an unknown key %q: %s", key, input.OneOf(key, allowed))
		}
	}
	return r, nil
}

// read decodes a key, if the request has it. what says what the key should be.
func (r *networkRequest) read(key, what string, to any) error {
	text, has := r.keys[key]
	if !has {
		return nil
	}
	if err := json.Unmarshal(text, to); err != nil || bytes.Equal(text, []byte("null")) {
		return fmt.Errorf("%s is %s: give %s", key, shortened(text), what)
	}
	return nil
}

// count decodes a whole number from 1 on, if the request has it.
func (r *networkRequest) count(key string) (n int64, has bool, err error) {
	_, has = r.keys[key]
	n = 1
	err = r.read(key, fmt.Sprintf("a whole number from 1 to %d", int64(mostCount)), &n)
	if err == nil && (n < 1 || n > mostCount) {
		err = fmt.Errorf("%s is %d: give a whole number from 1 to %d", key, n, int64(mostCount))
	}
	return n, has, err
}

// mostCount bounds counts and cycles, so that sums of them fit.
const mostCount = 1 << 52

// value returns the value of a key of [job] as the TOML library would give it.
func value(text json.RawMessage) any {
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

// shortened returns a value as messages show it.
func shortened(text []byte) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(string(text[:60]), "") + "..."
	}
	return string(text)
}
