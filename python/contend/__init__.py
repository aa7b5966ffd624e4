"""Run contend from Python and read its results as pandas data frames.

    import contend
    results = contend.run("study.toml", allocator=["mbs", "random"])
    results.summary                      # means with intervals; units in .attrs["units"]
    results.compare(by="allocator")      # paired differences
    results.figure("response")           # drawn by a notebook

The module needs Python 3.8. Tables need pandas, which is imported when a table is
requested. The module takes the program from $CONTEND, from the folder of the interpreter,
where a wheel installs it, or from the path, in this order.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

if TYPE_CHECKING:
    import pandas

__all__ = ["Error", "Figure", "InputError", "MissingError", "Results", "command", "run"]


class Error(Exception):
    """contend failed. The text is its message; status is its exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class InputError(Error):
    """The study, a key or a flag is wrong; the text has the remedy."""


class MissingError(Error):
    """A log is missing. The runs that do not need it are finished and stored."""


@dataclass(frozen=True)
class Figure:
    """A figure of a study. A notebook draws it; path is the SVG file.

    Beside it are the same figure as PDF and PNG and the numbers drawn as CSV:
    path.with_suffix(".pdf").
    """

    path: Path

    def _repr_svg_(self) -> str:
        return self.path.read_text(encoding="utf-8")


class Results:
    """The output folder of a study. Its tables are read when they are asked for.

    Each table is a data frame with the types of its schema, whose .attrs["units"]
    has the units of columns by name. Empty cells are missing values.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def __repr__(self) -> str:
        return f"Results({str(self.folder)!r})"

    @cached_property
    def notes(self) -> list[str]:
        """Notes of the program on the runs: loads, time scales and warnings."""
        path = self.folder / "notes.txt"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []

    @cached_property
    def summary(self) -> pandas.DataFrame:
        """A row for each point and metric: means with confidence intervals."""
        return self.table("summary")

    @cached_property
    def runs(self) -> pandas.DataFrame:
        """A row for each run and metric."""
        return self.table("runs")

    @cached_property
    def wide(self) -> pandas.DataFrame:
        """A row for each run, a column for each metric."""
        return self.table("wide")

    @cached_property
    def jobs(self) -> pandas.DataFrame:
        """A row for each job; not after run(..., jobs=False).

        Means of summary leave out warm-up, cool-down and lost jobs: jobs[jobs.counts]
        has those that count. Of these, the mean by replication is that of runs.
        """
        return self.table("jobs")

    def compare(self, by: str = "allocator", *, metric: str | Sequence[str] = (),
                where: Mapping[str, Any] | None = None) -> pandas.DataFrame:
        """The values of an axis pair by pair: differences and ratios over the same jobs.

        metric selects metrics, by default all; where compares at given values of other
        axes alone, before p-values are adjusted. The rows are those that the command
        compare --by writes into the folder; the unit of a row is in its column unit.
        """
        metrics = [metric] if isinstance(metric, str) else list(metric)
        given = [f"--where={key}={_text(value)}" for key, value in (where or {}).items()]
        if metrics:
            given.append("--metric=" + ",".join(metrics))
        command("compare", f"--by={by}", *given, str(self.folder))
        rows = _pandas().read_csv(self.folder / f"comparison-{by}.csv",
                                  keep_default_na=False, na_values=[""])
        return rows[rows.metric.isin(metrics)].reset_index(drop=True) if metrics else rows

    def figure(self, name: str) -> Figure:
        """A figure that the study has in [[figures]], by its name."""
        path = self.folder / "figures" / f"{name}.svg"
        if not path.exists():
            names = sorted(p.stem for p in path.parent.glob("*.svg"))
            has = ", ".join(names) or "none: the study has no [[figures]]"
            raise LookupError(f"{self.folder} has no figure {name}; its figures: {has}")
        return Figure(path)

    def columns(self, table: str) -> pandas.DataFrame:
        """The columns of summary, runs, wide, jobs or links: type, unit and description."""
        fields = _pandas().DataFrame(self._resource(table)["schema"]["fields"])
        wanted = ["type", "unit", "description"]
        return fields.set_index("name").reindex(columns=wanted).fillna("")

    def table(self, name: str) -> pandas.DataFrame:
        """The table summary, runs, wide, jobs or links."""
        resource = self._resource(name)
        path, fields = self._inside(resource["path"]), resource["schema"]["fields"]
        if resource["format"] == "parquet":  # a table of many rows; pandas needs pyarrow for it
            table = _pandas().read_parquet(path)
        else:
            types = {"integer": "Int64", "number": "float64", "boolean": "boolean",
                     "string": "object"}
            table = _pandas().read_csv(path, keep_default_na=False, na_values=[""],
                                       dtype={f["name"]: types[f["type"]] for f in fields})
        table.attrs["units"] = {f["name"]: f["unit"] for f in fields if f.get("unit")}
        return table

    def _inside(self, name: Any) -> Path:
        """The path of a file that datapackage.json names: one in the folder, behind links too."""
        parts = Path(name).parts if isinstance(name, str) else ()
        path = self.folder.joinpath(*parts)
        inside = self.folder.resolve() in path.resolve().parents
        if not parts or Path(name).is_absolute() or ".." in parts or not inside:
            raise ValueError(f"{self.folder / 'datapackage.json'} names {name!r}, which is no file "
                             "in the folder")
        return path

    def _resource(self, name: str) -> dict[str, Any]:
        package = json.loads((self.folder / "datapackage.json").read_text(encoding="utf-8"))
        if package["schema_version"] != 1:
            raise ValueError(f"{self.folder} has tables of another version of contend")
        resources: list[dict[str, Any]] = package["resources"]
        for resource in resources:
            if resource["name"] == name:
                return resource
        raise LookupError(f"{self.folder} has no table {name}; run the study with {name}=True")


def run(study: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, *,
        allocator: str | Sequence[str] = (), axes: Mapping[str, Iterable[Any]] | None = None,
        set: Mapping[str, Any] | None = None, quick: bool = False, seed: int | None = None,
        workers: int | None = None, trace: str | os.PathLike[str] | None = None,
        traces: Iterable[str | os.PathLike[str]] = (), jobs: bool = True, links: bool = False,
        arguments: Iterable[str] = ()) -> Results:
    """Run a study and return its Results. Finished runs in the folder are not repeated.

    study is the name of a built-in study, the path of a TOML file, or the text of one.
    out is the output folder, by default out/NAME. allocator gives the axis of that name
    new values, axes others, as in {"workload.system_load": [0.5, 1.0]}; set sets keys,
    as in {"workload.jobs": 100}. jobs and links ask for the tables of jobs and of
    channels. With jobs=False a large study writes less, and runs that were stored
    without their jobs are not simulated again. arguments are passed on as they are. An
    Error has the text that the program printed.
    """
    axes = dict(axes or {})
    if allocator:
        axes["allocator"] = [allocator] if isinstance(allocator, str) else allocator
    given = []
    for key, values in axes.items():
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
        path.write_text(str(study), encoding="utf-8")
        return _results(command("run", str(path), "--no-progress", *given, *arguments))


def command(*arguments: str) -> str:
    """Run the program and return what it prints. An Error has the text of its error."""
    done = subprocess.run([_program(), *arguments], capture_output=True, encoding="utf-8")
    if done.returncode == 0:
        return done.stdout
    if done.returncode == 130:
        raise KeyboardInterrupt
    kind = {2: InputError, 3: MissingError}.get(done.returncode, Error)
    raise kind(done.stderr.strip() or done.stdout.strip(), done.returncode)


def _program() -> str:
    """The path of the program: see the text of the module."""
    beside = sysconfig.get_path("scripts"), sysconfig.get_path("scripts", "posix_user")
    named = os.environ.get("CONTEND")
    for name in [named] if named else [os.path.join(d, "contend") for d in beside] + ["contend"]:
        found = shutil.which(name)
        if found:
            return found
    raise FileNotFoundError(f"there is no program {named or 'contend'} beside {sys.executable} "
                            "or in the path; $CONTEND may name it")


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("tables need pandas: pip install pandas, or Debian's python3-pandas; "
                          "the CSV files in the folder of results need nothing") from None
    return pandas


def _results(printed: str) -> Results:
    """The results in the folder that the program names in its last line."""
    return Results(re.findall(r"^Results are in (.*)$", printed, re.MULTILINE)[-1])


def _text(value: Any) -> str:
    """A value as flags have it: lists and booleans as in TOML, other values as they are."""
    if isinstance(value, (bool, list, tuple)):
        return json.dumps(value)
    return str(value)
