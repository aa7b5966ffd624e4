// Package must makes what tests need and whose errors none of them expects.
package must

// Have returns a value, and panics if there is an error instead.
func Have[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
