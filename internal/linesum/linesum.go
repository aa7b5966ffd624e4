// Package linesum gives lines of JSON checksums, so that a changed byte is found in its line.
package linesum

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
)

// A line ends with the CRC-32C of all bytes before field.
const (
	field = `,"crc32c":"`
	end   = len(field) + 2*crc32.Size + len(`"}`)
)

// Castagnoli is the polynomial of CRC-32C.
var Castagnoli = crc32.MakeTable(crc32.Castagnoli)

// End ends the line of an object, of which all but the closing brace is given.
func End(open []byte) []byte {
	return fmt.Appendf(bytes.Clone(open), "%s%08x\"}\n", field, crc32.Checksum(open, Castagnoli))
}

// Cut cuts the checksum off a line without its end. It returns the object without the
// checksum, which takes the place of the line, and the checksum of the bytes.
func Cut(line []byte) (object []byte, sum uint32, err error) {
	i := len(line) - end
	if i <= 0 || !bytes.HasPrefix(line[i:], []byte(field)) ||
		!bytes.HasSuffix(line, []byte(`"}`)) {
		return nil, 0, errors.New("it has no checksum")
	}
	sum = crc32.Checksum(line[:i], Castagnoli)
	written := string(line[i+len(field) : len(line)-len(`"}`)])
	if of := fmt.Sprintf("%08x", sum); of != written {
		return nil, sum, fmt.Errorf("its checksum is %s, that of its bytes %s", written, of)
	}
	line[i] = '}'
	return line[:i+1], sum, nil
}
