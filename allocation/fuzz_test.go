package allocation

import "testing"

// FuzzAllocators runs a stream of jobs on a machine of any sides with one allocator. It
// compares each decision with the reference. After all jobs have ended the machine is
// whole again.
func FuzzAllocators(f *testing.F) {
	f.Add(uint8(8), uint8(8), uint8(1), []byte{5, 0, 200, 16, 3, 7, 129})
	f.Add(uint8(12), uint8(10), uint8(4), []byte{0x42, 0x31, 0x99, 0x17, 0xff, 0x81})
	f.Add(uint8(1), uint8(9), uint8(9), []byte{3, 3, 3, 128, 128})
	f.Add(uint8(7), uint8(3), uint8(6), []byte{0x21, 0x12, 0x80, 0x7f})
	for form := range uint8(20) { // the center-based ones
		f.Add(uint8(6), uint8(4), 16+form, []byte{0x05, 0x21, 0x12, 0xc0, 0x33, 0x44, 0x07, 0xd1, 0x60})
	}
	f.Fuzz(func(t *testing.T, sideX, sideY, form uint8, jobs []byte) {
		width, height := 1+int(sideX)%20, 1+int(sideY)%20
		forms := shortForms(width, height)
		if width*height <= 40 { // the plain ones are slow
			forms = append(forms, append(centerForms(), "optimal:1000")...)
		}
		short := forms[int(form)%len(forms)]
		machine := mesh(t, width, height)
		a, m := makeAllocator(t, short, machine), meter(t, machine)
		running := newRunningJobs(width * height)
		for i, b := range jobs[:min(len(jobs), 64)] {
			if running.finishOn(b) {
				continue
			}
			req := Request{Size: 1 + int(b)*width*height/192}
			if i%2 == 1 {
				w, h := 1+int(b&15)%width, 1+int(b>>4)%height
				req = Request{w * h, []int{w, h}}
			}
			checkDecision(t, short, a, width, height, running.free, running.set, req)
			nodes, ok := a.Allocate(nil, running.set, req)
			if !ok {
				continue
			}
			if q := m.Measure(nodes); q.Components < 1 || q.Components > len(nodes) ||
				q.BoxSize() < len(nodes) {
				t.Fatalf("%v: %+v", nodes, q)
			}
			running.start(nodes)
		}
		for len(running.jobs) > 0 {
			running.finish(0)
		}
		if n := running.set.Count(); n != width*height {
			t.Fatalf("%d of %d nodes free in the end", n, width*height)
		}
	})
}
