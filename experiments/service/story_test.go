package service

import (
	"fmt"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/experiments/sim"
	"contend/internal/must"
	"contend/internal/story"
)

// TestStories plays the dialogs of testdata. A line that begins with "service" makes a service of
// the keys that follow as KEY=JSON; with the word "files" it has the folder of the story. Each
// other line is a request.
func TestStories(t *testing.T) { story.Run(t, "testdata/*.txt", answers) }

// answers returns the answers to the requests of a story. A request that is refused must leave the
// status as it was.
func answers(t *testing.T, given []string) string {
	folder := folderOf(t)
	var v *Service
	var text strings.Builder
	for i, line := range given {
		if strings.HasPrefix(line, "service") {
			c := configOf(t, strings.Fields(line)[1:])
			if strings.HasPrefix(line, "service files") {
				c.Files = folder
			}
			v = must.Have(New(new(sim.Simulator), c))
			continue
		}
		before, _ := v.Answer([]byte(`{"status":true}`), 1)
		answer, good := v.Answer([]byte(line), i+1)
		fmt.Fprintf(&text, "%s\n", answer)
		if after, _ := v.Answer([]byte(`{"status":true}`), 1); !good && string(after) != string(before) {
			t.Errorf("the refused request %s changes %s to %s", line, before, after)
		}
	}
	return text.String()
}

// configOf returns the configuration of a service with keys as KEY=JSON.
func configOf(t *testing.T, words []string) Config {
	names := config.Builtin()
	c := Config{Names: names, Program: "test"}
	s := config.Defaults()
	for _, word := range words {
		key, value, _ := strings.Cut(word, "=")
		switch {
		case key == "files":
		case key == "allocator":
			call, bad := names.CanonicalAllocator(strings.Trim(value, `"`))
			if c.Allocator = call; bad != nil {
				t.Fatal(bad)
			}
		default:
			if bad := s.Assign(key, keyValue([]byte(value))); bad != nil {
				t.Fatal(bad)
			}
		}
	}
	c.Base = s.Spec
	return c
}
