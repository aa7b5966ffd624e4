package experiments

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"contend/experiments/config"
	"contend/experiments/study"
	"contend/internal/must"
)

// Every row, key and study that docs/DEVIATIONS.md names is there.
func TestDeviationsNameWhatIsThere(t *testing.T) {
	text := must.Have(os.ReadFile(filepath.Join("..", "docs", "DEVIATIONS.md")))
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \| `).FindAllStringSubmatch(string(text), -1) {
		if rows[m[1]] {
			t.Errorf("two rows %s", m[1])
		}
		rows[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`\brow (\d+)`).FindAllStringSubmatch(string(text), -1) {
		if !rows[m[1]] {
			t.Errorf("there is no row %s", m[1])
		}
	}
	keys := regexp.MustCompile(
		"`((?:job|workload|scheduler|allocator|network|machine|runs)\\.[a-z_.]+)")
	for _, m := range keys.FindAllStringSubmatch(string(text), -1) {
		if _, ok := config.FindKey(m[1]); !ok {
			t.Errorf("there is no key %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile("notes of `([a-z0-9-]+)`").FindAllStringSubmatch(
		string(text), -1) {
		if st, err := study.Load(m[1], config.Builtin()); err != nil || st.Notes == nil {
			t.Errorf("the study %s has no notes: %v", m[1], err)
		}
	}
}
