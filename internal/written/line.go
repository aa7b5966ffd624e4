package written

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// JSON returns a value as one line of JSON, without a newline. It panics if JSON cannot encode the
// value.
func JSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("written: a value that JSON cannot encode: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// A line of JSON with a checksum ends with the CRC-32C of all bytes before sumField, so a reader
// finds the line with a changed byte.
const (
	sumField = `,"crc32c":"`
	sumBytes = len(sumField) + 2*crc32.Size + len(`"}`)
)

// Castagnoli is the polynomial of CRC-32C.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// AppendSum returns the line of an object with its checksum, closing brace and newline. open is the
// object without its closing brace.
func AppendSum(open []byte) []byte {
	return fmt.Appendf(bytes.Clone(open), "%s%08x\"}\n", sumField, crc32.Checksum(open, Castagnoli))
}

// CutSum removes the checksum from a line without its newline. It returns the object, which shares
// the memory of the line, and the checksum of its bytes. It returns an error if the line has no
// checksum or another one.
func CutSum(line []byte) (object []byte, sum uint32, err error) {
	i := len(line) - sumBytes
	if i <= 0 || !bytes.HasPrefix(line[i:], []byte(sumField)) ||
		!bytes.HasSuffix(line, []byte(`"}`)) {
		return nil, 0, errors.New("it has no checksum")
	}
	sum = crc32.Checksum(line[:i], Castagnoli)
	written := string(line[i+len(sumField) : len(line)-len(`"}`)])
	if of := fmt.Sprintf("%08x", sum); of != written {
		return nil, sum, fmt.Errorf("its checksum is %s, that of its bytes %s", written, of)
	}
	line[i] = '}'
	return line[:i+1], sum, nil
}
