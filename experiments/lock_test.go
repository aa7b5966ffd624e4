//go:build unix && !solaris && !aix

package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/study"
	"contend/internal/must"
)

func TestFolderHasOneWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	first := must.Have(LockFolder(dir))
	_, err := LockFolder(dir)
	if InputCause(err) == nil || !strings.Contains(err.Error(), "is in use by process ") {
		t.Errorf("a second writer gets %v", err)
	}
	must.Have(0, first.Close())
	must.Have(LockFolder(dir)).Close() // the lock does not outlive its holder
}

// The next writer of a folder removes what a killed one left half written.
func TestAbandonedFilesOfAFolderAreRemoved(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".", "figures", "jobs.d", "critical-path.d"} {
		path := filepath.Join(dir, name, ".contend-42.tmp")
		must.Have(0, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Have(0, os.WriteFile(path, []byte("half"), 0o600))
		must.Have(LockFolder(dir)).Close()
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", path, err)
		}
	}
}

// A line that is not on the disk is a failure.
func TestSyncFailuresAreTold(t *testing.T) {
	read, write, err := os.Pipe() // cannot be synced
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	f := Folder{file: write}
	if f.appendLine(Record{Hash: "h"}) == nil {
		t.Error("a failure to sync is no error")
	}
}

func TestLongestFirst(t *testing.T) {
	r := Runner{costs: map[string]float64{"a": 1, "b": 3, "c": 1}}
	var tasks []task
	for _, hash := range []string{"a", "b", "c", "unknown", "b"} {
		tasks = append(tasks, task{point: &study.Point{Hash: hash}, replication: len(tasks)})
	}
	got := ""
	for _, t := range r.longestFirst(tasks) {
		got += t.point.Hash[:1]
	}
	if got != "bbacu" {
		t.Errorf("order %s, want bbacu", got)
	}
	r.costs = nil
	if r.longestFirst(tasks)[0].point.Hash != "a" {
		t.Error("without costs the order is not that of the study")
	}
}
