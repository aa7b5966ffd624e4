//go:build unix && !solaris && !aix

package input

import (
	"errors"
	"os"
	"syscall"
)

// TryLock locks a file until it is closed. It reports false if another process holds the lock. On a
// file system without locks it reports true.
func TryLock(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}
