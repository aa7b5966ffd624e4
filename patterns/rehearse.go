package patterns

// Rehearse runs a program without a network: each message arrives as soon as it is sent, in the
// order of sending, and has entered the network before. When none is left, time advances to the
// next cycle in which the program continues by itself. Rehearse calls each for every message. The
// error is that of Waking.Next.
func Rehearse(p Program, each func(Message)) error {
	timed, _ := p.(Timed)
	waking, _ := p.(Waking)
	entering, _ := p.(Entering)
	if timed != nil {
		timed.At(0)
	}
	queue := p.Start(nil)
	for {
		for head := 0; head < len(queue); {
			m := queue[head]
			if head++; 2*head >= len(queue) { // half or more has arrived: make room
				queue, head = queue[:copy(queue, queue[head:])], 0
			}
			each(m)
			if waking != nil {
				waking.Sent(m)
			}
			if entering != nil {
				queue = entering.Entered(queue, m)
			}
			queue = p.Delivered(queue, m)
		}
		if queue = queue[:0]; waking == nil || p.Done() {
			return nil
		}
		cycle, err := waking.Next()
		if err != nil || cycle == Never {
			return err
		}
		waking.At(cycle)
		queue = waking.Wake(queue)
	}
}
