package shortform

import (
	"fmt"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	for call, want := range map[string]string{
		"page:2,snake":     "n=2 word=snake",
		"page:snake,2":     "n=2 word=snake",
		"page: word=row ,": `page has no parameter ""`,
		"page:n=3":         "n=3 word=",
		"page:word=x,n=":   `"" is no number`,
		"page":             "page needs n: give n (numbers)",
		"page:snake":       "page needs n",
		"page:":            "page has nothing after its colon: leave out the colon, or give parameters",
		"page:1,2":         `page has no parameter "2": there are n (numbers), word (snake, row)`,
		"page:1,n=2":       "page has the parameter n twice: give it once",
		"page:1,x=2":       `page has no parameter "x"`,
	} {
		n, word := "", ""
		err := Read(call, []Parameter{
			{Name: "n", Values: "numbers", Required: true, Set: func(text string) error {
				if n = text; text == "" {
					return fmt.Errorf("%q is no number", text)
				}
				return nil
			}, Bare: func(text string) bool { return strings.Trim(text, "0123456789") == "" && text != "" }},
			{Name: "word", Values: "snake, row", Set: func(text string) error { word = text; return nil },
				Bare: func(text string) bool { return text == "snake" || text == "row" }},
		})
		got := fmt.Sprintf("n=%s word=%s", n, word)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", call, got, want)
		}
	}
	const want = "mbs has no parameters: leave them out"
	if err := Read("mbs:2", nil); err == nil || err.Error() != want {
		t.Error(err)
	}
	if got := Write("page", []string{"2", "snake"}) + Write(" mbs", nil); got != "page:2,snake mbs" {
		t.Error(got)
	}
}
