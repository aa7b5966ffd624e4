package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"contend/internal/input"
	"contend/internal/written"
	"contend/scheduler"
)

// savedEvent is a request that changed the state, and its cycle.
type savedEvent struct {
	At      int64           `json:"at"`
	Request json.RawMessage `json:"request"`
	Pattern string          `json:"pattern,omitempty"` // of start, with the digest of its file
}

// savedHeader is the first line of a saved state.
type savedHeader struct {
	// Network has the keys of the spec that are not at their defaults.
	Network string `json:"network"`
	Program string `json:"program"`
	Now     int64  `json:"now"`
	Events  int    `json:"events"`
}

// savedLimits bound the file of a state.
var savedLimits = input.Limits{Bytes: 4 << 30}

// save answers save: it writes the requests that made the state to a new file, each line with a
// checksum.
func (v *Service) save(r *request) (any, error) {
	name, err := v.fileName(r)
	if err != nil {
		return nil, err
	}
	s := v.state
	var text []byte
	add := func(line any) {
		object := written.JSON(line)
		text = append(text, written.AppendSum(object[:len(object)-1])...)
	}
	add(savedHeader{v.settings(), v.Program, s.cycle(), len(s.events)})
	for i := range s.events {
		add(&s.events[i])
	}
	if err := v.createFile(name, text); err != nil {
		return nil, err
	}
	return struct {
		Now   int64  `json:"now"`
		Saved string `json:"saved"`
	}{s.cycle(), name}, nil
}

// settings returns the keys of the service that are not at their defaults.
func (v *Service) settings() string {
	return strings.ReplaceAll(strings.TrimSpace(v.Base.Canonical()), "\n", "; ")
}

// load answers load: it replaces the state by that of a file, which it simulates again.
func (v *Service) load(r *request) (any, error) {
	path, err := v.fileName(r)
	if err != nil {
		return nil, err
	}
	text, err := v.readFile(path)
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
	}{v.state.cycle(), path, running}, nil
}

// replay carries out the requests of a saved state.
func (v *Service) replay(text []byte) error {
	lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	var head savedHeader
	if err := decodeLine(lines[0], &head); err != nil {
		return fmt.Errorf("line 1: %w: give a file that save has written", err)
	}
	switch settings := v.settings(); {
	case head.Network != settings:
		return fmt.Errorf("it is the state of a network with (%s), and this one has (%s): start "+
			"contend network with those settings", head.Network, settings)
	case head.Program != v.Program:
		return fmt.Errorf("it is of the program %s, and this one is %s: load it with that program",
			head.Program, v.Program)
	case head.Events != len(lines)-1:
		return fmt.Errorf("it has %d requests of %d: give a whole file", len(lines)-1, head.Events)
	}
	if err := v.openNetwork(); err != nil {
		return err
	}
	for i, line := range lines[1:] {
		var e savedEvent
		err := decodeLine(line, &e)
		if err == nil {
			err = v.replayEvent(e)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", i+2, err)
		}
	}
	return v.advanceTo(head.Now)
}

// decodeLine reads a line of a saved state.
func decodeLine(line []byte, to any) error {
	object, _, err := written.CutSum(line)
	if err != nil {
		return err
	}
	return input.DecodeStrictly(object, to)
}

// replayEvent carries out an event of a saved state.
func (v *Service) replayEvent(e savedEvent) error {
	r, err := readRequest(e.Request)
	if err == nil && !slices.Contains([]string{"free", "allocate", "start", "end"}, r.kind) {
		err = errors.New("the request changes nothing: give a file that save has written")
	}
	if err == nil {
		err = v.advanceTo(e.At)
	}
	if err == nil {
		_, err = v.carryOut(r)
	}
	if s := v.state; err == nil && r.kind == "start" && s.events[len(s.events)-1].Pattern != e.Pattern {
		return errors.New("the file of its pattern has changed: restore it")
	}
	return err
}

// advanceTo advances time to a cycle and removes the jobs that end.
func (v *Service) advanceTo(cycle int64) error {
	if cycle < v.state.cycle() || cycle > maxCount {
		return fmt.Errorf("it has cycle %d after %d: give a file that save has written", cycle,
			v.state.cycle())
	}
	for {
		list, err := v.state.advance(scheduler.Cycle(cycle))
		if err != nil {
			return err
		}
		for _, j := range list {
			v.state.removeJob(j)
		}
		if v.state.cycle() >= cycle {
			return nil
		}
	}
}

// checkInFolder refuses a file name that is not below the folder of the service.
func (v *Service) checkInFolder(what, name string) error {
	const right = "start contend network with --files FOLDER, and give a file below it"
	switch {
	case v.Files == nil:
		return fmt.Errorf("%s names a file, and this network has no folder: %s", what, right)
	case !filepath.IsLocal(name):
		return fmt.Errorf("%s is not below the folder of the network: %s", what, right)
	}
	return nil
}

// fileName reads the name of the file to save or to load.
func (v *Service) fileName(r *request) (name string, err error) {
	if err := r.Read(r.kind, "the name of a file", &name); err != nil {
		return "", err
	}
	if name == "" {
		return "", fmt.Errorf("%s is empty: give the name of a file", r.kind)
	}
	return name, v.checkInFolder(r.kind, name)
}

// patternFile returns the path of a file that the pattern of a request names.
func (v *Service) patternFile(name string) (string, *input.Error) {
	if err := v.checkInFolder("the file of the pattern", name); err != nil {
		return "", &input.Error{Problem: err.Error()}
	}
	// Some patterns name what several files begin with: then the folder has to be within. Patterns of
	// the registry open what they find through it; others are on their own behind these checks.
	for _, part := range []string{filepath.Dir(name), name} {
		info, err := v.Files.Stat(part)
		switch {
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return "", input.Bad("", "give a file below it",
				"the file of the pattern is behind a link that leads out of the folder of the network")
		case err == nil && !info.IsDir() && !info.Mode().IsRegular():
			return "", input.Bad("", "give a file", "%s is a pipe, device or socket", part)
		}
	}
	v.Names.ReadWithin(v.Files)
	return filepath.Join(v.Files.Name(), name), nil
}

// createFile writes a file that must not exist yet.
func (v *Service) createFile(name string, text []byte) (err error) {
	file, err := v.Files.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already: give a new name", name)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		v.Files.Remove(name)
	}
	return err
}

// readFile returns the text of a file, within the limits of saved states.
func (v *Service) readFile(name string) ([]byte, error) {
	// Opening a pipe would wait for its writer, so Stat comes first.
	if info, err := v.Files.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file that save has written", name)
	}
	file, err := v.Files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(savedLimits.Reader(name, file))
}
