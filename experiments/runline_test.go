package experiments

import (
	"contend/experiments/cosim/metrics"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A line is read as encoding/json reads it.
func FuzzRecord(f *testing.F) {
	line := `{"hash":"ab","replication":3,"version":"v1",` +
		`"metrics":{"finish_time":1.5e+21,"utilization":0,"jobs":30}}`
	ordered, err := json.Marshal(Record{Hash: "ab", Replication: 3, Version: "v1",
		Metrics: metrics.Result{Metrics: []metrics.Metric{{Name: "finish_time", Value: -1.5e-7},
			{Name: "jobs", Value: 30}}}})
	if err != nil {
		f.Fatal(err)
	}
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
		bad := decodeStrictly([]byte(text), &want)
		got, err := parseRecord([]byte(text))
		if (err == nil) != (bad == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %+v, %v; want %+v, %v", text, got, err, want, bad)
		}
	})
}

// Lines are written as encoding/json writes records, whatever is in their texts and numbers, and
// end with the checksum of what is before it.
func TestLinesAreThoseOfJSON(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -1.5, 0.1, 1e-6, 9.99e-7, 1e-9, 1.25e-10, 1e20,
		1e21, 123456789012345678, 1.7976931348623157e308, 5e-324, math.NaN(), 1.0 / 3}
	for i, text := range []string{"", "00ff", "abc-12+m", `a"b\c`, "a<b>&c", "é\u2028\n", "a b"} {
		r := Record{Hash: text, Replication: i - 1, Version: text}
		for k, info := range metrics.MetricInfos() {
			r.Metrics.Metrics = append(r.Metrics.Metrics,
				metrics.Metric{Name: info.Name, Value: values[(i+k)%len(values)]})
		}
		slices.Reverse(r.Metrics.Metrics)
		r.Metrics.Metrics = append(r.Metrics.Metrics, metrics.Metric{Name: "own_b", Value: 2},
			metrics.Metric{Name: "own_a", Value: 1e-7})
		want, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		want = want[:len(want)-1]
		want = fmt.Appendf(want, ",\"crc32c\":\"%08x\"}\n", crc32.Checksum(want, castagnoli))
		got, err := appendRecord([]byte("before"), &r)
		if err != nil || string(got) != "before"+string(want) {
			t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
		}
	}
	r := Record{Metrics: metrics.Result{Metrics: []metrics.Metric{{Name: "jobs", Value: math.Inf(1)}}}}
	if line, err := appendRecord(nil, &r); err == nil {
		t.Errorf("an infinite metric is written as %s", line)
	}
}

// Numbers of metrics in a line are those of strconv, digit for digit.
func TestNumbersOfMetricsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 20_000 {
		x := math.Ldexp(rng.Float64(), rng.IntN(60)-20)
		if rng.IntN(2) == 0 {
			x = math.Round(x*1000) / 1000
		}
		text := strconv.FormatFloat(x, 'f', -1, 64)
		r, ok := metrics.ParseResult([]byte(`{"jobs":` + text + `}`))
		if got, _ := r.Value("jobs"); !ok || math.Float64bits(got) != math.Float64bits(x) {
			t.Fatalf("%s is read as %v", text, got)
		}
	}
}
