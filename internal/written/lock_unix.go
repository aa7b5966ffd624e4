//go:build unix && !solaris && !aix

package written

import (
	"errors"
	"os"
	"syscall"
)

// nonBlocking makes opening a pipe that nobody reads an error.
const nonBlocking = syscall.O_NONBLOCK

// locking says that there are locks.
const locking = true

// Lock locks a file until it is closed. It reports false if another process holds the lock. On a
// file system without locks it reports true.
func Lock(file *os.File) bool {
	return !errors.Is(flock(file, syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

// locks reports whether the file system has locks. The file is locked.
func locks(file *os.File) bool { return flock(file, syscall.LOCK_EX|syscall.LOCK_NB) == nil }

// await locks a file until it is closed, and waits for that. Without locks it does nothing.
func await(file *os.File) { flock(file, syscall.LOCK_EX) }

// flock is the system call, which signals interrupt.
func flock(file *os.File, how int) error {
	for {
		err := syscall.Flock(int(file.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
