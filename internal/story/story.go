// Package story runs tests that are written as data files, in the manner of cockroachdb's
// datadriven. A file holds stories with an empty line between two of them:
//
//	# what the story shows, and its source
//	what is given, line by line
//	----
//	what happens, line by line
//
// With the flag -rewrite a test writes what happens into its files instead of comparing.
package story

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what happens into the stories")

// Run runs the stories of all files that match a pattern, such as testdata/*.txt, each file as a
// subtest. The function play returns what happens, given the lines before the dashes of a story.
func Run(t *testing.T, pattern string, play func(t *testing.T, given []string) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { run(t, file, play) })
	}
}

// run runs the stories of a file.
func run(t *testing.T, file string, play func(t *testing.T, given []string) string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var stories []string
	for s := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
		head, want, ok := strings.Cut(s+"\n", "\n----\n")
		if !ok {
			t.Fatalf("%s: a story without dashes:\n%s", file, s)
		}
		var given []string
		for line := range strings.SplitSeq(head, "\n") {
			if !strings.HasPrefix(line, "#") {
				given = append(given, line)
			}
		}
		got := strings.TrimSuffix(play(t, given), "\n") + "\n"
		if got != want && !*rewrite {
			t.Errorf("%s:\n%s\n----\nwant\n%sgot\n%s", file, head, want, got)
		}
		stories = append(stories, head+"\n----\n"+strings.TrimSuffix(got, "\n"))
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(strings.Join(stories, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
