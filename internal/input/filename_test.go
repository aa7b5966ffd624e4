package input

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

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
