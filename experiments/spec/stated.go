package spec

import (
	"strconv"
	"strings"
)

// QuoteTOML writes a basic string; the escapes of Go that TOML does not know
// never come out of it.
func QuoteTOML(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\u00` + strconv.FormatInt(int64(r)+0x100, 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Stated tells whether to write the key: of several that exclude each other
// only the one in force.
func (s *Settings) Stated(k Key) bool {
	if k.OneOf == "" || !k.Field(s).IsZero() {
		return true
	}
	for _, other := range Keys() {
		if other.OneOf == k.OneOf && !other.Field(s).IsZero() {
			return false
		}
	}
	return k.Default != "0" // none is: write the one that is by default
}
