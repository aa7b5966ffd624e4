package experiments

import (
	"os"
	"sync"
	"time"
)

// A syncer syncs a file that lines are appended to: at most once every
// syncEvery, and within that time of the first line that is not synced. What
// was written survives the end of the program without it; it is for the end of
// the machine. A sync takes 10 ms on a disk, as long as a short run.
type syncer struct {
	// each syncs every line before dirty returns.
	each bool

	mu    sync.Mutex
	timer *time.Timer // nil: all lines are synced
	err   error       // of a sync in the background
}

const syncEvery = time.Second

// dirty notes that a line was written, and returns what went wrong in a sync.
func (s *syncer) dirty(file *os.File) error {
	if s.each {
		return file.Sync()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer == nil && s.err == nil {
		s.timer = time.AfterFunc(syncEvery, func() { s.sync(file) })
	}
	return s.err
}

func (s *syncer) sync(file *os.File) {
	s.mu.Lock()
	s.timer = nil // lines written from now on may miss this sync
	s.mu.Unlock()
	if err := file.Sync(); err != nil {
		s.mu.Lock()
		s.err = err
		s.mu.Unlock()
	}
}

// close syncs what is left and closes the file.
func (s *syncer) close(file *os.File) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
		if err := file.Sync(); s.err == nil {
			s.err = err
		}
	}
	if err := file.Close(); err != nil {
		return err
	}
	return s.err
}
