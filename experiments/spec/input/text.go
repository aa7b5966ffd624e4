package input

import (
	"fmt"
	"strings"
)

// Plural writes a number of things.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func Join(prefix, part string) string {
	if prefix == "" {
		return part
	}
	return prefix + "." + part
}

func UpperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
