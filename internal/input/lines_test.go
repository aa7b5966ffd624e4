package input

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// Lines up to the limit are read whole, longer ones are skipped.
func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", 100000)
	r := NewLineReader(strings.NewReader("a\n"+long+"\nb\n"+long+long+"\nc\n"+long+long), 150000)
	for i, want := range []string{"a\n", long + "\n", "b\n", "", "c\n", ""} {
		got, err := r.Next()
		if want == "" && !errors.Is(err, ErrLongLine) || want != "" &&
			(err != nil || string(got) != want) {
			t.Fatalf("line %d: %d bytes, %v", i, len(got), err)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

// A line is one object, with keys that are known and values of their types.
func TestObject(t *testing.T) {
	for line, want := range map[string]string{
		`[1]`:              "not one JSON object: it is [1]",
		`null`:             "not one JSON object: it is null",
		`{"n":1} {}`:       "not one JSON object: the character '{', number 9",
		`{"n":1,"n":2}`:    `not one JSON object: the key "n" stands twice`,
		"{\"n\":\"\xff\"}": "it is not UTF-8",
		`{"N":1}`:          `unknown key "N": there are n`,
		`{"n":"1"}`:        `n is "1": give a number`,
		`{"n":null}`:       "",
		`{"n":1}`:          "",
	} {
		var n int
		o, err := ReadObject([]byte(line))
		if err == nil {
			err = o.Only("n")
		}
		if err == nil {
			err = o.Read("n", "a number", &n)
		}
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
