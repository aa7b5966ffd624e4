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
	"time"

	"github.com/google/go-cmp/cmp"

	"contend/internal/must"
)

// small is a log with a header, a comment among the jobs, an unknown estimate,
// and processors in field 8 only.
const small = "; Version: 2.2\r\n;MaxNodes: 50\n; MaxProcs: 100\n;  Note: a: b\n\n" +
	"  1  0 10 100.5 4 -1 -1 8 200 -1 1 1 1 -1 -1 -1 -1 -1\r\n" +
	"; half-way\n" +
	"2\t5 -1 20 -1 -1 -1 8 -1 -1 1 1 1 -1 -1 -1 -1 -1\n" +
	"3 5 -1 0 1 -1 -1 1 60 -1 5 1 1 -1 -1 -1 -1 -1"

func readString(text string) (*SWF, error) {
	return ReadSWF("log.swf", strings.NewReader(text))
}

func TestReadSWF(t *testing.T) {
	l := must.Have(readString(small))
	jobs := must.Have(ReadAll(l))
	for i := range jobs {
		if jobs[i].SWF != &l.Lines[i].Fields {
			t.Errorf("job %d does not point to its line", jobs[i].ID)
		}
		jobs[i].SWF = nil
	}
	want := []Job{
		{ID: 1, Line: 6, Submit: 0, RunTime: 100.5, Estimate: 200, Size: 4},
		{ID: 2, Line: 8, Submit: 5, RunTime: 20, Estimate: 20, NoEstimate: true, Size: 8},
		{ID: 3, Line: 9, Submit: 5, RunTime: 0, Estimate: 60, Size: 1},
	}
	if d := cmp.Diff(want, jobs); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"; Version: 2.2", ";MaxNodes: 50", "; MaxProcs: 100", ";  Note: a: b",
		"; half-way"}, l.Comments); d != "" {
		t.Errorf("comments, -want +got:\n%s", d)
	}
	if n, ok := l.Processors(); n != 100 || !ok {
		t.Errorf("%d processors, %v", n, ok)
	}
	if note, ok := l.Field("NOTE"); note != "a: b" || !ok {
		t.Errorf("note %q, %v", note, ok)
	}
	if _, ok := l.Field("Computer"); ok {
		t.Error("a field that is not there was found")
	}
	if again, err := ReadAll(l.Copy()); len(again) != 3 || err != nil {
		t.Errorf("the copy has %d jobs, error %v", len(again), err)
	}
	if len(l.Warnings) != 0 {
		t.Errorf("warnings %q", l.Warnings)
	}
}

// line returns an SWF line with some fields, counted from 1, changed.
func line(change map[int]string) string {
	f := strings.Fields("1 0 10 100 4 -1 -1 4 200 -1 1 1 1 -1 -1 -1 -1 -1")
	for i, v := range change {
		f[i-1] = v
	}
	return strings.Join(f, " ") + "\n"
}

func TestSWFErrors(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"17 fields", ";x\n" + line(map[int]string{18: ""}),
			"log.swf:2: 17 fields: a line of an SWF log has 18"},
		{"19 fields", line(map[int]string{18: "-1 -1"}),
			"log.swf:1: 19 fields: a line of an SWF log has 18"},
		{"one field", "12\n",
			"log.swf:1: 1 field: a line of an SWF log has 18"},
		{"a line cut short", line(nil) + "2 10 10 100",
			"log.swf:2: 4 fields: a line of an SWF log has 18; the file ends in this line without a line " +
				"end, so it may be cut short"},
		{"MaxProcs", "; MaxProcs: abc\n1 0 -1 5 4 -1 -1 4 5 -1 1 1 1 1 1 1 -1 -1\n",
			`log.swf:1: the header field MaxProcs is "abc": it should be a number, which a remark may follow`},
		{"text", "\n" + line(map[int]string{4: "12x"}),
			`log.swf:2:4: field 4 (run time) is "12x": it should be a number, or -1 where unknown`},
		{"long text", line(map[int]string{14: strings.Repeat("ab", 50)}),
			`log.swf:1:14: field 14 (executable) is "abababababababababababababababababababab": it ` +
				`should be a number, or -1 where unknown`},
		{"NaN", line(map[int]string{2: "NaN"}),
			`log.swf:1:2: field 2 (submit time) is "NaN": it should be a number, or -1 where unknown`},
		{"infinity", line(map[int]string{9: "+Inf"}),
			`log.swf:1:9: field 9 (requested time) is "+Inf": it should be a number, or -1 where unknown`},
		{"too large for a float", line(map[int]string{4: "1e999"}),
			`log.swf:1:4: field 4 (run time) is "1e999": it should be a number, or -1 where unknown`},
		{"hexadecimal", line(map[int]string{4: "0x1p3"}),
			`log.swf:1:4: field 4 (run time) is "0x1p3": it should be a number, or -1 where unknown`},
		{"a lone sign", line(map[int]string{4: "-"}),
			`log.swf:1:4: field 4 (run time) is "-": it should be a number, or -1 where unknown`},
		{"fraction of a processor", line(map[int]string{5: "2.5"}),
			"log.swf:1:5: field 5 (allocated processors) is 2.5: it should be a whole number of " +
				"processors, at most 2147483647"},
		{"too many processors", line(map[int]string{8: "3e9"}),
			"log.swf:1:8: field 8 (requested processors) is 3e+09: it should be a whole number of " +
				"processors, at most 2147483647"},
		{"fraction of a job", line(map[int]string{1: "1.5"}),
			"log.swf:1:1: field 1 (job number) is 1.5: it should be a whole number"},
		{"negative submit time", line(map[int]string{2: "-7"}),
			"log.swf:1:2: field 2 (submit time) is -7: it should be the seconds since the start of the " +
				"log, 0 or more, or -1 where unknown"},
		{"a time beyond all logs", line(map[int]string{4: "1e15"}),
			"log.swf:1:4: field 4 (run time) is 1e+15: it should be a time in seconds, at most 1e+12"},
		{"the same job twice", line(nil) + ";\n" + line(map[int]string{1: "2"}) + line(nil),
			"log.swf:4:1: field 1 (job number) is 1, the number of line 1 too: each job needs its own"},
		{"empty", "", "log.swf: there are no jobs in it; a log has one line of 18 numbers per job"},
		{"header only", "; Version: 2.2\n",
			"log.swf: there are no jobs in it; a log has one line of 18 numbers per job"},
		{"bzip2", "BZh91AY&SY", "log.swf: it is compressed by something other than gzip: unpack it " +
			"first"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readString(test.text)
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if e := (*SWFError)(nil); !errors.As(err, &e) {
				t.Errorf("a %T", err)
			}
		})
	}
}

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

func TestSWFWarnings(t *testing.T) {
	text := line(map[int]string{1: "1", 2: "9"}) +
		line(map[int]string{1: "2", 2: "5"}) +
		line(map[int]string{1: "3", 2: "9"}) +
		line(map[int]string{1: "4", 2: "5", 4: "-1"}) +
		line(map[int]string{1: "5", 2: "9", 5: "-1", 8: "-1"}) +
		line(map[int]string{1: "6", 2: "9", 5: "0", 8: "0"}) +
		line(map[int]string{1: "7", 2: "-1"}) +
		line(map[int]string{1: "8", 2: "9", 11: "3"}) + // a separate job
		line(map[int]string{1: "3", 2: "9", 11: "2"}) +
		line(map[int]string{1: "3", 2: "9", 11: "3"})
	l := must.Have(readString(text))
	want := []string{
		"log.swf: 2 submit times step back, the first in line 2: sorted by submit time",
		"log.swf: 1 job without submit time skipped",
		"log.swf: 3 jobs without run time or processors skipped",
		"log.swf: 2 lines of partial executions (status 2, 3 or 4) skipped",
	}
	if d := cmp.Diff(want, l.Warnings); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if l.Skipped != 6 {
		t.Errorf("%d skipped", l.Skipped)
	}
	jobs, err := ReadAll(l)
	var ids []JobID
	for _, j := range jobs {
		ids = append(ids, j.ID)
	}
	if d := cmp.Diff([]JobID{2, 1, 3, 8}, ids); d != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, d)
	}
}

func TestSWFBegan(t *testing.T) {
	for text, want := range map[string]int64{"UnixStartTime: 843480031": 843480031,
		"unixstarttime:  5 (about)": 5, "UnixStartTime: -1": 0, "UnixStartTime: 0": 0,
		"UnixStartTime: 1996-09-23": 0, "UnixStartTime: 99999999999999": 0, "Version: 2.2": 0} {
		began, ok := (&SWF{Comments: []string{"; " + text}}).Began()
		if ok != (want > 0) || ok && began != time.Unix(want, 0).UTC() {
			t.Errorf("%s: %v, %v", text, began, ok)
		}
	}
}
