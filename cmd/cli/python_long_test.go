//go:build long

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"contend/internal/must"
)

// useContend is a script that asks docs/howto/contend.py for what the documents do not
// show. It exits with status 0 if all is as it should be.
const useContend = `
import contend, pathlib, pandas

text = """
name = "types"
[machine]
dims = [4, 4]
[workload]
jobs = 4
side.max = 2
[allocator]
name = "first-fit"
[runs]
replications = 1
"""
axes = {"machine.dims": [[4, 4], [2, 8]], "allocator.rotate": [False, True],
        "network.buffer_flits": [1, 2]}
results = contend.run(text, "folder", axes=axes, jobs=True, links=True, seed=3, workers=1)
wide, jobs = results.wide, results.jobs
assert len(wide) == 8 and len(jobs) == 32, (len(wide), len(jobs))
assert list(wide["machine.dims"].unique()) == ["[4, 4]", "[2, 8]"], wide["machine.dims"]
assert wide["allocator.rotate"].dtype == "boolean" and wide["allocator.rotate"].sum() == 4
assert wide["network.buffer_flits"].dtype == "Int64" and jobs.processors.dtype == "Int64"
assert results.table("links").node.isna().any()
long = results.runs[results.runs.metric == "finish_time"].value
assert list(long) == list(wide.finish_time)
assert results.columns("jobs").unit["wait_time"] == "cycles"
summary = results.summary[results.summary.metric == "finish_time"]
assert len(summary) == 8

# A finished study is read, not run again.
file = pathlib.Path("folder/runs.jsonl")
before = file.read_bytes()
again = contend.run("folder/spec.toml", "folder")
assert file.read_bytes() == before and again.wide.equals(wide)
assert again.jobs.equals(jobs), "the rows are there, and of these runs"
plain = contend.run(text, "plain", seed=3, workers=1)
try:
    plain.jobs
    assert False, "jobs were not asked for"
except KeyError as error:
    assert "jobs=True" in str(error)

try:
    contend.run(text, "other", trace="nowhere.swf")
    assert False, "a log without use was accepted"
except contend.InputError as error:
    assert error.status == 2 and "nowhere.swf" in str(error), error
try:
    contend.run(text, "third", set={"workload.source": "swf", "workload.trace": "nowhere.swf"})
    assert False, "a log that is not there was found"
except contend.MissingError as error:
    assert error.status == 3 and "nowhere.swf" in str(error), error

contend.PROGRAM = "no-such-program"
try:
    contend.command("list")
    assert False
except FileNotFoundError as error:
    assert "$CONTEND" in str(error)
`

func TestLongPythonModule(t *testing.T) {
	program := python("pandas")
	if program == "" {
		t.Skip("there is no python3 with pandas")
	}
	modules := must.Have(filepath.Abs(filepath.Join("..", "..", "docs", "howto")))
	command := exec.Command(program, "-c", useContend)
	command.Dir = t.TempDir()
	command.Env = append(os.Environ(), "CONTEND_TRACES=", "PYTHONPATH="+modules,
		"PYTHONDONTWRITEBYTECODE=1")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
