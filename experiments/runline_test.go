package experiments

import (
	"encoding/json"
	"hash/crc32"
	"math"
	"reflect"
	"strings"
	"testing"

	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/must"
	"contend/internal/written"
)

// A line is read as encoding/json reads it.
func FuzzRecord(f *testing.F) {
	line := `{"hash":"ab","replication":3,"version":"v1",` +
		`"metrics":{"finish_time":1.5e+21,"utilization":0,"jobs":30}}`
	ordered := must.Have(json.Marshal(Record{Hash: "ab", Replication: 3, Version: "v1",
		Metrics: metrics.Result{Metrics: []metrics.Metric{{Name: "finish_time", Value: -1.5e-7},
			{Name: "jobs", Value: 30}}}}))
	for _, text := range []string{line, string(ordered), `{}`,
		`{"hash":"a","replication":0,"version":"","metrics":{}}`,
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
		var want Record
		bad := input.DecodeStrictly([]byte(text), &want)
		got, err := parseRecord([]byte(text))
		if (err == nil) != (bad == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %+v, %v; want %+v, %v", text, got, err, want, bad)
		}
	})
}

// A line ends with the checksum of what is before it, and is read back whatever is in its texts.
func TestLinesAreReadBack(t *testing.T) {
	r := Record{Hash: "a\"b<\u2028", Version: "é", Metrics: metrics.Result{
		Metrics: []metrics.Metric{{Name: "finish_time", Value: 1.0 / 3}, {Name: "own", Value: 5e-324}}}}
	line := must.Have(appendRecord([]byte("before"), &r))
	object, sum, err := written.CutSum(line[len("before") : len(line)-1])
	if err != nil || sum != crc32.Checksum(object[:len(object)-1], written.Castagnoli) {
		t.Errorf("the line %s, %v", line, err)
	}
	if got, err := parseRecord(object); err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("%s is read as %+v, %v", line, got, err)
	}
	r.Metrics.Metrics[0].Value = math.Inf(1)
	if line, err := appendRecord(nil, &r); err == nil {
		t.Errorf("an infinite metric is written as %s", line)
	}
}
