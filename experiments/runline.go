package experiments

import (
	"bytes"
	"encoding/json"

	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/written"
)

// appendRecord appends a line of runs.jsonl: a Record as encoding/json writes it, with a checksum.
func appendRecord(b []byte, r *Record) ([]byte, error) {
	object, err := json.Marshal(r)
	if err != nil {
		return b, err
	}
	return append(b, written.AppendSum(object[:len(object)-1])...), nil
}

// parseRecord parses a line of runs.jsonl without its checksum. It parses metrics in the form in
// which a run writes them directly, so that folders of many runs open quickly, and leaves all
// others to encoding/json, which says what is wrong.
func parseRecord(line []byte) (r Record, err error) {
	const field = `,"metrics":`
	if i := bytes.Index(line, []byte(field)); i >= 0 {
		if m, ok := metrics.ParseResult(line[i+len(field) : len(line)-1]); ok {
			line[i] = '}'
			err = input.DecodeStrictly(line[:i+1], &r)
			r.Metrics = m
			return r, err
		}
	}
	return r, input.DecodeStrictly(line, &r)
}
