package netsim

import "testing"

// Each way to misuse Send has a panic of its own.
func TestSendRefuses(t *testing.T) {
	for want, k := range map[string]struct {
		c Config
		m Message
	}{
		"netsim: message from node 0 to 4 in a machine of 4": {Config{}, Message{To: 4, Flits: 1}},
		"netsim: message of 0 flits, want at least 1":        {Config{}, Message{To: 1}},
		"netsim: message of 3 flits, want 4": {Config{MessageFlits: 4},
			Message{To: 1, Flits: 3}},
	} {
		c := Default(cube(t, false, 4))
		c.MessageFlits = k.c.MessageFlits
		n, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("got the panic %v, want %s", got, want)
				}
			}()
			n.Send(k.m)
		}()
	}
}
