package input

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contend/internal/must"
)

// Keys have places in all forms that TOML has for them.
func TestPlacesOfKeysOfAllForms(t *testing.T) {
	text := "# remark [not.a.table]\n" +
		"a = 1\n" +
		"\"b c\".d = 'x = [1]'\r\n" +
		"[t.u] # remark\n" +
		"  k = \"\"\"\nq = 2 # no key\n\\\"\"\"\" # five quotes\n" +
		"in = { x = 1, y = { z = [ 1, { w = 2 } ] } }\n" +
		"[[l]]\n" +
		"v = [\n  1, # one\n  2,\n]\n" +
		"[l.s]\nm = '''\n'''\n" +
		"[[l]]\n" +
		"v.n = 1979-05-27T07:32:00Z\n"
	type place struct {
		path         string
		line, column int
	}
	want := []place{
		{"a", 2, 1}, {"b c.d", 3, 1}, {"t.u", 4, 1}, {"t.u.k", 5, 3},
		{"t.u.in", 8, 1}, {"t.u.in.x", 8, 8}, {"t.u.in.y", 8, 15}, {"t.u.in.y.z", 8,
			21}, {"t.u.in.y.z[0]", 8, 27}, {"t.u.in.y.z[1]", 8, 30}, {"t.u.in.y.z[1].w", 8, 32},
		{"l[0]", 9, 1}, {"l[0].v", 10, 1}, {"l[0].v[0]", 11, 3}, {"l[0].v[1]", 12, 3},
		{"l[0].s", 14, 1}, {"l[0].s.m", 15, 1},
		{"l[1]", 17, 1}, {"l[1].v.n", 18, 1},
	}
	doc := must.Have(ReadTOML("x.toml", text))
	var got []place
	for path, at := range doc.Keys() {
		before := text[:at]
		got = append(got, place{string(path), 1 + strings.Count(before, "\n"),
			at - strings.LastIndexByte(before, '\n')})
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if at := doc.Place("l[0].v[7].unknown"); at != "x.toml:10:1" {
		t.Errorf("a missing element is at %s", at)
	}
}

// A text that would cost the library much is refused where it exceeds a limit. A text with an error
// before that has the library's message.
func TestLimitsOfTOML(t *testing.T) {
	long := strings.Repeat("k", 600)
	for text, want := range map[string]string{
		"a.b.c.d.e.f.g.h = 1": "",
		"a = 1\na.b.c.d.e.f.g.h.i = 1": "x:2:16: a key has more than 8 parts: " +
			"contend list keys shows all",
		"a = " + strings.Repeat("[", 16) + strings.Repeat("]", 16): "",
		"a = [ {b = " + strings.Repeat("[", 20): "x:1:26: lists and tables stand more than 16 deep " +
			"in each other: no key of a study needs that",
		long + " = { b = 1 }": "",
		"[" + long + "]\n " + long + " = 1": "x:2:2: a key with its tables has more than 1000 bytes: " +
			"give shorter keys",
		"a = 'A sentence.\nb = 1.2.3.4.5.6.7.8.9.10.11'": "x:1:17: strings cannot contain newlines",
	} {
		got := ""
		if _, err := ReadTOML("x", text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\n%s, want %s", text, got, want)
		}
	}
}

// bareKey matches a path whose keys need no quotes.
var bareKey = regexp.MustCompile(`^[a-z.\[\]0-9]+$`)

// leaves lists the paths of all values that are no tables.
func leaves(path string, value any) (list []string) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			list = append(list, leaves(Join(path, name), inner)...)
		}
	case []any:
		list = append(list, path)
		for i, inner := range v {
			list = append(list, leaves(fmt.Sprintf("%s[%d]", path, i), inner)...)
		}
	case []map[string]any:
		for i, inner := range v {
			list = append(list, leaves(fmt.Sprintf("%s[%d]", path, i), inner)...)
		}
	default:
		list = append(list, path)
	}
	return list
}

// The scan ends for every text, and finds each value that the library reads, once and in order.
func FuzzTOML(f *testing.F) {
	for _, text := range []string{"a = 1 # x\n[b.c]\n[[d]]\ne.\"f\" = [{g = 2},]\n", "a = [}",
		"a = \"\\", "[a", "'''", "a = {b", "a.", "a = '''\n''\n'''''", "\r\n= 1",
		"[[a.b]]\n[[a.b]]\n[a.b.c]\nd = [[1, 2], [{e = 1}]]\nf = 1979-05-27 07:32:00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := ReadTOML("x", text)
		if err != nil {
			return
		}
		places, last := map[string]int{}, -1
		for path, at := range doc.Keys() {
			if at <= last || at >= len(text) {
				t.Errorf("%s is at %d, behind %d of %d", path, at, last, len(text))
			}
			last = at
			if old, twice := places[string(path)]; twice && bareKey.Match(path) {
				t.Errorf("%s is at %d and %d", path, old, at)
			}
			places[string(path)] = at
		}
		for _, path := range leaves("", doc.Values) {
			if _, found := places[path]; !found && bareKey.MatchString(path) {
				t.Errorf("%s is not found", path)
			}
		}
	})
}
