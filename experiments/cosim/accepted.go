package cosim

import (
	"sync"

	"contend/scheduler"
)

// accepted is the set of requests that plans have accepted that differ in their seeds alone. Ten
// thousand seeds draw the same few sizes and shapes again and again.
type accepted struct {
	mu    sync.Mutex
	known map[acceptedKey]bool
}

// acceptedKey is what the checks of a job look at.
type acceptedKey struct {
	pattern, size int
	sends         bool
	sides         int // of the shape, 0 without one
	shape         [3]int
}

// acceptedKeyOf returns the key of a job. It reports false for shapes of more than three sides.
func acceptedKeyOf(j *scheduler.Job, sends bool) (acceptedKey, bool) {
	key := acceptedKey{pattern: j.Pattern, size: j.Size, sends: sends, sides: len(j.Shape)}
	copy(key.shape[:], j.Shape)
	return key, key.sides <= len(key.shape)
}

// has reports whether a request has been accepted.
func (a *accepted) has(key acceptedKey) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.known[key]
}

// add keeps a request that has been accepted.
func (a *accepted) add(key acceptedKey) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil {
		a.known = map[acceptedKey]bool{}
	}
	a.known[key] = true
}
