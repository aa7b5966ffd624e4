package external_test

import (
	"fmt"

	"contend/experiments/service/external"
	"contend/internal/must"
)

// The text of a command has the words of its program, and what is said of it in front.
func ExampleParseCommand() {
	c := must.Have(external.ParseCommand(`deadline=60 python3 place.py --prefer "near the disks"`))
	fmt.Println(len(c.Words), "words,", c.Deadline, "for an answer")
	fmt.Println(c)
	// Output:
	// 4 words, 1m0s for an answer
	// deadline=60 python3 place.py --prefer "near the disks"
}
