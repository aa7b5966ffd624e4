package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"contend/experiments/cosim/metrics"
	"contend/experiments/spec/input"
)

// appendRecord appends a line of runs.jsonl: a Record as encoding/json writes it, with a checksum.
func appendRecord(b []byte, r *Record) ([]byte, error) {
	object, err := json.Marshal(r)
	if err != nil {
		return b, err
	}
	return append(b, withSum(object[:len(object)-1])...), nil
}

// A line ends with the CRC-32C of all bytes before sumField.
const (
	sumField = `,"crc32c":"`
	sumEnd   = len(sumField) + 2*crc32.Size + len(`"}`)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// withSum ends a line, of which the beginning is given, with its checksum.
func withSum(line []byte) []byte {
	return fmt.Appendf(line, "%s%08x\"}\n", sumField, crc32.Checksum(line, castagnoli))
}

// cutSum cuts the checksum off a line without its end. It returns the object without the
// checksum, which takes the place of the line, and the checksum of the bytes.
func cutSum(line []byte) (object []byte, sum uint32, err error) {
	i := len(line) - sumEnd
	if i <= 0 || !bytes.HasPrefix(line[i:], []byte(sumField)) ||
		!bytes.HasSuffix(line, []byte(`"}`)) {
		return nil, 0, errors.New("it has no checksum")
	}
	sum = crc32.Checksum(line[:i], castagnoli)
	written := string(line[i+len(sumField) : len(line)-len(`"}`)])
	if of := fmt.Sprintf("%08x", sum); of != written {
		return nil, sum, fmt.Errorf("its checksum is %s, that of its bytes %s", written, of)
	}
	line[i] = '}'
	return line[:i+1], sum, nil
}

// parseRecord reads a line of runs.jsonl without its checksum. Metrics as a run writes them are
// read directly, so that folders of many runs open quickly; any others go to encoding/json, which
// knows what is wrong.
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
