//go:build unix

package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"contend/experiments/config"
	"contend/experiments/formats/chakra/chakratest"
	"contend/internal/must"
)

// A pattern of several files reads none of them through a link that leads out of the folder,
// whichever it is and wherever it stands, and reads those that links inside lead to.
func TestNoFileOfATraceIsOutside(t *testing.T) {
	outside := chakratest.Write(t, chakratest.ForEach(2, func(r int) []chakratest.Node {
		return []chakratest.Node{chakratest.Call(1, 0, 1024, nil)}
	})...)
	groups := outside + ".groups.json"
	must.Have(0, os.WriteFile(groups, []byte(`{"1": [0, 1]}`), 0o600))
	for _, c := range []struct {
		name   string
		change func(folder string) error
		good   bool
	}{
		{"as it is", func(string) error { return nil }, true},
		{"a link inside", func(f string) error {
			must.Have(0, os.Rename(filepath.Join(f, "step.1.et"), filepath.Join(f, "other")))
			return os.Symlink("other", filepath.Join(f, "step.1.et"))
		}, true},
		{"the first file", func(f string) error {
			must.Have(0, os.Remove(filepath.Join(f, "step.0.et")))
			return os.Symlink(outside+".0.et", filepath.Join(f, "step.0.et"))
		}, false},
		{"the last file", func(f string) error {
			must.Have(0, os.Remove(filepath.Join(f, "step.1.et")))
			return os.Symlink(outside+".1.et", filepath.Join(f, "step.1.et"))
		}, false},
		{"the groups", func(f string) error {
			must.Have(0, os.Remove(filepath.Join(f, "step.groups.json")))
			return os.Symlink(groups, filepath.Join(f, "step.groups.json"))
		}, false},
		{"a pipe", func(f string) error {
			must.Have(0, os.Remove(filepath.Join(f, "step.1.et")))
			return syscall.Mkfifo(filepath.Join(f, "step.1.et"), 0o600)
		}, false},
	} {
		for _, below := range []string{".", "a/b"} {
			root := folderOf(t)
			folder := filepath.Join(root.Name(), below)
			must.Have(0, os.MkdirAll(folder, 0o777))
			for _, end := range []string{".0.et", ".1.et", ".groups.json"} {
				text := must.Have(os.ReadFile(outside + end))
				must.Have(0, os.WriteFile(filepath.Join(folder, "step"+end), text, 0o600))
			}
			must.Have(0, c.change(folder))
			v, _ := serviceOf(t, config.Builtin(), "machine.dims", []any{int64(4), int64(4)})
			v.Files = root
			const start = `{"start":"b","nodes":[2,3],"iterations":2,"pattern":"chakra:./%s/step"}`
			text, good := answerSoon(t, v, fmt.Sprintf(start, below))
			if good != c.good {
				t.Errorf("%s in %s: %s", c.name, below, text)
			}
		}
	}
}

// What is no file is refused at once, and the service answers on.
func TestPipesInTheFolderAreNotAwaited(t *testing.T) {
	root := folderOf(t)
	must.Have(0, syscall.Mkfifo(filepath.Join(root.Name(), "pipe"), 0o600))
	v, _ := serviceOf(t, config.Builtin(), "machine.dims", []any{int64(4), int64(4)})
	v.Files = root
	for _, line := range []string{`{"load":"pipe"}`, `{"save":"pipe"}`,
		`{"start":"b","nodes":[2,3],"pattern":"goal:pipe","iterations":1}`,
		`{"start":"b","nodes":[2,3],"pattern":"goal:.","iterations":1}`} {
		if text, good := answerSoon(t, v, line); good {
			t.Errorf("%s: %s", line, text)
		}
	}
	if text, good := answerSoon(t, v, `{"status":true}`); !good || !strings.Contains(text, `"now":0`) {
		t.Errorf("status: %s", text)
	}
}

// answerSoon answers a line, which must not take long.
func answerSoon(t *testing.T, v *Service, line string) (answer string, good bool) {
	t.Helper()
	type reply struct {
		text []byte
		good bool
	}
	done := make(chan reply, 1)
	go func() {
		text, good := v.Answer([]byte(line), 1)
		done <- reply{text, good}
	}()
	select {
	case r := <-done:
		return string(r.text), r.good
	case <-time.After(time.Minute):
		t.Fatalf("%s: no answer", line)
		return "", false
	}
}
