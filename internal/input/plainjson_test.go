package input

import (
	"encoding/json"
	"strings"
	"testing"
)

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
