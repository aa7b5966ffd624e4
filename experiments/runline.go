package experiments

import (
	"bytes"
	"contend/experiments/cosim/metrics"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"
)

// appendRecord appends a line of runs.jsonl: a Record as encoding/json writes it, with a checksum.
func appendRecord(b []byte, r *Record) ([]byte, error) {
	begin := len(b)
	b = appendText(append(b, `{"hash":`...), r.Hash)
	b = strconv.AppendInt(append(b, `,"replication":`...), int64(r.Replication), 10)
	b = appendText(append(b, `,"version":`...), r.Version)
	metrics, err := r.Metrics.MarshalJSON()
	b = append(append(b, `,"metrics":`...), metrics...)
	return appendSum(b, crc32.Checksum(b[begin:], castagnoli)), err
}

// A line ends with the CRC-32C of all bytes before sumField.
const (
	sumField = `,"crc32c":"`
	sumEnd   = len(sumField) + 2*crc32.Size + len(`"}`)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func appendSum(b []byte, sum uint32) []byte {
	return fmt.Appendf(b, "%s%08x\"}\n", sumField, sum)
}

// cutSum cuts the checksum off a line without its end. It returns the object without the
// checksum, which takes the place of the line, the checksum of the bytes, and whether the line has
// this one, another one or none.
func cutSum(line []byte) (object []byte, sum uint32, has bool, err error) {
	body, rest := line, []byte(nil)
	if i := len(line) - sumEnd; i > 0 {
		body, rest = line[:i], line[i:]
	}
	digits, ok := bytes.CutPrefix(rest, []byte(sumField))
	if !ok || !bytes.HasSuffix(digits, []byte(`"}`)) {
		return line, crc32.Checksum(bytes.TrimSuffix(line, []byte("}")), castagnoli), false, nil
	}
	sum = crc32.Checksum(body, castagnoli)
	written := string(digits[:2*crc32.Size])
	if of := fmt.Sprintf("%08x", sum); of != written {
		return nil, sum, true, fmt.Errorf("its checksum is %s, that of its bytes %s", written, of)
	}
	rest[0] = '}'
	return line[:len(body)+1], sum, true, nil
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

// parseRecord reads a line of runs.jsonl without its checksum. Lines as append writes
// them are read directly; any other goes to encoding/json, which knows what is wrong.
// Texts that are those of the record before share their memory with it.
func parseRecord(line []byte, before *Record) (r Record, err error) {
	if r, ok := plainRecord(line, before); ok {
		return r, nil
	}
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	if err = in.Decode(&r); err == nil && in.InputOffset() != int64(len(line)) {
		err = errors.New("something follows the object")
	}
	return r, err
}

// plainRecord reads a line whose fields stand in the order of Record, without
// escapes or white space. BenchmarkOpen is three to eight times as fast by it.
func plainRecord(line []byte, before *Record) (r Record, ok bool) {
	var hash, number, version []byte
	if hash, line, ok = field(line, `{"hash":"`, '"'); !ok {
		return r, false
	}
	if number, line, ok = field(line, `,"replication":`, ','); !ok {
		return r, false
	}
	if version, line, ok = field(line, `"version":"`, '"'); !ok {
		return r, false
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
	names, ok := metrics.ParseResult(line[:len(line)-1])
	r = Record{shared(hash, before.Hash), n, shared(version, before.Version), names}
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
