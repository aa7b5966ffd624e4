package config

// A call names an entry with its parameters, such as goal:file=ask.goal. Where a pattern reads
// files, a study adds their digest to its call, the first digits of their SHA-256: the call is then
// pinned, and runs refuse other content.

import (
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"contend/internal/call"
	"contend/internal/input"
)

// FileParameters returns the parameters of a pattern that reads files: file, described by about,
// and sha256.
func FileParameters(about string) []call.Parameter {
	return []call.Parameter{{Name: "file", Type: call.File, Doc: about},
		{Name: "sha256", Type: call.Digest,
			Doc: fmt.Sprintf("the first %d digits of the SHA-256 of the file, "+
				"which a study adds", call.DigestDigits)}}
}

// fileLimits bound the files of patterns.
var fileLimits = input.Limits{Bytes: 4 << 30}

// FilesDigest returns the digest of the file that the parameter "file" names.
func FilesDigest(v call.Values) (string, error) { return DigestOf(v.Files(), v.Word("file")) }

// DigestOf returns the first call.DigestDigits hexadecimal digits of the SHA-256 of the files,
// concatenated in the given order.
func DigestOf(files input.Files, paths ...string) (string, error) {
	sum := sha256.New()
	for _, path := range paths {
		file, err := files.Open(path, fileLimits)
		if err != nil {
			return "", input.Unreadable(err, "give a file")
		}
		_, err = io.Copy(sum, fileLimits.Reader(path, file))
		file.Close()
		if err != nil {
			return "", input.Unreadable(err, "give a file")
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil))[:call.DigestDigits], nil
}

// addDigest returns v with its digest parameter set to digest(v), or v unchanged if it has no such
// parameter or already gives a digest.
func addDigest(v call.Values,
	digest func(call.Values) (string, error)) (call.Values, *input.Error) {
	name, given := v.Given(call.Digest)
	if name == "" || given != "" {
		return v, nil
	}
	sum, err := digest(v)
	if err != nil {
		return v, networkFileError(err)
	}
	return v.With(name, sum)
}

// checkDigest returns an error if v gives a digest and its files are unreadable or differ from it.
func checkDigest(v call.Values, digest func(call.Values) (string, error)) error {
	_, given := v.Given(call.Digest)
	if given == "" {
		return nil
	}
	sum, err := digest(v)
	if err == nil && sum != given {
		err = &input.Error{Problem: fmt.Sprintf("%s: what it names has the digest %s now", v, sum),
			Right: "find the files as they were, or take the digest out"}
	}
	return err
}

// folders matches the folder of a file in a call.
var folders = regexp.MustCompile(`\bfile=[^+:,;"]*[/\\]`)

// digests matches a file and its digest in a call.
var digests = regexp.MustCompile(`\bfile=([^+:,;"]*),sha256=[0-9a-f]+`)

// programDigests matches the digest of the files of a program in a call.
var programDigests = regexp.MustCompile(`\b(exec:(?:deadline=[0-9.]+ )?)sha256=[0-9a-f]+ `)

// withoutDigests replaces each "file=F,sha256=D" in text by "F", the form in which users write it,
// and leaves out the digests of programs.
func withoutDigests(text string) string {
	return programDigests.ReplaceAllString(digests.ReplaceAllString(text, "$1"), "$1")
}

// namesPatterns reports whether a value of k can name communication patterns.
func (k *Key) namesPatterns() bool {
	return k.parser != nil && k.Path != string(FieldPlacement) && k.Path != failuresPath &&
		k.Path != string(FieldSeriesPairs)
}

// withoutFolders returns calls without the folders of their files: those may move, and the digest
// identifies the content.
func withoutFolders(text string) string { return folders.ReplaceAllString(text, "file=") }

// mapTexts returns value with of applied to each string in it, in nested lists, and to each row of
// a list of tables.
func mapTexts(path string, value any, of func(text string) (string, *input.Error)) (any,
	*input.Error) {
	if path == listPath || path == failuresPath {
		value = rowTexts(value)
	}
	switch v := value.(type) {
	case string:
		return of(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err *input.Error
			if list[i], err = mapTexts(path, v[i], of); err != nil {
				return value, err
			}
		}
		return list, nil
	}
	return value, nil
}

// Pinned returns value in canonical form, with sha256=D added to each pattern that reads a file.
func (r *Registry) Pinned(path string, value any) (any, *input.Error) {
	k, _ := FindKey(path)
	return mapTexts(path, value, func(text string) (string, *input.Error) {
		if path == string(FieldTraffic) {
			return pinnedTraffic(text)
		}
		if e, ok := r.find(k.Names, text); ok && !k.namesPatterns() && call.IsText(e.parameters) {
			return r.canonical(e.table, text)
		}
		return mapPatterns(&k, text, r.canonicalPart)
	})
}

// JoinFolder returns value with each relative file name in its patterns joined to folder.
func (r *Registry) JoinFolder(path string, value any, folder string) (any, *input.Error) {
	return r.MapFiles(path, value, func(file string) (string, *input.Error) {
		if filepath.IsAbs(file) {
			return file, nil
		}
		file = filepath.Join(folder, file)
		return file, call.CheckFileName(file)
	})
}

// MapFiles returns value with of applied to the file name in each of its patterns.
func (r *Registry) MapFiles(path string, value any,
	of func(file string) (string, *input.Error)) (any, *input.Error) {
	k, _ := FindKey(path)
	value, err := mapTexts(path, value, func(text string) (string, *input.Error) {
		return mapPatterns(&k, text, func(w Weighted) (Weighted, *input.Error) {
			return r.mapFile(w, of)
		})
	})
	if err != nil {
		err.Key = path
	}
	return value, err
}

// mapPatterns returns text with of applied to each pattern in it, or unchanged if it does not
// parse.
func mapPatterns(k *Key, text string, of mapPattern) (string, *input.Error) {
	if !k.namesPatterns() {
		return text, nil
	}
	value, err := k.parser.parse(text)
	if err != nil {
		return text, nil
	}
	made, bad := value.(patternHolder).each(of)
	return made.(patternHolder).String(), bad
}

// mapFile returns w with of applied to its file name, or unchanged if w reads no file.
func (r *Registry) mapFile(w Weighted, of func(string) (string, *input.Error)) (Weighted,
	*input.Error) {
	e, ok := r.find("patterns", w.Name)
	if !ok || e.digest == nil {
		return w, nil
	}
	v, err := e.parse(w.Label())
	if err != nil {
		return w, nil
	}
	name, file := v.Given(call.File)
	made, err := of(file)
	if err == nil {
		v, err = v.With(name, made)
	}
	if err != nil {
		return w, err
	}
	return w.withCall(v.String()), nil
}
