package scheduler

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// small is a log with a header, a comment among the jobs, an unknown estimate,
// and processors in field 8 only.
const small = "; Version: 2.2\r\n;MaxNodes: 50\n; MaxProcs: 100\n;  Note: a: b\n\n" +
	"  1  0 10 100.5 4 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1\r\n" +
	"; half-way\n" +
	"2\t5 -1 20 -1 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1\n" +
	"3 5 -1 0 1 -1 -1 1 60 -1 5 1 1 -1 -1 -1 -1 -1"

// readString reads a log from a text.
func readString(text string) (*SWF, error) {
	return ReadSWF("log.swf", strings.NewReader(text))
}

// line returns an SWF line with some fields, counted from 1, changed.
func line(change map[int]string) string {
	f := strings.Fields("1 0 10 100 4 -1 -1 4 200 -1 1 1 1 -1 -1 -1 -1 -1")
	for i, v := range change {
		f[i-1] = v
	}
	return strings.Join(f, " ") + "\n"
}

// packed compresses a text with gzip.
func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSWFGzip cuts a compressed log at every byte and changes each byte of its
// checksum.
func TestSWFGzip(t *testing.T) {
	data := packed(t, small)
	whole, err := ReadSWF("log.gz", bytes.NewReader(data))
	if err != nil || len(whole.Lines) != 3 {
		t.Fatalf("%v", err)
	}
	for n := 2; n < len(data); n++ {
		_, err := ReadSWF("log.gz", bytes.NewReader(data[:n]))
		if err == nil || !strings.HasSuffix(err.Error(),
			"the gzip data end here: the file is cut short") {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
	for i := len(data) - 8; i < len(data); i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		_, err := ReadSWF("log.gz", bytes.NewReader(bad))
		if err == nil || !strings.HasPrefix(err.Error(), "log.gz: the gzip data are damaged") {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
}

func TestOpenSWFErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenSWF(dir); err == nil || err.Error() != "trace "+dir+
		" is a directory: name one log in it, a .swf or .swf.gz file" {
		t.Errorf("directory: %v", err)
	}
	missing := filepath.Join(dir, "none.swf")
	if _, err := OpenSWF(missing); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), missing) {
		t.Errorf("missing: %v", err)
	}
}
