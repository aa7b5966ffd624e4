package scheduler

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"testing"
)

// A log of any bytes is read, or refused by an SWFError or as damaged gzip data. A log
// that was read and then written reads back as the same numbers.
func FuzzReadSWF(f *testing.F) {
	line := "1 0 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n"
	f.Add([]byte("; MaxProcs: 100\n" + line))
	f.Add([]byte(line + line))
	f.Add([]byte("\x1f\x8b\x08"))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(line))
	z.Close()
	f.Add(packed.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := ReadSWF("fuzz.swf", bytes.NewReader(text))
		var bad *SWFError
		if err != nil {
			if !errors.As(err, &bad) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		var b bytes.Buffer
		if err := WriteSWF(&b, l.Comments, l.Lines); err != nil {
			t.Fatal(err)
		}
		again, err := ReadSWF("again.swf", &b)
		if err != nil || len(again.Lines) != len(l.Lines) || len(again.Comments) != len(l.Comments) {
			t.Fatalf("%d lines became %v", len(l.Lines), err)
		}
		for i := range l.Lines {
			if again.Lines[i].Fields != l.Lines[i].Fields {
				t.Fatalf("line %d: %v became %v", i, l.Lines[i].Fields, again.Lines[i].Fields)
			}
		}
		for {
			j, err := l.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil || j.Size < 1 || j.Submit < 0 || j.RunTime < 0 {
				t.Fatalf("%+v, %v", j, err)
			}
		}
	})
}
