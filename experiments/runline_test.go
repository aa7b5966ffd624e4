package experiments

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"contend/experiments/cosim"
)

// Lines read directly are what encoding/json reads; everything else is left to it.
func FuzzPlainRecord(f *testing.F) {
	line := `{"hash":"ab","replication":3,"version":"v1",` +
		`"metrics":{"finish_time":1.5e+21,"utilization":0,"jobs":30}}`
	ordered, err := json.Marshal(Record{Hash: "ab", Replication: 3, Version: "v1",
		Metrics: cosim.Result{Metrics: []cosim.Metric{{Name: "finish_time", Value: -1.5e-7},
			{Name: "jobs", Value: 30}}}})
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{line, string(ordered), `{}`,
		`{"hash":"a","replication":0,"version":"","metrics":{}}`,
		strings.Replace(string(ordered), `,"metrics"`, `,"kept_by":"v2","metrics"`, 1),
		strings.Replace(string(ordered), "30", "030", 1),
		strings.Replace(string(ordered), "30", "3e400", 1),
		strings.Replace(string(ordered), "30", ".5", 1),
		strings.Replace(string(ordered), "30", "5.", 1),
		strings.Replace(string(ordered), "30", "1e", 1),
		strings.Replace(string(ordered), "30}", "30,}", 1),
		strings.Replace(string(ordered), "30", "0x1p2", 1),
		strings.Replace(string(ordered), "30", "1_0", 1),
		strings.Replace(string(ordered), "30", "-01", 1),
		strings.Replace(string(ordered), "30", "1.e5", 1),
		strings.Replace(string(ordered), `"ab"`, `"a\u0062"`, 1),
		strings.Replace(string(ordered), "3,", "03,", 1),
		strings.Replace(string(ordered), "ab", "a\xff", 1),
		strings.Replace(string(ordered), "ab", "a\x01", 1)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := plainRecord([]byte(text), &Record{})
		if !ok {
			return
		}
		var want Record
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatalf("%q is read as %+v, and encoding/json says %v", text, got, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %+v, want %+v", text, got, want)
		}
	})
}

func TestWrittenLinesAreReadDirectly(t *testing.T) {
	r := Record{Hash: "00ff", Replication: 12, Version: "abc-12", KeptBy: "x"}
	for i, info := range cosim.MetricInfos() {
		m := cosim.Metric{Name: info.Name, Value: float64(i) / 3e9}
		r.Metrics.Metrics = append(r.Metrics.Metrics, m)
	}
	line, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := plainRecord(line, &Record{}); !ok || !reflect.DeepEqual(got, r) {
		t.Errorf("%s is read as %+v, %v", line, got, ok)
	}
}
