//go:build long

package cli

import (
	"os/exec"
	"testing"
)

// useContend is a script that asks the module contend for what the documents do not
// show. It exits with status 0 if all is as it should be.
const useContend = `
import contend, os, pathlib, sys
assert "pandas" not in sys.modules, "imported before a table is asked for"

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
figure = """
[[axes]]
key = "allocator"
values = ["first-fit"]
[[figures]]
name = "finish"
kind = "bars"
x = "allocator"
metric = "finish_time"
"""
axes = {"machine.dims": [[4, 4], [2, 8]], "allocator.rotate": [False, True],
        "network.buffer_flits": [1, 2]}
results = contend.run(text, "folder", axes=axes, links=True, seed=3, workers=1)
wide, jobs = results.wide, results.jobs
assert len(wide) == 8 and len(jobs) == 32, (len(wide), len(jobs))
assert list(wide["machine.dims"].unique()) == ["[4, 4]", "[2, 8]"], wide["machine.dims"]
assert wide["allocator.rotate"].dtype == "boolean" and wide["allocator.rotate"].sum() == 4
assert wide["network.buffer_flits"].dtype == "Int64" and jobs.processors.dtype == "Int64"
assert results.table("links").node.isna().any()
long = results.runs[results.runs.metric == "finish_time"].value
assert list(long) == list(wide.finish_time)
assert results.columns("jobs").unit["wait_time"] == jobs.attrs["units"]["wait_time"] == "cycles"
assert results.summary.attrs["units"]["mean"] == "unit" and "metric" not in wide.attrs["units"]
summary = results.summary[results.summary.metric == "finish_time"]
assert len(summary) == 8

# A finished study is read, not run again.
file = pathlib.Path("folder/runs.jsonl")
before = file.read_bytes()
again = contend.run("folder/spec.toml", "folder")
assert file.read_bytes() == before and again.wide.equals(wide)
assert again.jobs.equals(jobs), "the rows are there, and of these runs"
plain = contend.run(text + figure, "plain", allocator=["mbs", "random"], seed=3, jobs=False)
try:
    plain.jobs
    assert False, "jobs were not asked for"
except contend.InputError as error:
    assert "jobs=True" in str(error)

pairs = plain.compare(metric=["finish_time", "jobs"])
assert list(zip(pairs.metric, pairs.a, pairs.b)) == [
    ("finish_time", "mbs", "random"), ("jobs", "mbs", "random")], pairs
mean = plain.wide.groupby("allocator").finish_time.mean()
assert abs(pairs.difference[0] - (mean["mbs"] - mean["random"])) < 1e-5, (pairs, mean)
assert len(plain.compare()) > 2
assert len(results.compare("machine.dims", metric="jobs", where={"allocator.rotate": True})) == 2
assert "<svg" in plain.figure("finish")._repr_svg_()
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

os.environ["CONTEND"] = "no-such-program"
try:
    contend.command("list")
    assert False
except FileNotFoundError as error:
    assert "no-such-program" in str(error) and "$CONTEND" in str(error), error
sys.modules["pandas"] = None  # as if it were not installed
try:
    plain.runs
    assert False
except ImportError as error:
    assert "python3-pandas" in str(error), error
`

func TestLongPythonModule(t *testing.T) {
	program := python("pandas")
	if program == "" {
		t.Skip("there is no python3 with pandas")
	}
	command := exec.Command(program, "-c", useContend)
	command.Dir, command.Env = t.TempDir(), withModule()
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
