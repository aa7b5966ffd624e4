package service

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"contend/internal/input"
)

// checkInFolder refuses a file name that is not below the folder of the service.
func (v *Service) checkInFolder(what, name string) error {
	const right = "start contend network with --files FOLDER, and give a file below it"
	switch {
	case v.Files == nil:
		return fmt.Errorf("%s names a file, and this network has no folder: %s", what, right)
	case !filepath.IsLocal(name):
		return fmt.Errorf("%s is not below the folder of the network: %s", what, right)
	}
	return nil
}

// fileName reads the name of the file to save or to load.
func (v *Service) fileName(r *request) (name string, err error) {
	if err := r.Read(r.kind, "the name of a file", &name); err != nil {
		return "", err
	}
	if name == "" {
		return "", fmt.Errorf("%s is empty: give the name of a file", r.kind)
	}
	return name, v.checkInFolder(r.kind, name)
}

// patternFile returns the path of a file that the pattern of a request names.
func (v *Service) patternFile(name string) (string, *input.Error) {
	if err := v.checkInFolder("the file of the pattern", name); err != nil {
		return "", &input.Error{Problem: err.Error()}
	}
	// Some patterns name what several files begin with: then the folder has to be within. Patterns of
	// the registry open what they find through it; others are on their own behind these checks.
	for _, part := range []string{filepath.Dir(name), name} {
		info, err := v.Files.Stat(part)
		switch {
		case err != nil && !errors.Is(err, os.ErrNotExist):
			return "", input.Bad("", "give a file below it",
				"the file of the pattern is behind a link that leads out of the folder of the network")
		case err == nil && !info.IsDir() && !info.Mode().IsRegular():
			return "", input.Bad("", "give a file", "%s is a pipe, device or socket", part)
		}
	}
	v.Names.ReadWithin(v.Files)
	return filepath.Join(v.Files.Name(), name), nil
}

// createFile writes a file that must not exist yet.
func (v *Service) createFile(name string, text []byte) (err error) {
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

// readFile returns the text of a file, within the limits of saved states.
func (v *Service) readFile(name string) ([]byte, error) {
	// Opening a pipe would wait for its writer, so Stat comes first.
	if info, err := v.Files.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file that save has written", name)
	}
	file, err := v.Files.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(savedLimits.Reader(name, file))
}
