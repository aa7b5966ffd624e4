package input

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"
)

// The edit distance against its recursive definition.
func TestDistance(t *testing.T) {
	var plain func(a, b string) int
	plain = func(a, b string) int {
		switch {
		case a == "" || b == "":
			return len(a) + len(b)
		case a[0] == b[0]:
			return plain(a[1:], b[1:])
		}
		return 1 + min(plain(a[1:], b), plain(a, b[1:]), plain(a[1:], b[1:]))
	}
	words := []string{"", "a", "ring", "rings", "sing", "fft", "ftf", "n-body", "nobody", "same"}
	for _, a := range words {
		for _, b := range words {
			if got, want := editDistance(a, b), plain(a, b); got != want {
				t.Errorf("editDistance(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// Whatever the names and the value are, a remedy is short, is text, and names something.
func TestListsOfNamesAreShort(t *testing.T) {
	long := func(n int, of string) (names []string) {
		for i := range n {
			names = append(names, fmt.Sprintf("exec:%d %s", i, strings.Repeat(of, 115)))
		}
		return names
	}
	short := make([]string, 500)
	for i := range short {
		short[i] = fmt.Sprint("name", i)
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{long(1, "a"), ""}, {long(3, "a"), ""}, {long(9, "ü"), " more"}, {long(10, "a"), " more"},
		{long(11, "語"), " more"}, {long(1, strings.Repeat("a", 1000)), ""},
		{short, "name9 and 490 more"}, {short[:3], "there are name0, name1, name2"}, {nil, ""},
		{[]string{"", strings.Repeat("\xff", 1000)}, ""},
	} {
		for _, value := range []string{"x", "", "name", strings.Repeat("a", 1000)} {
			text := Bad("", OneOf(value, c.names), "the value is %q", value).Error()
			if !strings.Contains(text, c.want) || utf8.RuneCountInString(text) > 1000 ||
				!utf8.ValidString(text) {
				t.Errorf("%q of %d names: %s", Shorten(value, 20), len(c.names), text)
			}
		}
	}
}

// Values are cut between characters, wherever quotes stand, and words between quotes are not.
func TestLongValuesAreCut(t *testing.T) {
	long, cut := strings.Repeat("ü", 130), strings.Repeat("ü", 60)+"..."
	for _, c := range []struct{ problem, want string }{
		{`the value is "` + long + `"`, `the value is "` + cut + `"`},
		{`"` + long + `" is no axis`, `"` + cut + `" is no axis`},
		{`the axis a has no value "` + long + `"`, `the axis a has no value "` + cut + `"`},
		{`"a" ` + long + ` "b"`, `"a" ` + long + ` "b"`},
	} {
		if got := Bad("", "", "%s", c.problem).Error(); got != c.want {
			t.Errorf("got %s", got)
		}
	}
	flag := Bad("", "", "no").By("--where allocator=" + long).Error()
	if want := "--where allocator=" + long[:2*102] + "...: no"; flag != want {
		t.Errorf("got %s, want %s", flag, want)
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"mbs":               "mbs",
		"a\x1b[31mb":        `a\x1b[31mb`,
		"a\nb\tc":           "a\nb\tc",
		"\xff\u202e\u0085é": `\xff\u202e\x85é`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got := (&Error{Problem: "a\nb\x00"}).Error(); got != `a\nb\x00` {
		t.Error(got)
	}
}

func TestNamesThatLeaveTheFolderAreRefused(t *testing.T) {
	for _, name := range []string{"", ".", "..", "...", " ", "a/b", "../a", "/a", `a\b`, "a\nb",
		strings.Repeat("a", 201)} {
		if CheckFileName(name, "name") == nil {
			t.Errorf("%q is taken", name)
		}
	}
	for _, name := range []string{"a", "a.b", "..a", "Größe 1", strings.Repeat("a", 200)} {
		if err := CheckFileName(name, "name"); err != nil {
			t.Error(err)
		}
	}
	if got := InFileName(`own:file=../a\b`); got != "own-file=..-a-b" {
		t.Error(got)
	}
}

// A file without permission is not called damaged.
func TestPermissionsAreNamed(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "out/spec.toml", Err: fs.ErrPermission}
	const want = "open out/spec.toml: permission denied: change the permissions of the file and of " +
		"its folders, or choose another"
	for _, err := range []error{Misplaced(errors.Join(denied)), Unreadable(denied, "move it away")} {
		if text := err.Error(); text != want {
			t.Errorf("got %s", text)
		}
	}
}

// A panic is described in one line, by the function that called panic.
func TestPanicErrorIsOneLine(t *testing.T) {
	var err *PanicError
	func() {
		defer func() { err = NewPanicError(recover()) }()
		panics()
	}()
	text := err.Error()
	where := "panic in " + module + "/internal/input.panics (error_test.go:"
	if !strings.HasPrefix(text, where) ||
		!strings.HasSuffix(text, `): two\nlines`) || !strings.Contains(err.Stack, "input.panics") {
		t.Errorf("got %s\n%s", text, err.Stack)
	}
}

func panics() { panic("two\nlines") }
