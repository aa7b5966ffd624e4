//go:build linux && long

package cli

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// repeated is a text again and again.
type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

// Whatever is wrong with an input, the program says so within seconds, with
// status 2, in one line and in less than 256 MiB.
func TestLongBadInputTakesLittleMemory(t *testing.T) {
	dir := t.TempDir()
	file := func(name, start, again string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var w io.WriteCloser = f
		if strings.HasSuffix(name, ".gz") {
			w, err = gzip.NewWriterLevel(f, gzip.BestSpeed)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
		}
		if _, err := io.WriteString(w, start); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(w, &repeated{text: strings.Repeat(again, 1<<16)}, size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	line := "1 0 0 1 1 1 1 1 1 1 2 1 1 1 1 1 1 1\n"
	file("zeros/spec.toml", "name = \"zeros\"\nruns.seed = 1\n", "\n", 1)
	file("zeros/runs.jsonl", "", "\x00", 100<<20)
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo.toml"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"nesting":          {"run", file("nested.toml", "x = ", "[", 4_000_000)},
		"tables":           {"run", file("tables.toml", "x = ", "{a=", 4_000_000)},
		"parts of a key":   {"run", file("parts.toml", "", "a.", 4_000_000)},
		"keys":             {"run", file("keys.toml", "", "a=1\n", 4_000_000)},
		"elements":         {"run", file("elements.toml", "x = [", "1,", 4_000_000)},
		"headers":          {"run", file("headers.toml", "", "[[a.b.c.d]]\n", 4_000_000)},
		"a long study":     {"run", file("long.toml", "", "# a\n", 100<<20)},
		"/dev/zero":        {"run", "/dev/zero"},
		"a pipe":           {"run", filepath.Join(dir, "fifo.toml")},
		"zeros of runs":    {"plot", filepath.Join(dir, "zeros")},
		"a bomb of zeros":  {"trace", "stats", file("zeros.swf.gz", "", "\x00", 300<<20)},
		"a bomb of lines":  {"trace", "stats", file("lines.swf.gz", "", line, 300<<20)},
		"a bomb of blanks": {"trace", "stats", file("blanks.swf.gz", "", "\n", 300<<20)},
		"a long line":      {"trace", "stats", file("line.swf", "", "1 ", 300<<20)},
		"too many points": {"run", "lo-table1", "--axis", "workload.jobs=" + numbers(1000), "--axis",
			"runs.seed=" + numbers(1000),
			"-o", filepath.Join(dir, "out")},
		"too many jobs": {"run", "lo-table1", "--set", "workload.jobs=1000000000000", "-o",
			filepath.Join(dir, "out")},
	} {
		status, text, peak, took := runProgram(t, args)
		if status != exitInput || strings.Count(text, "\n") != 1 || len(text) > 2000 {
			t.Errorf("%s: status %d, %.400q", name, status, text)
		}
		if peak > 256<<20 || took > 30*time.Second {
			t.Errorf("%s: %d MiB, %v", name, peak>>20, took)
		}
		t.Logf("%s: %d MiB, %v, %.120s", name, peak>>20, took, text)
	}
}

// numbers lists those from 1 to n.
func numbers(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strconv.Itoa(i + 1)
	}
	return strings.Join(parts, ",")
}

// runProgram runs the program, and returns what it says on standard error.
func runProgram(t *testing.T, args []string) (status int, stderr string, peak int64,
	took time.Duration) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	c := exec.Cmd{Path: self, Args: append([]string{"contend"}, args...), Stderr: &text}
	began := time.Now()
	timer := time.AfterFunc(time.Minute, func() { c.Process.Kill() })
	defer timer.Stop()
	err = c.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	return c.ProcessState.ExitCode(), text.String(), usage.Maxrss << 10, time.Since(began)
}
