package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"contend/internal/input"

	"contend/internal/linesum"
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
func (v *Network) save(r *networkRequest) (any, error) {
	name, err := v.file(r, "save")
	if err != nil {
		return nil, err
	}
	s := v.state
	var text []byte
	add := func(line any) {
		object := input.EncodeJSON(line)
		text = append(text, linesum.End(object[:len(object)-1])...)
	}
	add(saved{v.settings(), v.program, s.net.Now(), len(s.log)})
	for i := range s.log {
		add(&s.log[i])
	}
	if err := v.create(name, text); err != nil {
		return nil, err
	}
	return struct {
		Now   int64  `json:"now"`
		Saved string `json:"saved"`
	}{s.net.Now(), name}, nil
}

// settings returns the keys of the service that are not at their defaults.
func (v *Network) settings() string {
	return strings.ReplaceAll(strings.TrimSpace(v.base.Canonical()), "\n", "; ")
}

// load puts the state of a file in place of this one, by simulating it again.
func (v *Network) load(r *networkRequest) (any, error) {
	path, err := v.file(r, "load")
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
	for _, name := range keysOf(v.state.jobs) {
		running = append(running, json.RawMessage(name))
	}
	return struct {
		Now     int64             `json:"now"`
		Loaded  string            `json:"loaded"`
		Running []json.RawMessage `json:"running"`
	}{v.state.net.Now(), path, running}, nil
}

// replay simulates what a saved state has.
func (v *Network) replay(text []byte) error {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	var head saved
	if err := decodeLine(lines[0], &head); err != nil {
		return fmt.Errorf("line 1: %w: give a file that save has written", err)
	}
	switch own := v.settings(); {
	case head.Network != own:
		return fmt.Errorf("it is the state of a network with (%s), and this one has (%s): start "+
			"contend network with those settings", head.Network, own)
	case head.Program != v.program:
		return fmt.Errorf("it is of the program %s, and this one is %s: load it with that program",
			head.Program, v.program)
	case head.Events != len(lines)-1:
		return fmt.Errorf("it has %d requests of %d: give a whole file", len(lines)-1, head.Events)
	}
	for i, line := range lines[1:] {
		var e event
		err := decodeLine(line, &e)
		if err == nil {
			err = v.again(e)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	return v.passTo(head.Now)
}

// decodeLine reads a line of a saved state.
func decodeLine(line []byte, to any) error {
	object, _, err := linesum.Cut(line)
	if err != nil {
		return err
	}
	return input.DecodeStrictly(object, to)
}

// again carries out an event of a saved state.
func (v *Network) again(e event) error {
	r, err := readRequest(e.Request)
	if err == nil && r.verb != "start" && r.verb != "end" {
		err = errors.New("the request changes nothing: give a file that save has written")
	}
	if err == nil {
		err = v.passTo(e.At)
	}
	if err == nil {
		_, err = v.do(r)
	}
	return err
}

// passTo moves time on to a cycle. Jobs that end leave.
func (v *Network) passTo(cycle int64) error {
	if cycle < v.state.net.Now() || cycle > mostCount {
		return fmt.Errorf("it goes on at cycle %d after %d: give a file that save has written", cycle,
			v.state.net.Now())
	}
	for {
		list, err := v.state.advance(scheduler.Cycle(cycle))
		if err != nil {
			return err
		}
		for _, l := range list {
			v.state.leave(l.job)
		}
		if v.state.net.Now() >= cycle {
			return nil
		}
	}
}
