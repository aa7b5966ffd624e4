//go:build linux || darwin

package doctor

import "syscall"

// freeSpace returns the bytes a user may still write below a folder, -1 where
// the system does not tell.
func freeSpace(dir string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
