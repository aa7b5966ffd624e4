package service

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config"
	"contend/internal/must"
)

// folderOf returns an empty folder for the files of a service.
func folderOf(t *testing.T) *os.Root {
	t.Helper()
	root := must.Have(os.OpenRoot(t.TempDir()))
	t.Cleanup(func() { root.Close() })
	return root
}

// schedule is a GOAL schedule of two ranks.
const schedule = "num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n"

// A client reads and writes files below the folder of the service and no others, through no link
// either, and replaces none.
func TestFilesBelowAFolder(t *testing.T) {
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	must.Have(0, os.WriteFile(victim, []byte("first line of a secret\n"), 0o600))
	root := folderOf(t)
	for name, target := range map[string]string{"link": victim, "folder": outside,
		"new": filepath.Join(outside, "new")} {
		if err := os.Symlink(target, filepath.Join(root.Name(), name)); err != nil {
			t.Skip(err)
		}
	}
	must.Have(0, root.WriteFile("two.goal", []byte(schedule), 0o600))
	v, _ := serviceOf(t, config.Builtin(), "machine.dims", []any{int64(4), int64(4)})
	v.Files = root
	const start = `{"start":"b","nodes":[2,3],"pattern":%q}`
	for _, c := range []struct {
		line string
		good bool
	}{
		{`{"save":"state"}`, true}, {`{"save":"state"}`, false}, {`{"save":"two.goal"}`, false},
		{fmt.Sprintf(`{"save":%q}`, victim), false}, {`{"save":"../x"}`, false},
		{`{"save":"link"}`, false}, {`{"save":"new"}`, false}, {`{"save":"folder/x"}`, false},
		{`{"load":"state"}`, true}, {fmt.Sprintf(`{"load":%q}`, victim), false},
		{`{"load":"link"}`, false}, {`{"load":"folder/victim"}`, false},
		{fmt.Sprintf(start, "goal:"+victim), false}, {fmt.Sprintf(start, "goal:link"), false},
		{fmt.Sprintf(start, "goal:folder/victim"), false},
		{fmt.Sprintf(start, "goal:../victim"), false},
		{fmt.Sprintf(start, "chakra:folder/victim"), false},
		{fmt.Sprintf(start, "goal:two.goal"), false}, // it has no end
		{strings.Replace(fmt.Sprintf(start, "goal:two.goal"), "{", `{"iterations":3,`, 1), true},
	} {
		text, good := v.Answer([]byte(c.line), 1)
		if good != c.good || bytes.Contains(text, []byte("secret")) {
			t.Errorf("%s: %s", c.line, text)
		}
	}
	if text, err := os.ReadFile(victim); err != nil || !strings.HasPrefix(string(text), "first") {
		t.Errorf("a file outside is %q, %v", text, err)
	}
	if list, _ := os.ReadDir(outside); len(list) != 1 {
		t.Errorf("outside are %v", list)
	}
}

// Whatever byte of a saved state changes, it is refused, with the line.
func TestDamagedStates(t *testing.T) {
	v, _ := serviceOf(t, config.Builtin(), "machine.dims", []any{int64(4), int64(1)})
	v.Files = folderOf(t)
	answered[reply](t, v, `{"start":"a","nodes":[0,1],"cycles":50}`)
	answered[reply](t, v, `{"advance":20}`)
	answered[reply](t, v, `{"save":"state"}`)
	whole := must.Have(v.Files.ReadFile("state"))
	for i := range whole[:len(whole)-1] {
		text := bytes.Clone(whole)
		text[i] ^= 1
		must.Have(0, v.Files.WriteFile("damaged", text, 0o600))
		line := fmt.Sprintf("damaged: line %d: ", 1+bytes.Count(whole[:i], []byte("\n")))
		answer, good := v.Answer([]byte(`{"load":"damaged"}`), 1)
		if good || whole[i] != '\n' && !strings.Contains(string(answer), line) {
			t.Errorf("byte %d, %q: %s", i, whole[i], answer)
		}
	}
}

// A state whose pattern has another file since is refused.
func TestStateOfAChangedSchedule(t *testing.T) {
	serve := func(root *os.Root) *Service {
		v, _ := serviceOf(t, config.Builtin(), "machine.dims", []any{int64(4), int64(4)})
		v.Files = root
		return v
	}
	root := folderOf(t)
	must.Have(0, root.WriteFile("two.goal", []byte(schedule), 0o600))
	v := serve(root)
	answered[reply](t, v, `{"start":"b","nodes":[2,3],"pattern":"goal:two.goal","iterations":3}`)
	answered[reply](t, v, `{"save":"state"}`)
	answered[reply](t, serve(root), `{"load":"state"}`)
	must.Have(0, root.WriteFile("two.goal", []byte(strings.ReplaceAll(schedule, "8b", "9b")), 0o600))
	if text, good := serve(root).Answer([]byte(`{"load":"state"}`), 1); good ||
		!strings.Contains(string(text), "state: line 2: the file of its pattern has changed") {
		t.Errorf("%s", text)
	}
}
