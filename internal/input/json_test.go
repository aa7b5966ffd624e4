package input

import (
	"encoding/json"
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

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2,"c":[{"a":1},{"a":1}]},"c":"a\"b","d":["a","a"]}`: "",
		`[]`:                               "",
		`"a"`:                              "",
		`{"a":1,"a":2}`:                    `the key "a" stands twice in one object`,
		`{"b":{"a":1,"c":[1,{}],"a":2}}`:   `the key "a" stands twice`,
		`[{"a":1},{"b":[],"c":"}","b":1}]`: `the key "b" stands twice`,
		`{"a\"":1,"x":3,"a\"":2}`:          `the key "a\"" stands twice`,
		`{"` + strings.Repeat("x", 99) + `":1,"` + strings.Repeat("x", 99) + `":1}`: `xxx... stands`,
		``:                 "it ends in the middle of a value",
		`{"a":`:            "it ends in the middle of a value",
		`hello`:            `the character 'h', number 1, is not expected there`,
		`{"a":1,}`:         `the character '}', number 8, is not expected`,
		`{"a":1} {}`:       `the character '{', number 9, is not expected`,
		"{\"a\":\"\x01\"}": `the character '\x01', number 7`,
	} {
		switch err := CheckJSON([]byte(text)); {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestProblemOfAType(t *testing.T) {
	var to struct {
		N int `json:"n"`
	}
	for text, want := range map[string]string{`{"n":"x"}`: "n has a string as its value",
		`[1]`: "it is a array"} {
		err := json.Unmarshal([]byte(text), &to)
		if got := JSONProblem([]byte(text), err).Error(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Keys are found as encoding/json sees them: without a key that is twice, decoding and encoding
// again keeps their number.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{`{"a":1,"a":2}`, `{"a":[{"b":"\\"}],"c":{}}`, `"\"`, `{`, `[1,2]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := CheckJSON(text)
		if (err == nil) && !json.Valid(text) {
			t.Errorf("%q is not JSON", text)
		}
		var object map[string]json.RawMessage
		if err == nil && json.Unmarshal(text, &object) == nil && strings.Count(string(text), ":") <
			len(object) {
			t.Errorf("%q has %d keys", text, len(object))
		}
	})
}
