package service

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"contend/internal/input"
)

// withoutFiles says how to let requests name files.
const withoutFiles = "start contend network with --files FOLDER, and give a file below it"

// file returns the name of a file in the folder of the service that a request gives.
func (v *Service) file(r *request, key string) (name string, err error) {
	err = r.Read(key, "the name of a file", &name)
	switch {
	case err != nil:
	case name == "":
		err = fmt.Errorf("%s is empty: give the name of a file", key)
	case v.Files == nil:
		err = fmt.Errorf("%s names a file, and this network has no folder: %s", key, withoutFiles)
	case !filepath.IsLocal(name):
		err = fmt.Errorf("%s is not below the folder of the network: %s", key, withoutFiles)
	}
	return name, err
}

// fileOf returns the path of a file that the pattern of a request names.
func (v *Service) fileOf(name string) (string, *input.Error) {
	refuse := func(problem string) (string, *input.Error) {
		return "", input.Bad("", withoutFiles, "%s", problem)
	}
	if v.Files == nil {
		return refuse("the pattern names a file, and this network has no folder")
	}
	if !filepath.IsLocal(name) {
		return refuse("the pattern names a file that is not below the folder of the network")
	}
	// Some patterns name what several files begin with: then the folder has to be within.
	for _, part := range []string{filepath.Dir(name), name} {
		if _, err := v.Files.Stat(part); err != nil && !errors.Is(err, os.ErrNotExist) {
			return refuse("the pattern names a file that links lead out of the folder of the network")
		}
	}
	return filepath.Join(v.Files.Name(), name), nil
}

// create writes a file that is not there yet.
func (v *Service) create(name string, text []byte) (err error) {
	file, err := v.Files.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already: give a new name", name)
	}
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		v.Files.Remove(name)
	}
	return err
}

// read returns what a file holds, up to the limits of saved states.
func (v *Service) read(name string) ([]byte, error) {
	file, err := v.Files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fmt.Errorf("%s is not a file that save has written", name))
	}
	return io.ReadAll(savedLimits.Reader(name, file))
}
