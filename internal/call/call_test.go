package call

import (
	"strings"
	"testing"
)

// page has a parameter of each kind but a text.
var page = []Parameter{
	{Name: "n", Type: Integer, Default: "1", Min: "1", Max: "9", Bare: true},
	{Name: "share", Type: Number, Default: "0.5", Above: "0", Below: "1"},
	{Name: "wide", Type: Boolean, Default: "false", Bare: true},
	{Name: "word", Type: Word, Default: "snake", Choices: []string{"snake", "row"}, Bare: true},
}

// Calls are read, and written in one way.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"page":                    "page:1",
		"page:2,row":              "page:2,row",
		"page:row,2":              "page:2,row",
		"page: word=row , n=3":    "page:3,row",
		"page:2,0.25,wide":        "page:2,share=0.25,wide",
		"page:wide=true,share=.5": "page:1,wide",
		"page:wide=false":         "page:1",
		"page:n=2.0":              "page:2",
		"page:word=x":             `page:word is "x": there are snake, row`,
		"page:":                   "page has nothing after its colon: leave out the colon, or give",
		"page:1,2":                "page:share is 2: give a number above 0 and below 1",
		"page:1,0.1,3":            `page has no parameter "3": there are n (from 1 to 9), share (above`,
		"page:1,n=2":              "page has the parameter n twice: give it once",
		"page:1,x=2":              `page has no parameter "x"`,
		"page:0":                  "page:n is 0: give an integer from 1 to 9",
		"page:n=x":                `page:n is the string "x": give an integer from 1 to 9`,
		"page:share=NaN":          "page:share is NaN: give a number above 0",
		"page:n=2;share=0.5": `page:n is the string "2;share=0.5": give an integer from 1 to 9; commas ` +
			"separate parameters",
		"page:wide=2": "page:wide is 2: give true or false",
		"page:2,":     `page has no parameter ""`,
	} {
		v, err := Parse(text, page)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || err == nil && got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if again, bad := Parse(got, page); err == nil && (bad != nil || again.String() != got) {
			t.Errorf("%s is read as %s, %v", got, again, bad)
		}
	}
	const want = "mbs has no parameters: leave them out"
	if _, err := Parse("mbs:2", nil); err == nil || err.Error() != want {
		t.Error(err)
	}
}

// A call has to name its file, and a text is all that stands behind the colon.
func TestFilesAndTexts(t *testing.T) {
	files := []Parameter{{Name: "file", Type: File}, {Name: "sha256", Type: Digest}}
	for text, want := range map[string]string{
		"goal:a/b.goal":             "goal:file=a/b.goal",
		"goal":                      "goal needs file: give file (file)",
		"goal:file=":                "goal:file is empty: give the name of a file",
		"goal:a;b":                  `"a;b" has one of the characters`,
		"goal:a,sha256=12":          `goal:sha256 is "12": give 16 hexadecimal digits`,
		"goal:a,0123456789abcdef":   `goal has no parameter "0123456789abcdef"`,
		"goal:a,sha256=" + digest16: "goal:file=a,sha256=" + digest16,
	} {
		v, err := Parse(text, files)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	command := []Parameter{{Name: "command", Type: Text, Read: func(text string) (string, error) {
		return strings.TrimSpace(text), nil
	}}}
	if v, err := Parse("exec: a b,c=d:e ", command); err != nil || v.String() != "exec:a b,c=d:e" {
		t.Error(v, err)
	}
}

const digest16 = "0123456789abcdef"

// Asking for what was not declared is a bug.
func TestValuesPanic(t *testing.T) {
	v, _ := Parse("page:2", page)
	if v.Int("n") != 2 || v.Float("share") != 0.5 || v.Bool("wide") || v.Word("word") != "snake" {
		t.Error(v)
	}
	for want, ask := range map[string]func(){
		"call: page has no parameter m":                      func() { v.Int("m") },
		"call: the parameter n of page has the type integer": func() { v.Bool("n") },
	} {
		func() {
			defer func() {
				if p := recover(); p != want {
					t.Errorf("%v, want %s", p, want)
				}
			}()
			ask()
		}()
	}
}
