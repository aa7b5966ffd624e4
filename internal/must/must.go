// Package must has what tests do with errors that none of them expects, and with panics.
package must

import "fmt"

// Have returns a value, and panics if there is an error instead.
func Have[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Do panics if there is an error.
func Do(err error) {
	if err != nil {
		panic(err)
	}
}

// Panic returns what a function says in a panic, or "" if there is none.
func Panic(f func()) (text string) {
	defer func() {
		if got := recover(); got != nil {
			text = fmt.Sprint(got)
		}
	}()
	f()
	return ""
}
