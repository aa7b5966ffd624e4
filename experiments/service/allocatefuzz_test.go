package service

import (
	"bytes"
	"encoding/json"
	"testing"
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
		[]string{"first-fit:rotate", "mc1x1", "paging:1", "best-fit-1d:hilbert"}
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
