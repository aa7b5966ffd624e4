package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// equivalentsFile has the faults that change no result, each as four lines with an empty one
// between: file and function, the line, the line with the fault, the reason.
const equivalentsFile = "cmd/mutate/equivalent.txt"

// readEquivalents returns the reasons by the names of the faults.
func readEquivalents(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	judged := map[string]string{}
	if len(text) == 0 {
		return judged, nil
	}
	for i, entry := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.Split(entry, "\n")
		if len(lines) != 4 {
			return nil, fmt.Errorf("%s: entry %d has %d lines, not 4: file and function, line, line with "+
				"the fault, reason", path, i+1, len(lines))
		}
		judged[strings.Join(lines[:3], "\n")] = lines[3]
	}
	return judged, nil
}

// tally counts what became of faults.
type tally struct {
	seed               uint64
	packages           []string
	caught, equivalent int
	survivors          []fault
}

func (t *tally) drawn() int { return t.caught + t.equivalent + len(t.survivors) }

// share returns the percentage of caught faults of those that a test can see.
func (t *tally) share() float64 {
	return 100 * float64(t.caught) / float64(max(1, t.caught+len(t.survivors)))
}

func (t *tally) figures() string {
	return fmt.Sprintf("Seed %d drew %d faults in %s: %d caught, %d equivalent, %d not seen. "+
		"Of those that are not equivalent %.0f%% are caught.",
		t.seed, t.drawn(), strings.Join(t.packages, ", "), t.caught, t.equivalent, len(t.survivors),
		t.share())
}

func (t *tally) print(w io.Writer) {
	if len(t.survivors) > 0 {
		fmt.Fprintln(w, "\nNot seen by a test:")
	}
	for i := range t.survivors {
		fmt.Fprintln(w, &t.survivors[i])
	}
	fmt.Fprintf(w, "\n%s\n", t.figures())
}

// Marks around what write writes.
var begins, ends = []byte("<!-- faults -->\n"), []byte("<!-- end of faults -->\n")

// write writes the figures into a page between its marks.
func (t *tally) write(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := bytes.Cut(text, begins)
	_, after, closed := bytes.Cut(rest, ends)
	if !found || !closed {
		return fmt.Errorf("%s lacks the lines %sand %s", path, begins, ends)
	}
	var b bytes.Buffer
	b.Write(before)
	b.Write(begins)
	fmt.Fprintf(&b, "%s\n", wrap(t.figures(), 120))
	if len(t.survivors) > 0 {
		fmt.Fprint(&b, "\n```diff\n")
		for i := range t.survivors {
			f := &t.survivors[i]
			fmt.Fprintf(&b, "%s %s\n- %s\n+ %s\n", f.file, f.function, f.before, f.after)
		}
		fmt.Fprint(&b, "```\n")
	}
	b.Write(ends)
	b.Write(after)
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// wrap breaks a text into lines of at most width bytes.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > width {
			b.WriteByte('\n')
			column = 0
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
