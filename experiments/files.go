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

// FindTrace returns where a log is: at the path given, or in one of the folders
// under its name, with or without ".gz". The error is a *MissingError.
func FindTrace(name string, folders []string) (string, error) {
	missing := &MissingError{Trace: name}
	if name == "" {
		return "", missing
	}
	missing.Tried = []string{name}
	for _, dir := range folders {
		missing.Tried = append(missing.Tried, filepath.Join(dir, baseName(name)))
	}
	for _, path := range missing.Tried {
		for _, p := range []string{path, path + ".gz"} {
			if exists(p) {
				return p, nil
			}
		}
	}
	return "", missing
}

// PinTrace writes the digest of the study's log into its base spec, so that
// the results belong to that very log; a log that is not the one a resolved
// spec names is bad input. Variants with logs of their own get a digest each,
// as far as the logs are there; a study whose axis is the log is left as it is.
func (st *Study) PinTrace(folders []string) error {
	w := &st.Base.Workload
	if own, err := st.pinVariants(folders); own || err != nil {
		return err
	}
	for _, a := range st.Axes {
		if a.Key == "workload.trace" || a.Key == "workload.source" {
			return nil
		}
	}
	if w.Source != "swf" {
		return nil
	}
	path, err := FindTrace(w.Trace, folders)
	if err != nil {
		return err
	}
	if w.TraceSHA256, err = pinned(path, w.TraceSHA256); err != nil {
		return err
	}
	return nil
}

// pinVariants does so with the logs variants name, and tells whether one does.
func (st *Study) pinVariants(folders []string) (own bool, err error) {
	for _, v := range st.Variants {
		name, ok := v.Set["workload.trace"].(string)
		if !ok {
			continue
		}
		own = true
		path, err := FindTrace(name, folders)
		if err != nil {
			continue // the runner says so, and runs the others
		}
		known, _ := v.Set["workload.trace_sha256"].(string)
		if v.Set["workload.trace_sha256"], err = pinned(path, known); err != nil {
			return own, err
		}
	}
	return own, nil
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
