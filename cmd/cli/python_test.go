package cli

import (
	"os/exec"
	"testing"
)

// readsInside asks the module contend for the tables of packages that name files elsewhere. pandas
// is another one, which only says that it was called.
const readsInside = `
import json, os, pathlib, sys, types
frame = types.SimpleNamespace(attrs={})
sys.modules["pandas"] = types.SimpleNamespace(read_csv=lambda path, **_: frame,
                                              read_parquet=lambda path: frame)
import contend
folder = pathlib.Path("results")
(folder / "inner").mkdir(parents=True)
for name in folder / "a.csv", folder / "inner" / "b.csv", pathlib.Path("outside.csv"):
    name.write_text("x\n1\n")
os.symlink("../outside.csv", folder / "link.csv")
os.symlink("a.csv", folder / "within.csv")
os.symlink("..", folder / "up")
os.symlink(folder, "alias")
outside = str(pathlib.Path("outside.csv").resolve())
for path, good in [("a.csv", True), ("inner/b.csv", True), ("within.csv", True),
                   ("../outside.csv", False), ("inner/../../outside.csv", False),
                   ("inner/../a.csv", False), (outside, False), ("link.csv", False),
                   ("up/outside.csv", False), ("", False), (".", False), (7, False), (None, False)]:
    (folder / "spec.toml").touch()
    package = {"schema_version": 1, "resources": [
        {"name": "runs", "path": path, "format": "csv", "schema": {"fields": []}}]}
    (folder / "datapackage.json").write_text(json.dumps(package))
    for of in "results", "alias", folder.resolve():
        results = contend.Results(of)
        try:
            read = results.table("runs") is frame
        except contend.InputError as error:
            read = False
            assert "datapackage.json names" in str(error), error
        assert read == good, (path, read)
`

func TestModuleReadsInsideItsFolder(t *testing.T) { runPython(t, readsInside) }

// runPython runs a script that may import the module contend, and must end with status 0.
func runPython(t *testing.T, script string) {
	t.Helper()
	program := python("json")
	if program == "" {
		t.Skip("there is no python3")
	}
	command := exec.Command(program, "-c", script)
	command.Dir, command.Env = t.TempDir(), withModule()
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// usesResults runs a study without pandas. A notebook is one that keeps what it is told to show.
const usesResults = `
import contextlib, csv, io, pathlib, sys, types
import contend

study = """
name = "small"
primary = ["wait_time"]
[machine]
dims = [8, 8]
[workload]
jobs = 40
system_load = 3.0
[job]
run = "fixed"
[runs]
replications = 3
warmup_jobs = 5
cooldown_jobs = 10
[[axes]]
key = "allocator"
values = ["first-fit", "mbs"]
[[figures]]
name = "waits"
kind = "bars"
x = "allocator"
metric = "wait_time"
"""

def refused(call, *wanted):
    try:
        call()
    except contend.InputError as error:
        assert error.status == 2 and all(text in str(error) for text in wanted), error
    else:
        assert False, wanted

# A line of progress in place of the one before: on standard error if that is wanted or a terminal,
# in a notebook in its output.
errors = io.StringIO()
with contextlib.redirect_stderr(errors):
    contend.run(study, "out/small")
    contend.run(study, "out/once", progress=False)
    assert errors.getvalue() == "", errors.getvalue()
    contend.run(study, "out/twice", progress=True)
lines = errors.getvalue().split("\r")
assert lines[-1] == "" and lines[-2].strip() == "" and lines[-3] == "6 of 6 runs, 100%", lines
assert all(" of " in line and " runs, " in line for line in lines[1:-2]), lines

shown = []
handle = types.SimpleNamespace(update=lambda data, raw: shown.append(data["text/plain"]))
notebook = types.ModuleType("IPython")
notebook.display = types.ModuleType("IPython.display")
notebook.get_ipython = lambda: types.SimpleNamespace(kernel=1)
notebook.display.display = lambda data, raw, display_id: handle
sys.modules.update({"IPython": notebook, "IPython.display": notebook.display})
errors = io.StringIO()
with contextlib.redirect_stderr(errors):
    contend.run(study, "out/third")
    refused(lambda: contend.run(study, "out/fourth", set={"machine.dim": 3}),
            "did you mean machine.dims?")
assert errors.getvalue() == "" and shown[-1] == "" and "6 of 6 runs, 100%" in shown, shown

# What does not exist is refused with the closest name.
r = contend.Results("out/small")
refused(lambda: contend.Results("nix"), "nix does not exist", "give the folder")
refused(lambda: contend.Results("out/smal"), "did you mean " + str(pathlib.Path("out/small")))
refused(lambda: contend.Results("out"), "no spec.toml")
refused(lambda: contend.run(study, "out/x", alocator="mbs"), "run(alocator=...)",
        "did you mean allocator?")
refused(lambda: contend.run(study, qwzx=1), "there are study, out, allocator")
refused(lambda: r.compare(by="allocator", metrics="wait_time"), "did you mean metric?")
refused(lambda: r.figure("waits", kinds="gantt"), "did you mean kind?")
refused(lambda: r.figure("wait"), "waits")
refused(lambda: r.figure("x", kind="gant"), "did you mean", "gantt")
refused(lambda: r.figure("waits", where={"allocator": "mbs"}), "--kind")
refused(lambda: r.table("sumary"), "did you mean summary?")
refused(lambda: r.table("links"), "links=True")
assert not pathlib.Path("out/x").exists()
pathlib.Path("out/once/datapackage.json").unlink()
refused(lambda: contend.Results("out/once").wide, "has not ended")

# Figures are drawn from what is stored.
runs = pathlib.Path("out/small/runs.jsonl").read_bytes()
before = r.figure("waits").path.read_bytes()
assert before.startswith(b"<svg") or b"<svg" in before[:200]
assert r.figure("waits", arguments=["--width-mm=174"]).path.read_bytes() != before
r.figure("waits").path.unlink()
assert "<svg" in r.figure("waits")._repr_svg_()
gantt = r.figure("when", kind="gantt", where={"allocator": "mbs"})
assert gantt.path.name == "when.svg" and "<svg" in gantt._repr_svg_()
refused(lambda: r.figure("pdf", kind="gantt", where={"allocator": "mbs"},
                         arguments=["--format=pdf"]), "pdf.svg was not drawn")
assert pathlib.Path("out/small/runs.jsonl").read_bytes() == runs

# The mean over runs of the mean over their jobs that count is that of the summary.
def rows(name):
    with open("out/small/" + name, newline="") as file:
        return list(csv.DictReader(file))
for row in rows("summary.csv"):
    if row["metric"] != "wait_time":
        continue
    waits = {}
    for job in rows("jobs.csv"):
        if job["counts"] == "true" and job["allocator"] == row["allocator"]:
            waits.setdefault(job["replication"], []).append(float(job["wait_time"]))
    assert [len(list) for list in waits.values()] == [25] * 3
    mean = sum(sum(list) / len(list) for list in waits.values()) / len(waits)
    assert abs(mean - float(row["mean"])) < 1e-3, (mean, row["mean"])
`

func TestModuleUsesResults(t *testing.T) { runPython(t, usesResults) }
