package patterns

import (
	"testing"
)

// FuzzVerify verifies arbitrary scripts. Verify never panics, and every script it
// accepts ends.
func FuzzVerify(f *testing.F) {
	f.Add([]byte{1, 0x11, 0, 2, 0x01, 0})
	f.Add([]byte{2, 0x01, 0, 1, 0x10, 0, 2, 0x10, 0, 1, 0x01, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		const n = 4
		lists := make(Lists, n)
		data = data[:min(len(data), 900)]
		for ; len(data) >= 3; data = data[3:] {
			r, peer, tag := data[1]>>4%n, Rank(data[1]%8)-1, int32(data[2]%2)
			var o Operation
			switch data[0] % 4 {
			case 1:
				o = Send(peer, int32(data[2]>>1), tag)
			case 2:
				o = Receive(peer, tag)
			case 3:
				o = Compute(int64(int8(data[2])))
			}
			lists[r] = append(lists[r], o)
		}
		v, err := Verify(n, lists)
		if err != nil {
			return
		}
		p := v.Program()
		p.At(0)
		sent, _ := deliverAll(t, p, n, func(n int) int { return n - 1 })
		if int64(len(sent)) != v.Messages() {
			t.Fatalf("%d messages, verified were %d", len(sent), v.Messages())
		}
	})
}
