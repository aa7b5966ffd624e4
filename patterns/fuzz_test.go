package patterns

import (
	"testing"

	"pgregory.net/rapid"

	"contend/internal/must"
)

// FuzzPrograms drives any pattern in any order of delivery.
func FuzzPrograms(f *testing.F) {
	f.Add(uint8(0), uint8(0), uint16(7), uint16(20), uint16(1), uint64(1), []byte{0, 5, 3})
	f.Add(uint8(7), uint8(3), uint16(15), uint16(90), uint16(0), uint64(2), []byte{255})
	f.Add(uint8(12), uint8(2), uint16(4), uint16(0), uint16(2), uint64(3), []byte{})
	f.Fuzz(func(t *testing.T, name, cut uint8, n, quota, iterations uint16,
		seed uint64, order []byte) {
		c := Config{
			Name:       phaseNames()[int(name)%len(phaseNames())].Name,
			Order:      []string{"same", "rotated"}[name>>7],
			Cut:        []string{"round", "process", "phase", "iteration"}[cut%4],
			Flits:      1 + int(cut>>2),
			Iterations: int64(iterations % 4),
			Repeat:     2,
		}
		size, q := 1+int(n%24), int64(quota%1000)
		if c.Iterations == 0 && q == 0 {
			q = 1
		}
		p, err := New(c, size, nil, q, seeded(seed))
		if c.Name == "fft" && size&(size-1) != 0 {
			if err == nil {
				t.Fatalf("an FFT of %d processes", size)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		turn := 0
		sent, batches := deliverAll(t, p, size, func(n int) int {
			if len(order) == 0 {
				return 0
			}
			turn++
			return int(order[turn%len(order)]) * 257 % n
		})
		checkBarriers(t, sent, batches, expected(t, c, size, q, seed))
	})
}

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

// The scripts of the other tests send the same messages for any order of delivery
// (Kahn).
func TestOrderOfDeliveryDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := scripts(r)
		v := must.Have(Verify(s.n, s.lists))
		var first []Message
		for run := range uint64(4) {
			p := v.Program()
			p.At(0)
			sent, _ := deliverAll(t, p, s.n, seeded(run).IntN)
			if sent = sorted(sent); run == 0 {
				first = sent
			}
			if len(sent) != len(first) {
				r.Fatalf("%d messages, then %d", len(first), len(sent))
			}
			for i := range sent {
				if a, b := sent[i], first[i]; a.From != b.From || a.To != b.To || a.Flits != b.Flits ||
					a.Tag != b.Tag {
					r.Fatalf("%v, then %v", b, a)
				}
			}
		}
	})
}
