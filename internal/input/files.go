package input

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Exists reports whether there is a file, also one whose folder may not be read.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// Pinned returns the SHA-256 of a log. It refuses a log that differs from the recorded digest, ""
// for none.
func Pinned(path, recorded string) (string, error) {
	file, err := Open(path, LogLimits)
	if err != nil {
		return "", Unreadable(err, "give a log that can be read")
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, file); err != nil {
		return "", &Error{Problem: err.Error(), Right: "give a log that can be read"}
	}
	sum := hex.EncodeToString(digest.Sum(nil))
	if recorded != "" && recorded != sum {
		return "", Bad("workload.trace_sha256", "find that log, or take the key out",
			"%s is not the log the spec was resolved with: its SHA-256 is %s, not %s", path, sum, recorded)
	}
	return sum, nil
}

// Unreadable returns the Error for a file of the user that cannot be read. If the
// file is not at fault, right says what to give. Where permissions are, the error says so.
func Unreadable(err error, right string) *Error {
	if errors.Is(err, fs.ErrPermission) {
		return &Error{Problem: err.Error(),
			Right: "change the permissions of the file and of its folders, or choose another"}
	}
	var bad *Error
	if errors.As(err, &bad) {
		return bad
	}
	return &Error{Problem: err.Error(), Right: right}
}

// Misplaced returns the Error for an error of the file system that the user can
// fix, and nil for a fault of the machine. The user can fix a file in place of a
// folder, a folder in place of a file, and missing permissions.
func Misplaced(err error) *Error {
	var bad *Error
	if errors.As(err, &bad) || errors.Is(err, fs.ErrPermission) {
		return Unreadable(err, "")
	}
	if errors.Is(err, syscall.EROFS) {
		return &Error{Problem: err.Error(), Right: "give a place that can be written to with -o"}
	}
	for _, one := range []error{syscall.ENOTDIR, syscall.EISDIR, syscall.EEXIST, syscall.ENOTEMPTY,
		syscall.ENAMETOOLONG, syscall.ELOOP} {
		if errors.Is(err, one) {
			return &Error{Problem: err.Error(),
				Right: "the folder is damaged or is no output folder; move it away, or choose another"}
		}
	}
	return nil
}

// MachineFault reports whether the disk is full or broken, which is no fault of the user's input.
func MachineFault(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err,
		syscall.EIO)
}
