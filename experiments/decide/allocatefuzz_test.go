package decide

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"contend/netsim/topology"
)

// Whatever stands in a line, the answer is one line of JSON.
func FuzzDecisions(f *testing.F) {
	for _, line := range []string{
		`{"free":[0,1,5,6],"size":4,"id":{"a":[1,"}"]}}`, `{"busy":[2],"shape":[2,2]}`,
		`{"allocate":"j","size":3}`, `{"release":"j"}`,
		`{"allocate":"é\n","shape":[1,2]}`, `{"free":[00],"size":1e0}`,
		`{"id":"\\","busy":[ ],"size" : 2 , "shape":[ 2 , 1]}`, ``, `null`, `{}`, `{"":{}}`,
		"{\"id\":\"\u2028\",\"busy\":[],\"size\":1}", `{"shape":[9223372036854775807,2],"busy":[]}`,
	} {
		f.Add([]byte(line), []byte(`{"allocate":1,"size":5}`))
	}
	one, several := decisionsOn(f, "mesh:4x4", "mbs"),
		[]string{"first-fit:rotate", "mc1x1", "paging:1", "hilbert/best-fit-1d"}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		many := decisionsOn(t, "mesh:4x4", several...)
		for _, line := range [][]byte{first, second, first} {
			if bytes.IndexByte(line, '\n') >= 0 {
				continue // of Serve's making
			}
			for _, d := range []*Decisions{one, many} {
				answer, good := d.Answer(nil, line)
				if !json.Valid(answer) || bytes.IndexByte(answer, '\n') >= 0 {
					t.Fatalf("%q: %q is no line of JSON", line, answer)
				}
				if hasError := bytes.Contains(answer, []byte(`"error":`)); good && hasError &&
					!bytes.Contains(line, []byte("error")) {
					t.Fatalf("%q: %s is said to be good", line, answer)
				}
			}
		}
	})
}

// halfFullLine asks for 64 processors of a 32x32 machine, of which every other
// node, at random, is free.
func halfFullLine() []byte {
	r := rand.New(rand.NewPCG(5, 6))
	var free []topology.Node
	for n := range topology.Node(1024) {
		if r.IntN(2) == 0 {
			free = append(free, n)
		}
	}
	return fmt.Appendf(nil, `{"free":%s,"size":64}`, list(free))
}

// A decision from a line of JSON to the line that answers it.
func BenchmarkDecision(b *testing.B) {
	line := halfFullLine()
	for _, short := range []string{"hilbert/best-fit-1d", "mc1x1", "mbs", "random"} {
		b.Run(short, func(b *testing.B) {
			d := decisionsOn(b, "mesh:32x32", short)
			var answer []byte
			b.ReportAllocs()
			for b.Loop() {
				answer, _ = d.Answer(answer[:0], line)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
		b.Run(short+"/books", func(b *testing.B) {
			d := decisionsOn(b, "mesh:32x32", short)
			take, give := []byte(`{"allocate":"a","size":64}`), []byte(`{"release":"a"}`)
			if _, good := d.Answer(nil, bytes.Replace(take, []byte(`"a","size":64`),
				[]byte(`"half","size":512`), 1)); !good {
				b.Fatal("half of the machine was refused")
			}
			var answer []byte
			b.ReportAllocs()
			for b.Loop() {
				answer, _ = d.Answer(answer[:0], take)
				answer, _ = d.Answer(answer[:0], give)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
