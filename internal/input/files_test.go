package input

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReaderStopsAtItsLimits(t *testing.T) {
	limits := Limits{Bytes: 20, Line: 5}
	for _, c := range []struct{ text, problem string }{
		{"12345\n12345\n", ""},
		{"12345\n123456\n", "x:2: the line is longer than 5 bytes: the file is damaged, or of another " +
			"kind"},
		{strings.Repeat("123\n", 5), ""},
		{strings.Repeat("123\n", 6), "x: holds more than 20 bytes: give less"},
	} {
		for _, step := range []int{1, 3, 100} {
			in := &slow{strings.NewReader(c.text), step}
			got, err := io.ReadAll(limits.Reader("x", in))
			if c.problem == "" && (err != nil || string(got) != c.text) {
				t.Errorf("%q by %d: %q, %v", c.text, step, got, err)
			}
			if c.problem != "" && (err == nil || err.Error() != c.problem) {
				t.Errorf("%q by %d: %v", c.text, step, err)
			}
		}
	}
}

// slow reads step bytes at a time.
type slow struct {
	in   io.Reader
	step int
}

func (s *slow) Read(p []byte) (int, error) { return s.in.Read(p[:min(len(p), s.step)]) }

func TestGunzipRefusesWhatUnfoldsWithoutEnd(t *testing.T) {
	packed := func(n int) *bytes.Buffer {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(bytes.Repeat([]byte("\n"), n))
		z.Close()
		return &b
	}
	for n, fine := range map[int]bool{plainBytes: true, plainBytes + 1<<20: false} {
		r, err := LogLimits.Gunzip("x", packed(n))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.Copy(io.Discard, r)
		var bad *Error
		if fine != (err == nil) || fine && got != int64(n) || !fine && !errors.As(err, &bad) {
			t.Errorf("%d bytes: %d, %v", n, got, err)
		}
	}
}

func TestOpenTakesFilesOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.WriteFile(path, []byte("123456"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadFile(path, Limits{Bytes: 6}); err != nil || string(text) != "123456" {
		t.Errorf("%q, %v", text, err)
	}
	var bad *Error
	for name, c := range map[string]Limits{path: {Bytes: 5}, dir: {Bytes: 5}, os.DevNull: {Bytes: 5}} {
		if _, err := ReadFile(name, c); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none"), StudyLimits); !os.IsNotExist(err) {
		t.Error(err)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{5: "5 bytes", 1 << 10: "1 KiB", 3 << 19: "1.5 MiB",
		1 << 30: "1 GiB", 1 << 52: "4096 TiB"} {
		if got := SizeText(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}
