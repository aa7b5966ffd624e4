package contend_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"contend/internal/must"
)

// What make test-arm64 says where an emulator is missing, does not run a program, or gives other
// files. A script in place of go makes programs that only say for which processor they are; the
// kernel of this test runs those of amd64.
func TestProcessorsThatDoNotRun(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	const (
		builds = `#!/bin/sh
[ "$1" = build ] || exit 0
printf '#!/bin/sh\n[ "${RUN:-%s}" = amd64 ] || { echo "cannot execute" >&2; exit 126; }\n' \
	"${GOARCH:-amd64}" > "$4"
printf 'case $1 in run) mkdir -p $5; echo result ${OTHER:-1} > $5/runs.csv;; esac\n' >> "$4"
chmod +x "$4"
`
		works  = "#!/bin/sh\nRUN=amd64 exec \"$@\"\n"
		broken = "#!/bin/sh\necho Unsupported syscall >&2\necho more >&2\nexit 1\n"
		other  = "#!/bin/sh\nOTHER=2 RUN=amd64 exec \"$@\"\n"
	)
	const missing = "skipped: this kernel runs no programs of 386, and there is no qemu-i386-static\n" +
		"skipped: this kernel runs no programs of arm64, and there is no qemu-aarch64-static\n"
	for name, test := range map[string]struct {
		i386, arm64 string
		gate        bool
		want        string
		fails       bool
	}{
		"missing":             {want: missing},
		"missing in the gate": {gate: true, want: missing},
		"broken": {i386: works, arm64: broken,
			want: "386 under qemu-i386-static: the same files as on amd64\n" +
				"skipped: qemu-aarch64-static runs no programs of arm64: Unsupported syscall\n"},
		"broken in the gate": {i386: works, arm64: broken, gate: true, fails: true,
			want: "386 under qemu-i386-static: the same files as on amd64\n" +
				"test-arm64: qemu-aarch64-static runs no programs of arm64: Unsupported syscall\n"},
		"386 broken in the gate": {i386: broken, arm64: works, gate: true, fails: true,
			want: "test-arm64: qemu-i386-static runs no programs of 386: Unsupported syscall\n"},
		"other files": {i386: works, arm64: other, fails: true,
			want: "386 under qemu-i386-static: the same files as on amd64\n" +
				"diff -r -x .lock -x runs.jsonl -x contend.sha256 -I '^# Resolved by contend' " +
				"-I '^  \"program\": ' " +
				"build/processors/amd64/runs.csv build/processors/arm64/runs.csv\n" +
				"1c1\n< result 1\n---\n> result 2\n"},
	} {
		dir := t.TempDir()
		must.Do(os.MkdirAll(filepath.Join(dir, ".ci"), 0o777))
		must.Do(os.MkdirAll(filepath.Join(dir, "bin"), 0o777))
		script := filepath.Join(dir, ".ci", "processors")
		must.Do(os.WriteFile(script, must.Have(os.ReadFile(".ci/processors")), 0o777))
		for program, text := range map[string]string{"go": builds, "qemu-i386-static": test.i386,
			"qemu-aarch64-static": test.arm64} {
			if text != "" {
				must.Do(os.WriteFile(filepath.Join(dir, "bin", program), []byte(text), 0o777))
			}
		}
		for _, program := range []string{"sh", "bash", "dirname", "mkdir", "rm", "diff", "chmod", "cat"} {
			must.Do(os.Symlink(must.Have(exec.LookPath(program)), filepath.Join(dir, "bin", program)))
		}
		c := exec.Command(bash, script)
		c.Env = []string{"PATH=" + filepath.Join(dir, "bin")}
		if test.gate {
			c.Env = append(c.Env, "NEED_EMULATORS=1")
		}
		text, err := c.CombinedOutput()
		if got := string(text); got != test.want || (err != nil) != test.fails {
			t.Errorf("%s: %v\n%swant\n%s", name, err, got, test.want)
		}
	}
}
