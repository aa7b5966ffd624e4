package study

import (
	"strings"
	"testing"

	"contend/experiments/spec"
	"contend/experiments/studies"
)

// A figure says which of the two blocking times it draws.
func TestBlockingTimesAreLabelled(t *testing.T) {
	labels := map[string]string{"packet_blocking_time": "packet blocking time (",
		"entry_blocking_time": "packet blocking time, entry included ("}
	drawn := 0
	for _, name := range studies.Names() {
		st, err := Load(name, spec.BuiltinNames())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range st.Figures {
			if want, ok := labels[f.Metric]; ok {
				drawn++
				if !strings.HasPrefix(f.YLabel, want) {
					t.Errorf("%s: figure %s draws %s and says %q", name, f.Name, f.Metric, f.YLabel)
				}
			}
		}
	}
	if drawn < 2 {
		t.Errorf("%d figures of blocking times, want those of lo-table2 and demo", drawn)
	}
}
