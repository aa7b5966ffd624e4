package booksim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/formats/booksim"
	"contend/internal/story"
)

// read reads a configuration. Files that it names are in testdata.
func read(t *testing.T, text string) (*booksim.Config, error) {
	t.Helper()
	files, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "config")
	text = strings.ReplaceAll(text, "testdata", files)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return booksim.Read(path)
}

// TestConfigurations reads the configurations of testdata. A first line "show" has the keys, or
// their sections, that the story shows beside traffic, load, what is lost and what is noted.
func TestConfigurations(t *testing.T) {
	story.Run(t, "testdata/*.txt", func(t *testing.T, given []string) string {
		shown, is := strings.CutPrefix(given[0], "show ")
		if is {
			given = given[1:]
		}
		b, err := read(t, strings.Join(given, "\n"))
		if err != nil {
			_, text, _ := strings.Cut(err.Error(), "/config")
			return "config" + text
		}
		var out strings.Builder
		for _, k := range b.Keys {
			section, _, _ := strings.Cut(k[0], ".")
			if words := " " + shown + " "; strings.Contains(words, " "+section+" ") ||
				strings.Contains(words, " "+k[0]+" ") {
				fmt.Fprintf(&out, "%s = %s\n", k[0], k[1])
			}
		}
		fmt.Fprintf(&out, "%s at load %g\n", b.Traffic, b.Load)
		for _, text := range b.Lost {
			_, text, _ = strings.Cut(text, "/config")
			fmt.Fprintf(&out, "lost config%s\n", beginning(text))
		}
		for _, text := range b.Notes {
			_, text, _ = strings.Cut(text, "/config: ")
			fmt.Fprintf(&out, "note: %s\n", beginning(text))
		}
		return out.String()
	})
}

// beginning returns the first characters of a text.
func beginning(text string) string { return strings.TrimSpace(text[:min(len(text), 90)]) }
