package experiments

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
)

// writeFile replaces a file in one step: readers, and a program killed at any
// time, see the old bytes or the new ones.
func writeFile(path string, text []byte) error {
	return writeFileWith(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func writeFileWith(path string, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), ".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	buffer := bufio.NewWriter(file)
	if err := write(buffer); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// pinned returns the digest of a log, which has to be the one known, if any is.
func pinned(path, known string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", &InputError{Problem: err.Error(), Right: "give a log that can be read"}
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, file); err != nil {
		return "", &InputError{Problem: err.Error(), Right: "give a log that can be read"}
	}
	sum := hex.EncodeToString(digest.Sum(nil))
	if known != "" && known != sum {
		return "", badInput("workload.trace_sha256", "find that log, or take the key out", "%s is not the log the spec was resolved with: its SHA-256 is %s, not %s", path, sum, known)
	}
	return sum, nil
}
