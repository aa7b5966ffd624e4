package written

import (
	"os"
	"sync"
)

// unfinished has the names under which ReplaceWith writes now.
var unfinished nameSet

// nameSet is a set of names of files. Several goroutines may use it at the same time.
type nameSet struct {
	mu    sync.Mutex
	names map[string]bool
}

// add adds a name and returns a function that takes it out.
func (s *nameSet) add(name string) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[name] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.names, name)
	}
}

// RemoveUnfinished removes what ReplaceWith has written so far of files that are not complete,
// for a process that ends at once. No other call of ReplaceWith begins or ends after it.
func RemoveUnfinished() {
	unfinished.mu.Lock() // for good
	for name := range unfinished.names {
		os.Remove(name)
	}
}
