package experiments

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"contend/experiments/metrics"
	"contend/internal/input"
	"contend/internal/written"
)

// CheckLinks refuses an output folder with a symbolic link that leads out of it: writing to the
// link would replace a file elsewhere. The folder itself may be a link.
func CheckLinks(dir string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil // it is not there
	}
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink == 0 {
			return nil // what cannot be read is said where it is read
		}
		target, err := filepath.EvalSymlinks(path)
		if err == nil && strings.HasPrefix(target, root+string(os.PathSeparator)) {
			return nil
		}
		return &input.Error{Where: path,
			Problem: "it is a symbolic link that leads out of the output folder",
			Right:   "remove the link, or give another folder with -o"}
	})
}

// FilesOf lists the files of an output folder from which commands read its results.
func FilesOf(out *written.Folder) (paths []string, err error) {
	names := append(out.Names(), specFile, RunsFile, notesFile, LockFile, written.Record)
	for _, name := range names {
		paths = append(paths, out.Path(name))
	}
	for _, of := range metrics.RowTables {
		folder := out.Path(of.Name + ".d")
		parts, err := os.ReadDir(folder)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		for _, e := range parts {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, nil
}
