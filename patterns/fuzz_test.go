package patterns

import (
	"testing"

	"contend/internal/must"
)

// FuzzCodes verifies any code, of any class and number of processes, and drives it in
// any order of delivery.
func FuzzCodes(f *testing.F) {
	f.Add(uint8(0), uint8(0), uint8(5), uint16(1000), uint8(0), uint64(1))
	f.Add(uint8(8), uint8(1), uint8(15), uint16(3), uint8(5), uint64(2))
	f.Add(uint8(11), uint8(0), uint8(11), uint16(0), uint8(255), uint64(3))
	f.Fuzz(func(t *testing.T, name, class, n uint8, vector uint16, scale uint8, seed uint64) {
		names := codeNames()
		c := Config{Name: names[int(name)%len(names)].Name, Class: Classes()[class%5],
			Bytes: int64(vector), Scale: float64(scale) / 255, Iterations: 1}
		size := 1 + int(n%40)
		code, err := NewCode(c, size)
		if err != nil {
			return
		}
		v, err := Verify(size, Repeat(code, 1))
		if err != nil || v.Messages() != code.Messages() {
			t.Fatalf("%+v, %d processes: %d messages, %d by count, %v", c, size, v.Messages(),
				code.Messages(), err)
		}
		p := must.Have(New(c, size, nil, 0, nil))
		if sent, _ := deliverAll(t, p, size, seeded(seed).IntN); int64(len(sent)) != code.Messages() {
			t.Fatalf("%+v, %d processes: %d messages, want %d", c, size, len(sent), code.Messages())
		}
	})
}

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
