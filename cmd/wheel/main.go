// Command wheel packs the Python module and a built program into a wheel, which pip installs.
//
//	SOURCE_DATE_EPOCH=SECONDS go run ./cmd/wheel VERSION GOOS/GOARCH PROGRAM DIR
//
// writes DIR/contend-VERSION-py3-none-PLATFORM.whl from the folder python and the file PROGRAM, a
// static binary for GOOS/GOARCH. The same input and SOURCE_DATE_EPOCH give the same bytes. The
// format is that of packaging.python.org, Binary distribution format, version 1.0.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"contend/internal/written"
)

// platforms names the machines of a wheel as pip knows them. A static binary runs on any libc, so
// wheels for Linux carry the oldest tags that pip still takes. Go 1.26 needs macOS 12.
var platforms = map[string]string{
	"linux/amd64":  "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":  "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64": "macosx_12_0_x86_64",
	"darwin/arm64": "macosx_12_0_arm64",
}

func main() {
	if err := run(os.Args[1:], os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(2)
	}
}

// run writes a wheel from the files in the working directory, the repository's root.
func run(args []string, epoch string) error {
	if len(args) != 4 {
		return errors.New("give VERSION GOOS/GOARCH PROGRAM DIR")
	}
	version, platform := args[0], platforms[args[1]]
	if platform == "" {
		return fmt.Errorf("no wheels are made for %s, only for %s", args[1],
			strings.Join(slices.Sorted(maps.Keys(platforms)), ", "))
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return errors.New("SOURCE_DATE_EPOCH must be a time in seconds, such as that of the commit")
	}
	files, err := filesOf(version, platform, args[2])
	if err != nil {
		return err
	}
	name := fmt.Sprintf("contend-%s-py3-none-%s.whl", version, platform)
	return written.ReplaceWith(filepath.Join(args[3], name), func(w io.Writer) error {
		return pack(w, files, time.Unix(seconds, 0).UTC())
	})
}

// file is a member of a wheel.
type file struct {
	name string
	text []byte
	mode os.FileMode
}

// filesOf returns the members of a wheel, RECORD last.
func filesOf(version, platform, program string) ([]file, error) {
	info := "contend-" + version + ".dist-info/"
	var files []file
	for _, f := range []struct {
		name, path string
		mode       os.FileMode
	}{
		{"contend/__init__.py", "python/contend/__init__.py", 0o644},
		{"contend/py.typed", "python/contend/py.typed", 0o644},
		{"contend-" + version + ".data/scripts/contend", program, 0o755},
		{info + "LICENSE", "LICENSE", 0o644},
		{info + "METADATA", "python/METADATA", 0o644},
	} {
		text, err := os.ReadFile(f.path)
		if err != nil {
			return nil, err
		}
		files = append(files, file{f.name, text, f.mode})
	}
	metadata := &files[len(files)-1].text
	*metadata = fmt.Appendf(*metadata, "Version: %s\n", version)
	wheel := "Wheel-Version: 1.0\nGenerator: contend\nRoot-Is-Purelib: false\n"
	for tag := range strings.SplitSeq(platform, ".") {
		wheel += "Tag: py3-none-" + tag + "\n"
	}
	files = append(files, file{info + "WHEEL", []byte(wheel), 0o644})
	return append(files, file{info + "RECORD", record(files, info+"RECORD"), 0o644}), nil
}

// record returns the list of files with their digests, and without one of the list itself.
func record(files []file, self string) []byte {
	var b bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.text)
		digest := base64.RawURLEncoding.EncodeToString(sum[:])
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, digest, len(f.text))
	}
	fmt.Fprintf(&b, "%s,,\n", self)
	return b.Bytes()
}

// pack writes files into an archive, all of one time.
func pack(w io.Writer, files []file, modified time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified}
		header.SetMode(f.mode)
		member, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := member.Write(f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}
