package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config/configtest"
	"contend/internal/must"
)

// A link in an output folder that leads out of it is refused, and its target stays. Links within
// it, and a link to the folder, are not.
func TestLinksOutOfAFolder(t *testing.T) {
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	must.Have(0, os.WriteFile(victim, []byte("mine"), 0o600))
	for _, c := range []struct {
		name, target string
		good         bool
	}{
		{"summary.csv", victim, false}, {"figures", outside, false}, {".lock", victim, false},
		{"jobs.d/x.csv", filepath.Join(outside, "new"), false}, {"runs.jsonl", "../victim", false},
		{"table.md", "spec.toml", true},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		path := filepath.Join(dir, c.name)
		must.Have(0, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Have(0, os.WriteFile(filepath.Join(dir, "spec.toml"), nil, 0o600))
		if err := os.Symlink(c.target, path); err != nil {
			t.Skip(err)
		}
		link := filepath.Join(t.TempDir(), "link")
		must.Have(0, os.Symlink(dir, link))
		for _, d := range []string{dir, link} {
			lock, err := LockFolder(d)
			if (err == nil) != c.good {
				t.Errorf("%s -> %s: %v", c.name, c.target, err)
			}
			if err == nil {
				lock.Close()
				continue
			}
			configtest.MustBeInput(t, err)
			if !strings.Contains(err.Error(), c.name+": it is a symbolic link that leads out of") {
				t.Error(err)
			}
		}
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "mine" {
		t.Errorf("the target holds %q, %v", text, err)
	}
}
