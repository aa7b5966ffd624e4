package cosim

import (
	"fmt"
	"testing"
)

// What was asked for lately is still known when the memory is full, and what was not is forgotten.
func TestMemoryForgets(t *testing.T) {
	m := newMemory(1 << 16)
	first := &knowledge{use: make([]linkUse, 10)}
	m.keep("first", first)
	m.keep("unused", &knowledge{})
	for i := range 10000 {
		m.keep(fmt.Sprint(i), &knowledge{use: make([]linkUse, 20)})
		if m.find("first") != first {
			t.Fatalf("what is asked for is forgotten after %d others", i)
		}
		if m.find(fmt.Sprint(i)) == nil {
			t.Fatalf("%d is not known", i)
		}
	}
	if m.find("unused") != nil {
		t.Error("what was not asked for is still known")
	}
	if n := len(m.young) + len(m.former); n > 2*(1<<16)/(20*16) {
		t.Errorf("%d courses are known, more than the limit allows", n)
	}
}
