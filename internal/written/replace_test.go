package written

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestFilesAppearWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	write := func(text string, end error) func(io.Writer) error {
		return func(w io.Writer) error {
			io.WriteString(w, text)
			return end
		}
	}
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	full := errors.New("disk full")
	for _, c := range []struct {
		path, text string
		err        error
		want       string
	}{
		{path, "half", full, ""}, {path, "one", nil, "one"}, {path, "half", full, "one"},
		{link, "half", full, "one"},
	} {
		if err := ReplaceWith(c.path, write(c.text, c.err)); !errors.Is(err, c.err) {
			t.Errorf("%+v: %v", c, err)
		}
		if got, _ := os.ReadFile(path); string(got) != c.want {
			t.Errorf("%+v: the file holds %q", c, got)
		}
	}
	if to, err := os.Readlink(link); err != nil || to != "file" {
		t.Errorf("the link is %q, %v", to, err)
	}
	if err := ReplaceWith(link, write("two", nil)); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link was followed: %v, %v", info.Mode(), err)
	}
	if got, _ := os.ReadFile(path); string(got) != "one" {
		t.Errorf("the target of the link holds %q", got)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := ReplaceWith(filepath.Join(dir, "folder"), write("x", nil)); err == nil {
		t.Error("a folder was replaced")
	}
	if err := ReplaceWith(os.DevNull, write("x", nil)); err == nil {
		t.Error("a device was replaced")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 3 {
		t.Errorf("left behind: %v", entries)
	}
}
