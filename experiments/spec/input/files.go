package input

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"contend/internal/bounded"
	"contend/internal/wholefile"
)

// WriteFile replaces a file in one step: see package wholefile.
func WriteFile(path string, text []byte) error {
	return WriteFileWith(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func WriteFileWith(path string, write func(io.Writer) error) error {
	return wholefile.Write(path, write)
}

func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// Pinned returns the digest of a log, which has to be the one recorded, if any is.
func Pinned(path, recorded string) (string, error) {
	file, err := bounded.Open(path, bounded.Log)
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
