package config

import (
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"contend/internal/call"
	"contend/internal/input"
)

// FileParameters are the parameters of a pattern that reads a file. What it is stands in about.
func FileParameters(about string) []Parameter {
	return []Parameter{{Name: "file", Type: File, Doc: about},
		{Name: "sha256", Type: Digest,
			Doc: fmt.Sprintf("the first %d digits of the SHA-256 of the file, "+
				"which a study adds", call.DigestDigits)}}
}

// fileLimits bound the files of patterns.
var fileLimits = input.Limits{Bytes: 4 << 30}

// FilesDigest is the digest of the file of FileParameters.
func FilesDigest(v Values) (string, error) { return DigestOf(v.Word("file")) }

// DigestOf returns the digest of what files hold, in their order.
func DigestOf(paths ...string) (string, error) {
	sum := sha256.New()
	for _, path := range paths {
		file, err := input.Open(path, fileLimits)
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

// pinned returns the values with the digest, unless the call gives it.
func pinned(v Values, digest func(Values) (string, error)) (Values, *input.Error) {
	name, given := v.Given(Digest)
	if name == "" || given != "" {
		return v, nil
	}
	sum, err := digest(v)
	if err != nil {
		return v, networkFileError(err)
	}
	return v.With(name, sum)
}

// checkDigest refuses files that hold something else than when the call was pinned.
func checkDigest(v Values, digest func(Values) (string, error)) error {
	_, given := v.Given(Digest)
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

// withoutDigests returns calls as users write them.
func withoutDigests(text string) string { return digests.ReplaceAllString(text, "$1") }

// namesPatterns tells whether the value of the key has calls of patterns.
func (k *Key) namesPatterns() bool {
	switch k.Path {
	case string(FieldPattern), string(FieldRules), string(FieldBackground), listPath:
		return true
	}
	return false
}

// withoutFolders returns calls without the folders of their files: those may move, and the digest
// tells what they hold.
func withoutFolders(text string) string { return folders.ReplaceAllString(text, "file=") }

// eachText returns a value of a key with what a function makes of each text in it. A row of
// workload.list counts as a text.
func eachText(path string, value any, of func(text string) (string, *input.Error)) (any,
	*input.Error) {
	if path == listPath {
		value = rowTexts(value)
	}
	switch v := value.(type) {
	case string:
		return of(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err *input.Error
			if list[i], err = eachText(path, v[i], of); err != nil {
				return value, err
			}
		}
		return list, nil
	}
	return value, nil
}

// Pinned returns a value of a key in which files have their digests behind their names.
func (r *Registry) Pinned(path string, value any) (any, *input.Error) {
	return eachText(path, value, func(text string) (string, *input.Error) {
		if path == string(FieldTraffic) {
			return pinnedTraffic(text)
		}
		k, _ := FindKey(path)
		if e, ok := r.find(k.Names, text); ok && call.IsText(e.parameters) {
			return r.canonical(e.table, text)
		}
		return r.eachCall(path, text, r.canonicalMix)
	})
}

// Beside returns a value of a key in which the files of patterns that are given relative to a
// folder have its path.
func (r *Registry) Beside(path string, value any, folder string) (any, *input.Error) {
	return r.EachFile(path, value, func(file string) (string, *input.Error) {
		if filepath.IsAbs(file) {
			return file, nil
		}
		file = filepath.Join(folder, file)
		return file, call.CheckFileName(file)
	})
}

// EachFile returns a value of a key with what a function makes of the files of patterns in it.
func (r *Registry) EachFile(path string, value any,
	of func(file string) (string, *input.Error)) (any, *input.Error) {
	value, err := eachText(path, value, func(text string) (string, *input.Error) {
		return r.eachCall(path, text, func(mix string) (string, *input.Error) {
			return eachPart(mix, func(w Weighted) (string, *input.Error) {
				return r.eachPartFile(w, of)
			})
		})
	})
	if err != nil {
		err.Key = path
	}
	return value, err
}

// eachCall returns a text of a key that names patterns with what a function makes of them. What is
// wrong with a text is said where it is read.
func (r *Registry) eachCall(path, text string, of func(mix string) (string, *input.Error)) (string,
	*input.Error) {
	switch path {
	case string(FieldPattern), string(FieldBackground):
		return of(text)
	case string(FieldRules):
		head, mix, _ := strings.Cut(text, ":")
		mix = strings.TrimSpace(mix)
		made, err := of(mix)
		if made == mix {
			return text, err
		}
		return head + ": " + made, err
	case listPath:
		fields, err := rowOf(text)
		if err != nil {
			return text, nil
		}
		mix, bad := of(fields["pattern"])
		fields["pattern"] = mix
		return rowTextOf(fields), bad
	}
	return text, nil
}

// eachPartFile returns a part of a mix with what a function makes of its files.
func (r *Registry) eachPartFile(w Weighted, of func(string) (string, *input.Error)) (string,
	*input.Error) {
	e, ok := r.find("patterns", w.Name)
	if !ok || e.digest == nil {
		return w.Label(), nil
	}
	v, err := e.parse(w.Label())
	if err != nil {
		return w.Label(), nil
	}
	name, file := v.Given(File)
	made, err := of(file)
	if err == nil {
		v, err = v.With(name, made)
	}
	if err != nil {
		return w.Label(), err
	}
	return v.String(), nil
}
