package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"contend/internal/must"
)

func TestMain(m *testing.M) {
	must.Do(os.Chdir(filepath.Join("..", ".."))) // as make has it
	m.Run()
}

// script stands in for the program: it says its arguments.
const script = "#!/bin/sh\necho contend \"$@\"\n"

// write writes the wheel of a platform with script as the program, and returns its path.
func write(t *testing.T, platform string) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	must.Do(os.WriteFile(program, []byte(script), 0o600))
	must.Do(run([]string{"1.2.3", platform, program, dir}, "1700000001"))
	return filepath.Join(dir, "contend-1.2.3-py3-none-"+platforms[platform]+".whl")
}

// The digests in RECORD are those of the files, none is left out, and the program is executable.
func TestRecordListsAllFiles(t *testing.T) {
	for platform := range platforms {
		t.Run(platform, func(t *testing.T) {
			r := must.Have(zip.OpenReader(write(t, platform)))
			defer r.Close()
			var want, record [][]string
			tags := 0
			for i, f := range r.File {
				text := must.Have(io.ReadAll(must.Have(f.Open())))
				sum := sha256.Sum256(text)
				row := []string{f.Name, "sha256=" + base64.RawURLEncoding.EncodeToString(sum[:]),
					strconv.Itoa(len(text))}
				switch {
				case i == len(r.File)-1:
					row = []string{"contend-1.2.3.dist-info/RECORD", "", ""}
					record = must.Have(csv.NewReader(strings.NewReader(string(text))).ReadAll())
				case strings.HasSuffix(f.Name, "WHEEL"):
					tags = strings.Count(string(text), "Tag: py3-none-")
				}
				want = append(want, row)
				if executable := f.Mode()&0o111 != 0; executable != strings.Contains(f.Name, "scripts") {
					t.Errorf("%s has the mode %v", f.Name, f.Mode())
				}
			}
			if fmt.Sprint(record) != fmt.Sprint(want) {
				t.Errorf("RECORD has %v, the wheel %v", record, want)
			}
			if n := len(strings.Split(platforms[platform], ".")); tags != n {
				t.Errorf("WHEEL has %d tags, the name of the file %d", tags, n)
			}
		})
	}
}

func TestSameInputGivesTheSameBytes(t *testing.T) {
	first := must.Have(os.ReadFile(write(t, "linux/arm64")))
	if string(must.Have(os.ReadFile(write(t, "linux/arm64")))) != string(first) {
		t.Error("two wheels of the same files differ")
	}
}

func TestBadArgumentsAreRefused(t *testing.T) {
	for _, c := range []struct{ platform, epoch, says string }{
		{"plan9/386", "0", "only for darwin/amd64, darwin/arm64, linux/amd64, linux/arm64"},
		{"linux/amd64", "", "SOURCE_DATE_EPOCH"},
		{"linux/amd64", "0", "no such file"},
	} {
		dir := t.TempDir()
		err := run([]string{"1.2.3", c.platform, "none", dir}, c.epoch)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v", c, err)
		}
		if left := must.Have(os.ReadDir(dir)); len(left) > 0 {
			t.Errorf("%v leaves %v", c, left)
		}
	}
}

// pip takes the wheel without an index, and the module finds the program beside the interpreter
// where the path has none.
func TestPipInstallsTheWheel(t *testing.T) {
	const python = "/usr/bin/python3" // Debian's
	if exec.Command(python, "-c", "import pip, venv").Run() != nil {
		t.Skip("there is no /usr/bin/python3 with pip and venv")
	}
	wheel, venv := write(t, runtime.GOOS+"/"+runtime.GOARCH), filepath.Join(t.TempDir(), "venv")
	inside := filepath.Join(venv, "bin", "python")
	for _, args := range [][]string{
		{python, "-m", "venv", "--without-pip", venv},
		{python, "-m", "pip", "--python", inside, "install", "--no-index", wheel},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	ask := exec.Command(inside, "-c", "import contend; print(contend.command('list', 'keys'))")
	ask.Dir, ask.Env = t.TempDir(), []string{"PATH=/nowhere"}
	if out, err := ask.CombinedOutput(); err != nil || string(out) != "contend list keys\n\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
