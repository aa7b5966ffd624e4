"""Run contend from Python and read its results as pandas data frames.

Copy this file beside your script. It needs Python 3.8, pandas and the program
contend, which it finds in the path or under the name in $CONTEND.

    import contend
    results = contend.run("lo-table1", quick=True, axes={"allocator": ["mbs", "random"]})
    results.wide.groupby("allocator").finish_time.mean()
"""

import json
import os
import re
import subprocess
import tempfile
from functools import cached_property
from pathlib import Path

import pandas

PROGRAM = os.environ.get("CONTEND", "contend")


class Error(Exception):
    """contend failed. The text is what it said; status is its exit status."""

    def __init__(self, text, status):
        super().__init__(text)
        self.status = status


class InputError(Error):
    """The study, a key or a flag is wrong; the text says what would be right."""


class MissingError(Error):
    """A log is missing. The runs that do not need it are finished and stored."""


class Results:
    """The output folder of a study. Its tables are read when they are asked for."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __repr__(self):
        return f"Results({str(self.folder)!r})"

    @cached_property
    def notes(self):
        """What the program said of the runs: loads, time scales and what was not as expected."""
        path = self.folder / "notes.txt"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    @cached_property
    def runs(self):
        """A row for each run and metric."""
        return self.table("runs")

    @cached_property
    def wide(self):
        """A row for each run, a column for each metric."""
        return self.table("wide")

    @cached_property
    def jobs(self):
        """A row for each job; needs run(..., jobs=True)."""
        return self.table("jobs")

    @cached_property
    def summary(self):
        """A row for each point and metric: means with confidence intervals."""
        return pandas.read_csv(self.folder / "summary.csv")

    def columns(self, table):
        """The columns of runs, wide, jobs or links: type, unit and description."""
        fields = pandas.DataFrame(self._resource(table)["schema"]["fields"])
        wanted = ["type", "unit", "description"]
        return fields.set_index("name").reindex(columns=wanted).fillna("")

    def table(self, name):
        """A table with the types of its schema. Empty cells are missing values."""
        resource = self._resource(name)
        types = {"integer": "Int64", "number": "float64", "boolean": "boolean", "string": "object"}
        if resource["format"] == "parquet":  # a table of many rows; pandas needs pyarrow for it
            return pandas.read_parquet(self.folder / resource["path"])
        return pandas.read_csv(
            self.folder / resource["path"], keep_default_na=False, na_values=[""],
            dtype={f["name"]: types[f["type"]] for f in resource["schema"]["fields"]})

    def _resource(self, name):
        package = json.loads((self.folder / "datapackage.json").read_text(encoding="utf-8"))
        if package["schema_version"] != 1:
            raise ValueError(f"{self.folder} has tables of another version of contend")
        for resource in package["resources"]:
            if resource["name"] == name:
                return resource
        raise KeyError(f"{self.folder} has no table {name}; run the study with {name}=True")


def run(study, out=None, *, axes=None, set=None, quick=False, seed=None, workers=None,
        trace=None, traces=(), jobs=False, links=False, arguments=()):
    """Run a study and return its Results. Finished runs in the folder are not repeated.

    study is the name of a built-in study, the path of a TOML file, or the text of one.
    out is the output folder, by default out/NAME. axes gives axes new values, as in
    {"allocator": ["mbs", "paging:2"]}; set sets keys, as in {"workload.jobs": 100}.
    jobs and links ask for the tables of jobs and of channels. arguments are passed on
    as they are. An Error has the text that the program printed.
    """
    given = []
    for key, values in (axes or {}).items():
        given.append(f"--axis={key}=" + ",".join(map(_text, values)))
    given += [f"--set={key}={_text(value)}" for key, value in (set or {}).items()]
    given += [f"--traces={folder}" for folder in traces]
    for flag, value in {"out": out, "seed": seed, "workers": workers, "trace": trace}.items():
        if value is not None:
            given.append(f"--{flag}={value}")
    for flag, wanted in {"quick": quick, "jobs-csv": jobs, "links-csv": links}.items():
        if wanted:
            given.append(f"--{flag}")
    if "\n" not in str(study):
        return _results(command("run", str(study), "--no-progress", *given, *arguments))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.toml"
        path.write_text(study, encoding="utf-8")
        return _results(command("run", str(path), "--no-progress", *given, *arguments))


def command(*arguments):
    """Run the program and return what it prints. An Error has the text of its error."""
    try:
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(f"there is no program {PROGRAM}; $CONTEND may name it") from None
    if done.returncode == 0:
        return done.stdout
    if done.returncode == 130:
        raise KeyboardInterrupt
    kind = {2: InputError, 3: MissingError}.get(done.returncode, Error)
    raise kind(done.stderr.strip() or done.stdout.strip(), done.returncode)


def _results(printed):
    """The results in the folder that the program names in its last line."""
    return Results(re.findall(r"^Results are in (.*)$", printed, re.MULTILINE)[-1])


def _text(value):
    """A value as flags have it: lists and booleans as in TOML, other values as they are."""
    if isinstance(value, (bool, list, tuple)):
        return json.dumps(value)
    return str(value)
