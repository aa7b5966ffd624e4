package cli

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

func TestFingerprintOfABuild(t *testing.T) {
	hash := func() (string, error) { return "0123456789abcdef", nil }
	never := func() (string, error) { return "", errors.New("hashed without need") }
	set := func(key, value string) debug.BuildSetting {
		return debug.BuildSetting{Key: key, Value: value}
	}
	revision := set("vcs.revision", "89e6c0ffee1234567890")
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		hash func() (string, error)
		want string
	}{
		{"no information", nil, hash, "devel-0123456789ab"},
		{"go run", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, hash, "devel-0123456789ab"},
		{"a commit", &debug.BuildInfo{Settings: []debug.BuildSetting{revision, set("vcs.modified",
			"false")}}, never, "89e6c0ffee12"},
		{"a commit and changes", &debug.BuildInfo{Settings: []debug.BuildSetting{revision,
			set("vcs.modified", "true")}},
			hash, "89e6c0ffee12+modified-0123456789ab"},
		{"a module that was fetched", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3",
			Sum: "h1:x"}}, never, "v1.2.3"},
		{"a commit, and contend from a folder", &debug.BuildInfo{
			Settings: []debug.BuildSetting{revision, set("vcs.modified", "false")},
			Deps:     []*debug.Module{{Path: "contend", Replace: &debug.Module{Path: "../.."}}}},
			hash, "89e6c0ffee12+modified-0123456789ab"},
		{"a commit, and contend of another version", &debug.BuildInfo{
			Settings: []debug.BuildSetting{revision, set("vcs.modified", "false")},
			Deps: []*debug.Module{{Path: "contend", Replace: &debug.Module{Path: "x/contend",
				Version: "v1.0.0"}}}},
			never, "89e6c0ffee12"},
		{"a version without a sum", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, hash,
			"devel-0123456789ab"},
	} {
		if got := fingerprintOf(c.info, c.hash); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A packaged program names the version of its package.
func TestPackagedVersion(t *testing.T) {
	defer func(before string) { packagedVersion = before }(packagedVersion)
	packagedVersion = "1.2.3"
	if text := versionText(); !strings.HasPrefix(text, "contend 1.2.3\ncommit ") {
		t.Error(text)
	}
}
