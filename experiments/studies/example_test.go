package studies_test

import (
	"fmt"
	"strings"

	"contend/experiments/studies"
)

// A built-in study is a TOML file.
func ExampleTOML() {
	text, ok := studies.TOML("demo")
	title, _, _ := strings.Cut(text, "\n")
	fmt.Println(ok, title)
	// Output: true name = "demo"
}
