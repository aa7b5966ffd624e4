package netsim

import (
	"testing"

	"contend/internal/must"
)

// Each way to misuse Send has a panic of its own.
func TestSendRefuses(t *testing.T) {
	for want, k := range map[string]struct {
		length, multiple int // that the network relies on
		m                Message
	}{
		"netsim: message from node 0 to 4 in a machine of 4": {0, 0, Message{To: 4, Flits: 1}},
		"netsim: message of 0 flits, want at least 1":        {0, 0, Message{To: 1}},
		"netsim: message of 3 flits, want 4":                 {4, 0, Message{To: 1, Flits: 3}},
		"netsim: message of 6 flits, want a multiple of 4":   {0, 4, Message{To: 1, Flits: 6}},
	} {
		c := Default(cube(t, false, 4))
		c.MessageFlits, c.MessageMultiple = k.length, k.multiple
		n := must.Have(New(c))
		if got := must.Panic(func() { n.Send(k.m) }); got != want {
			t.Errorf("got the panic %v, want %s", got, want)
		}
	}
}
