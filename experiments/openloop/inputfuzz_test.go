package openloop

import (
	"testing"

	"contend/experiments/config/configtest"
)

func FuzzLoads(f *testing.F) {
	for _, s := range []string{"0.02:0.40:0.02", "0.1,0.2", "nan", "0.1:0.2:1e-300", "1:0:0.1",
		"0.1:1:0", ":", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		loads, err := ParseLoads(text)
		if err != nil {
			configtest.MustBeInput(t, err)
			return
		}
		for i, x := range loads {
			if !(x > 0 && x <= 1) || i > 0 && x < loads[i-1] {
				t.Fatalf("%q is %v", text, loads)
			}
		}
	})
}
