package experiments

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"contend/experiments/cosim"
)

// appendRecord appends a line of runs.jsonl, as encoding/json writes a Record.
func appendRecord(b []byte, r *Record) ([]byte, error) {
	b = appendText(append(b, `{"hash":`...), r.Hash)
	b = strconv.AppendInt(append(b, `,"replication":`...), int64(r.Replication), 10)
	b = appendText(append(b, `,"version":`...), r.Version)
	if r.KeptBy != "" {
		b = appendText(append(b, `,"kept_by":`...), r.KeptBy)
	}
	metrics, err := r.Metrics.MarshalJSON()
	b = append(append(b, `,"metrics":`...), metrics...)
	return append(b, '}', '\n'), err
}

// appendText appends a text as a string of JSON.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			quoted, err := json.Marshal(text)
			if err != nil {
				panic("experiments: a text that JSON cannot hold: " + err.Error())
			}
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

// parseRecord reads a line of runs.jsonl. Lines as append writes them are read
// directly; any other goes to encoding/json, which knows what is wrong.
// Texts that are those of the record before share their memory with it.
func parseRecord(line []byte, before *Record) (r Record, err error) {
	if r, ok := plainRecord(bytes.TrimSuffix(line, []byte("\n")), before); ok {
		return r, nil
	}
	err = json.Unmarshal(line, &r)
	return r, err
}

// plainRecord reads a line whose fields stand in the order of Record, without
// escapes or white space.
func plainRecord(line []byte, before *Record) (r Record, ok bool) {
	var hash, number, version, kept []byte
	if hash, line, ok = field(line, `{"hash":"`, '"'); !ok {
		return r, false
	}
	if number, line, ok = field(line, `,"replication":`, ','); !ok {
		return r, false
	}
	if version, line, ok = field(line, `"version":"`, '"'); !ok {
		return r, false
	}
	if by, rest, is := field(line, `,"kept_by":"`, '"'); is {
		kept, line = by, rest
	}
	line, ok = bytes.CutPrefix(line, []byte(`,"metrics":`))
	if !ok || len(line) == 0 {
		return r, false
	}
	n, err := strconv.Atoi(string(number))
	if err != nil || number[0] == '+' || len(number) > 1 && (number[0] == '0' ||
		number[0] == '-' && number[1] == '0') {
		return r, false
	}
	metrics, ok := cosim.ParseResult(line[:len(line)-1])
	r = Record{shared(hash, before.Hash), n, shared(version, before.Version),
		shared(kept, before.KeptBy), metrics}
	return r, ok && line[len(line)-1] == '}'
}

// field cuts what stands between a prefix and an end character.
func field(line []byte, prefix string, end byte) (value, rest []byte, ok bool) {
	line, ok = bytes.CutPrefix(line, []byte(prefix))
	if !ok {
		return nil, nil, false
	}
	i := bytes.IndexByte(line, end)
	if i < 0 {
		return nil, nil, false
	}
	for _, c := range line[:i] {
		if c < ' ' || c > '~' || c == '\\' {
			return nil, nil, false
		}
	}
	return line[:i], line[i+1:], true
}

// shared returns a text, in the memory of another one that is the same.
func shared(text []byte, other string) string {
	if string(text) == other {
		return other
	}
	return string(text)
}
