package netsim

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/internal/input"
)

// Files of weights that are wrong are refused with the line and the field.
func TestMatricesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"":                               ":1: the header is missing",
		"a,b,c\n":                        ":1: the header is missing",
		"from,to,weight\n0,1,2\n0,1,3\n": ":3: the pair 0, 1 occurs twice",
		"from,to,weight\n0,x,2\n":        `:2: to is "x"`,
		"from,to,weight\n-1,0,2\n":       `:2: from is "-1"`,
		"from,to,weight\n0,1,-2\n":       `:2: weight is "-2"`,
		"from,to,weight\n0,1,NaN\n":      `:2: weight is "NaN"`,
		"from,to,weight\n0,1\n":          ":2: the line has 2 fields, and the header 3",
		"from,to,weight\n0,1,\"x\n":      ":2: extraneous or missing",
	} {
		path := filepath.Join(t.TempDir(), "m.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, err := ReadMatrix(TrafficPattern{File: path})
		var bad *input.Error
		if !errors.As(err, &bad) {
			t.Fatalf("%q: %v is no error about input", text, err)
		}
		if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "m.csv") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	_, _, err := ReadMatrix(TrafficPattern{File: filepath.Join(t.TempDir(), "none.csv")})
	var bad *input.Error
	if !errors.As(err, &bad) {
		t.Errorf("%v is no error about input", err)
	}
}
