package input

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Names from studies, flags and logs end up in terminals, tables and files. The program
// refuses characters at its input that could move a cursor, end a line or turn the
// direction of writing. It escapes characters with a meaning in Markdown or LaTeX at
// its output.

// IsInvisible reports whether a character is not printed, ends a line, or turns the direction of
// writing. Names must not have such characters.
func IsInvisible(r rune) bool {
	switch {
	case r < ' ', r == 0x7f, r >= 0x80 && r < 0xa0: // control characters
	case r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 &&
		r <= 0x2069: // direction
	case r == 0x2028, r == 0x2029, r == 0xfeff: // ends of line and paragraph, byte order mark
	default:
		return false
	}
	return true
}

// CheckPrintable refuses a name with invisible characters. at is the key that has the name.
func CheckPrintable(name, at string) *Error {
	if !utf8.ValidString(name) {
		return Bad(at, "give UTF-8", "%s is %q, which is not valid text", at, name)
	}
	for _, r := range name {
		if IsInvisible(r) {
			return Bad(at, "give a printable name of one line",
				"%s is %q, with the control character %U", at, name, r)
		}
	}
	return nil
}

// checkText is CheckPrintable for any text of a study. Documentation, notes and tables may have
// several lines.
func checkText(text, at string) *Error {
	if lines := []string{"doc", "notes", "published", "inputs", "changed"}; slices.ContainsFunc(lines,
		func(field string) bool {
			rest, ok := strings.CutPrefix(at, field)
			return ok && (rest == "" || rest[0] == '[' || rest[0] == '.')
		}) {
		text = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(text)
	}
	return CheckPrintable(text, at)
}

// Printable returns a text of any origin, such as an error that quotes a file name,
// with escapes for characters that could upset a terminal. Lines stay lines.
func Printable(s string) string {
	return escaped(s, func(r rune) bool { return r == '\n' || r == '\t' || !IsInvisible(r) })
}

// singleLine is Printable with the ends of lines as escapes too.
func singleLine(s string) string {
	return escaped(s, func(r rune) bool { return !IsInvisible(r) })
}

// escaped returns a text with escapes for the characters that are not fine.
func escaped(s string, fine func(rune) bool) string {
	clean := func(r rune) bool { return r != utf8.RuneError && fine(r) }
	if strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == utf8.RuneError || clean(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

// Plural returns a number and a noun, which gets an s unless the number is 1.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Join returns a dotted key: prefix.part, or part if there is no prefix.
func Join(prefix, part string) string {
	if prefix == "" {
		return part
	}
	return prefix + "." + part
}

// UpperFirst returns a text with an upper-case first letter.
func UpperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// maxNameBytes is the greatest length of a file's name, which leaves room for endings on all file
// systems.
const maxNameBytes = 200

// CheckFileName refuses a name that no file in the output folder can have. at is the key that has
// the name.
func CheckFileName(name, at string) *Error {
	if strings.Trim(name, ". ") == "" || strings.ContainsAny(name, `/\`) {
		return Bad(at, "give a name that a file can have, without folders", "%s is %q", at, name)
	}
	if len(name) > maxNameBytes {
		return Bad(at, "give a shorter file name", "%s has %d bytes", at, len(name))
	}
	return CheckPrintable(name, at)
}

// InFileName returns a text, such as a pattern with its parameters, with the characters that the
// name of a file cannot have replaced.
func InFileName(text string) string {
	return strings.NewReplacer(":", "-", "/", "-", `\`, "-").Replace(text)
}
