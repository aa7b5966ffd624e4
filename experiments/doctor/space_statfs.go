//go:build linux || darwin

package doctor

import "syscall"

// freeSpace returns the bytes that a user may still write in a folder, -1 if they
// are unknown.
func freeSpace(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
