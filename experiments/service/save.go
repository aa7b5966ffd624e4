package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"contend/internal/input"
	"contend/scheduler"
)

// event is a request that changed the state, and the cycle of it.
type event struct {
	At      int64           `json:"at"`
	Request json.RawMessage `json:"request"`
}

// saved is the first line of a saved state.
type saved struct {
	// Network are the keys of the spec that are not at their defaults.
	Network string `json:"network"`
	Program string `json:"program"`
	Now     int64  `json:"now"`
	Events  int    `json:"events"`
}

// savedLimits bound the file of a state.
var savedLimits = input.Limits{Bytes: 4 << 30}

// save writes the requests that made the state into a new file, each line with a checksum.
func (v *Service) save(r *request) (any, error) {
	name, err := v.file(r)
	if err != nil {
		return nil, err
	}
	s := v.state
	var text []byte
	add := func(line any) {
		object := input.EncodeJSON(line)
		text = append(text, input.AppendSum(object[:len(object)-1])...)
	}
	add(saved{v.settings(), v.Program, s.now(), len(s.log)})
	for i := range s.log {
		add(&s.log[i])
	}
	if err := v.create(name, text); err != nil {
		return nil, err
	}
	return struct {
		Now   int64  `json:"now"`
		Saved string `json:"saved"`
	}{s.now(), name}, nil
}

// settings returns the keys of the service that are not at their defaults.
func (v *Service) settings() string {
	return strings.ReplaceAll(strings.TrimSpace(v.Base.Canonical()), "\n", "; ")
}

// load puts the state of a file in place of this one, by simulating it again.
func (v *Service) load(r *request) (any, error) {
	path, err := v.file(r)
	if err != nil {
		return nil, err
	}
	text, err := v.read(path)
	if err != nil {
		return nil, err
	}
	before := v.state
	if v.state, err = v.newState(); err == nil {
		err = v.replay(text)
	}
	if err != nil {
		v.state = before
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	running := []json.RawMessage{}
	for _, name := range namesOf(v.state.jobs) {
		running = append(running, json.RawMessage(name))
	}
	return struct {
		Now     int64             `json:"now"`
		Loaded  string            `json:"loaded"`
		Running []json.RawMessage `json:"running"`
	}{v.state.now(), path, running}, nil
}

// replay carries out the requests of a saved state.
func (v *Service) replay(text []byte) error {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	var head saved
	if err := decodeLine(lines[0], &head); err != nil {
		return fmt.Errorf("line 1: %w: give a file that save has written", err)
	}
	switch own := v.settings(); {
	case head.Network != own:
		return fmt.Errorf("it is the state of a network with (%s), and this one has (%s): start "+
			"contend network with those settings", head.Network, own)
	case head.Program != v.Program:
		return fmt.Errorf("it is of the program %s, and this one is %s: load it with that program",
			head.Program, v.Program)
	case head.Events != len(lines)-1:
		return fmt.Errorf("it has %d requests of %d: give a whole file", len(lines)-1, head.Events)
	}
	if err := v.open(); err != nil {
		return err
	}
	for i, line := range lines[1:] {
		var e event
		err := decodeLine(line, &e)
		if err == nil {
			err = v.repeat(e)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	return v.advanceTo(head.Now)
}

// decodeLine reads a line of a saved state.
func decodeLine(line []byte, to any) error {
	object, _, err := input.CutSum(line)
	if err != nil {
		return err
	}
	return input.DecodeStrictly(object, to)
}

// repeat carries out an event of a saved state.
func (v *Service) repeat(e event) error {
	r, err := readRequest(e.Request)
	if err == nil && !slices.Contains([]string{"free", "allocate", "start", "end"}, r.kind) {
		err = errors.New("the request changes nothing: give a file that save has written")
	}
	if err == nil {
		err = v.advanceTo(e.At)
	}
	if err == nil {
		_, err = v.do(r)
	}
	return err
}

// advanceTo advances time to a cycle. Jobs that end leave.
func (v *Service) advanceTo(cycle int64) error {
	if cycle < v.state.now() || cycle > maxCount {
		return fmt.Errorf("it has cycle %d after %d: give a file that save has written", cycle,
			v.state.now())
	}
	for {
		list, err := v.state.advance(scheduler.Cycle(cycle))
		if err != nil {
			return err
		}
		for _, j := range list {
			v.state.leave(j)
		}
		if v.state.now() >= cycle {
			return nil
		}
	}
}
