package wholefile_test

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"contend/internal/wholefile"
)

// A failed write leaves the old content.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "results.csv")
	write := func(text string, end error) error {
		return wholefile.Write(path, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, end)
		})
	}
	fmt.Println(write("wait,response\n", nil))
	fmt.Println(write("wait,", errors.New("no more results")))
	content, err := os.ReadFile(path)
	fmt.Printf("%q %v\n", content, err)
	// Output:
	// <nil>
	// no more results
	// "wait,response\n" <nil>
}
