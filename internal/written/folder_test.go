package written

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"contend/internal/input"
	"contend/internal/must"
)

// text returns a function that writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// mustRefuse fails if an error is not one of the user's input.
func mustRefuse(t *testing.T, err error) {
	t.Helper()
	var bad *input.Error
	if !errors.As(err, &bad) {
		t.Errorf("the error is %v", err)
	}
}

// A folder knows its files by name and content, also when it is opened again, and sha256sum reads
// its record.
func TestFoldersKnowTheirFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	for _, content := range []string{"one", "two", "two", "one"} {
		f := In(dir)
		must.Do(f.WriteText("a", []byte(content)))
		must.Do(f.WriteText("figures/b c.svg", []byte("b"+content)))
		if got := string(must.Have(os.ReadFile(filepath.Join(dir, "a")))); got != content {
			t.Errorf("a is %q, want %q", got, content)
		}
	}
	f := In(dir)
	f.Save()
	if record := must.Have(os.ReadFile(f.Path(Record))); strings.Count(string(record), "\n") != 2 {
		t.Errorf("the record is\n%s", record)
	}
	if program, err := exec.LookPath("sha256sum"); err == nil {
		command := exec.Command(program, "--strict", "-c", Record)
		command.Dir = dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	must.Do(os.WriteFile(f.Path("a"), []byte("changed"), 0o600))
	must.Do(os.WriteFile(f.Path("mine"), []byte("mine"), 0o600))
	for _, name := range []string{"a", "mine"} {
		mustRefuse(t, f.WriteText(name, []byte("new")))
		must.Do(f.Remove(name)) // which leaves it
		if _, err := os.Stat(f.Path(name)); err != nil {
			t.Error(err)
		}
	}
	mustRefuse(t, f.Check("a", "restore it"))
	mustRefuse(t, f.CheckAll())
	must.Do(f.CheckAll("a"))
	must.Do(f.WriteText("mine", []byte("mine"))) // the same bytes
	f.Force, f.Reads = true, []string{f.Path("mine"), f.Path("other")}
	must.Do(os.WriteFile(f.Path("other"), nil, 0o600))
	must.Do(f.WriteText("a", []byte("new")))
	must.Do(f.WriteText("mine", []byte("new"))) // its own
	mustRefuse(t, f.WriteText("other", []byte("new")))
	must.Do(f.Remove("a"))
	if _, err := os.Stat(f.Path("a")); !os.IsNotExist(err) {
		t.Error("a file of its own is not removed")
	}
}

// Wherever a process is killed, the folder knows its files afterwards, and the file is the old one
// or the new one.
func TestKilledFoldersKnowTheirFiles(t *testing.T) {
	killed := errors.New("killed")
	dir := t.TempDir()
	f := In(dir)
	must.Do(f.WriteText("a", []byte("old")))
	before := must.Have(os.ReadFile(f.Path(Record)))
	// After the record has the new checksum and before the file has its name.
	err := replace(f.Path("a"), text("new"), func() (func(), error) {
		must.Have(f.add("a", strings.Repeat("0", 64)))()
		return nil, killed
	})
	if !errors.Is(err, killed) {
		t.Fatal(err)
	}
	after := must.Have(os.ReadFile(f.Path(Record)))
	for end := len(before); end <= len(after); end++ { // also in each byte of the line
		must.Do(os.WriteFile(f.Path(Record), after[:end], 0o600))
		for _, save := range []bool{false, true} {
			again := In(dir)
			if err := again.CheckAll(); err != nil {
				t.Fatalf("%d bytes: %v", end, err)
			}
			if save {
				again.Save()
				if got := must.Have(os.ReadFile(f.Path(Record))); string(got) != string(before) {
					t.Fatalf("%d bytes became\n%s", end, got)
				}
			}
		}
		again := In(dir)
		must.Do(again.WriteText("b", []byte("b"))) // appends behind what is left
		if own := must.Have(In(dir).Owns("b")); !own {
			t.Fatalf("%d bytes: b is not known", end)
		}
	}
	// A record behind a link is not written to.
	must.Do(os.Rename(f.Path(Record), f.Path("record")))
	must.Do(os.Symlink("record", f.Path(Record)))
	mustRefuse(t, In(dir).WriteText("a", []byte("new")))
	must.Do(os.Remove(f.Path(Record)))
	// A record of somebody else is not cut.
	foreign := []byte("some notes without an end")
	must.Do(os.WriteFile(f.Path(Record), foreign, 0o600))
	mustRefuse(t, In(dir).WriteText("a", []byte("new")))
	if got := must.Have(os.ReadFile(f.Path(Record))); string(got) != string(foreign) {
		t.Errorf("the record became %q", got)
	}
}

// Whatever byte of the record changes, the folder does not take a file that it has not written for
// its own, and says so about the one that it does not know any more.
func TestDamagedRecords(t *testing.T) {
	f := In(t.TempDir())
	must.Do(f.WriteText("spec.toml", []byte("spec")))
	whole := must.Have(os.ReadFile(f.Path(Record)))
	for i := range whole {
		for _, other := range []byte{whole[i] ^ 1, ' ', '\n', 0} {
			if other == whole[i] {
				continue
			}
			changed := slices.Clone(whole)
			changed[i] = other
			must.Do(os.WriteFile(f.Path(Record), changed, 0o600))
			again := In(f.Dir)
			mustRefuse(t, again.Check("spec.toml", "restore it"))
			mustRefuse(t, again.WriteText("spec.toml", []byte("other")))
		}
	}
}

// Several processes write into a folder, and one of them shortens the record all the time.
func TestFoldersHaveManyWriters(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			f := In(dir)
			for k := range 25 {
				name := string(rune('a'+i)) + "/" + string(rune('a'+k%5))
				if err := f.WriteText(name, []byte{byte(k)}); err != nil {
					t.Error(err)
				}
				f.Save()
			}
		})
	}
	group.Wait()
	f := In(dir)
	if names := f.Names(); len(names) != 20 {
		t.Errorf("the record has %v", names)
	}
	if err := f.CheckAll(); err != nil {
		t.Error(err)
	}
}

// A file has its mark, whatever the sizes of the pieces in which it is written, and any change of
// it is seen.
func TestMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		mark    Mark
		content string
	}{
		{Mark{Begin: "; sum ", End: "\n"}, "1 2 3\n4 5 6\n"}, {Mark{Begin: "; sum ", End: "\n"}, ""},
		{Mark{Begin: `,"sum":"`, End: "\"}\n", Closing: "}\n"}, "{\"a\":{}\n}\n"},
	} {
		for piece := 1; piece < 6; piece++ {
			os.Remove(path)
			f := File{Path: path, Flag: "-o", Mark: c.mark}
			for range 2 { // its own is replaced
				must.Do(f.Write(func(w io.Writer) error {
					for part := range slices.Chunk([]byte(c.content), piece) {
						must.Have(w.Write(part))
					}
					return nil
				}))
			}
			whole := must.Have(os.ReadFile(path))
			start := strings.TrimSuffix(c.content, c.mark.Closing) + c.mark.Begin
			if !strings.HasPrefix(string(whole), start) || !strings.HasSuffix(string(whole), c.mark.End) {
				t.Errorf("the file is %q", whole)
			}
			for i := range whole {
				changed := slices.Clone(whole)
				changed[i] ^= 1
				must.Do(os.WriteFile(path, changed, 0o600))
				mustRefuse(t, f.Check())
			}
			must.Do(os.WriteFile(path, whole[:len(whole)-1], 0o600))
			mustRefuse(t, f.Check())
		}
	}
}
