package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/experiments/config/configtest"
	"contend/internal/linesum"
	"contend/internal/must"
)

func FuzzRuns(f *testing.F) {
	line := []byte(`{"hash":"a","replication":0,"version":"x","metrics":{"finish_time":1}`)
	f.Add(linesum.End(line))
	f.Add([]byte(`{"hash":"a","replication":0,"version":"x","metrics":{"finish_time":1}}` + "\n"))
	f.Add([]byte("\x00\x00\x00"))
	f.Add([]byte("{}\n{\n"))
	f.Add([]byte(strings.Repeat("[", 20000) + "\n{}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := Folder{Dir: t.TempDir(), Records: map[RunKey]Record{}}
		path := filepath.Join(folder.Dir, RunsFile)
		must.Have(0, os.WriteFile(path, text, 0o666))
		whole, err := folder.read("", "")
		if err != nil {
			configtest.MustBeInput(t, err)
			return
		}
		must.Have(0, os.Truncate(path, whole))
		again := Folder{Dir: folder.Dir, Records: map[RunKey]Record{}}
		if _, err := again.read("", ""); err != nil || len(again.Records) != len(folder.Records) {
			t.Fatalf("%d runs became %d, %v", len(folder.Records), len(again.Records), err)
		}
	})
}
