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

import difflib
import functools
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, Sequence, TypeVar, cast

if TYPE_CHECKING:
    import pandas

__all__ = ["Error", "Figure", "InputError", "MissingError", "Results", "command", "run"]


class Error(Exception):
    """contend failed. The text is its message; status is its exit status."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class InputError(Error):
    """A study, key, flag, folder, name or argument is wrong; the text has the remedy."""

    def __init__(self, text: str, status: int = 2) -> None:
        super().__init__(text, status)


class MissingError(Error):
    """A log is missing. The runs that do not need it are finished and stored."""


Function = TypeVar("Function", bound=Callable[..., Any])


def _arguments_checked(function: Function) -> Function:
    """The function, which refuses named arguments that it does not have by an InputError."""
    known = [name for name in inspect.signature(function).parameters if name != "self"]

    @functools.wraps(function)
    def checked(*args: Any, **named: Any) -> Any:
        for name in named:
            if name not in known:
                raise InputError(f"{function.__qualname__}({name}=...): there is no argument {name}: "
                                 + _one_of(name, known))
        return function(*args, **named)
    return cast(Function, checked)


def _one_of(name: str, known: Sequence[str]) -> str:
    """The remedy for a name that is not known: the closest one, else all."""
    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean {close[0]}?" if close else "there are " + (", ".join(known) or "none")


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
        if (self.folder / "spec.toml").is_file():  # as the program tells an output folder
            return
        near = self.folder.parent
        others = sorted(str(p.parent) for p in near.glob("*/spec.toml")) if near.is_dir() else []
        is_none = "is not an output folder, it has no spec.toml" if self.folder.is_dir() else \
            "does not exist"
        remedy = _one_of(str(self.folder), others) if others else "give the folder that a run wrote"
        raise InputError(f"{self.folder} {is_none}: {remedy}")

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

    @_arguments_checked
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

    @_arguments_checked
    def figure(self, name: str, *, kind: str | None = None, where: Mapping[str, Any] | None = None,
               arguments: Iterable[str] = ()) -> Figure:
        """A figure of the stored results, by its name. No run is made.

        Without kind it is one that the study has in [[figures]]. With kind, such as "gantt" or
        "interference", the command plot draws what the runs have recorded, at the point that
        where chooses, and stores it by the name. arguments are flags of that command, such as
        "--width-mm=174" or "--metric=root_cycles"; with them a figure is drawn again.
        """
        path, given = self.folder / "figures" / f"{name}.svg", list(arguments)
        given += [f"--where={key}={_text(value)}" for key, value in (where or {}).items()]
        if kind is not None:
            command("plot", f"--kind={kind}", f"--name={name}", *given, str(self.folder))
        elif given or not path.exists():
            command("plot", f"--only={name}", *given, str(self.folder))
        if not path.exists():
            raise InputError(f"{path} was not drawn: give --format with svg, or leave it out")
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
            raise InputError(f"{self.folder / 'datapackage.json'} names {name!r}, which is no file "
                             "in the folder")
        return path

    def _resource(self, name: str) -> dict[str, Any]:
        path = self.folder / "datapackage.json"
        if not path.exists():
            raise InputError(f"{self.folder} has no tables, its run has not ended: run the study again, "
                             "finished runs are not repeated")
        package = json.loads(path.read_text(encoding="utf-8"))
        if package["schema_version"] != 1:
            raise InputError(f"{self.folder} has tables of another version of contend: run the study "
                             "again")
        resources: dict[str, dict[str, Any]] = {r["name"]: r for r in package["resources"]}
        if name in resources:
            return resources[name]
        remedy = f"run the study with {name}=True" if name in ("jobs", "links") else \
            _one_of(name, list(resources))
        raise InputError(f"{self.folder} has no table {name}: {remedy}")


@_arguments_checked
def run(study: str | os.PathLike[str], out: str | os.PathLike[str] | None = None, *,
        allocator: str | Sequence[str] = (), axes: Mapping[str, Iterable[Any]] | None = None,
        set: Mapping[str, Any] | None = None, quick: bool = False, seed: int | None = None,
        workers: int | None = None, trace: str | os.PathLike[str] | None = None,
        traces: Iterable[str | os.PathLike[str]] = (), jobs: bool = True, links: bool = False,
        progress: bool | None = None, arguments: Iterable[str] = ()) -> Results:
    """Run a study and return its Results. Finished runs in the folder are not repeated.

    study is the name of a built-in study, the path of a TOML file, or the text of one.
    out is the output folder, by default out/NAME. allocator gives the axis of that name
    new values, axes others, as in {"workload.system_load": [0.5, 1.0]}; set sets keys,
    as in {"workload.jobs": 100}. jobs and links ask for the tables of jobs and of
    channels. With jobs=False a large study writes less, and runs that were stored
    without their jobs are not simulated again. progress shows how many runs are done, in one
    line of a notebook or of standard error; by default it is shown in a notebook and on a
    terminal. arguments are passed on as they are. An Error has the text that the program
    printed.
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
    show = _progress_line(progress)
    given.append("--progress-lines" if show else "--no-progress")
    if "\n" not in str(study):
        return _results(_command(["run", str(study), *given, *arguments], show))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.toml"
        path.write_text(str(study), encoding="utf-8")
        return _results(_command(["run", str(path), *given, *arguments], show))


def command(*arguments: str) -> str:
    """Run the program and return what it prints. An Error has the text of its error."""
    return _command(arguments)


def _command(arguments: Sequence[str], show: Callable[[str], None] | None = None) -> str:
    """Run the program and return what it prints. Its lines of progress are shown."""
    printed: list[str] = []
    errors: list[str] = []
    with subprocess.Popen([_program(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8") as program:
        out, err = program.stdout, program.stderr
        assert out and err
        reader = threading.Thread(target=lambda: printed.append(out.read()))
        reader.start()
        try:
            for line in err:
                if show and line.startswith("progress: "):
                    done, of, planned, runs = line[len("progress: "):].split()
                    share = float(done) / int(planned)
                    show(f"{int(float(done))} {of} {planned} {runs}, {share:.0%}")
                else:
                    errors.append(line)
        except BaseException:  # an interrupt: the program ends, finished runs are stored
            program.terminate()
            raise
        finally:
            reader.join()
            if show:
                show("")
    if program.returncode == 0:
        return printed[0]
    if program.returncode == 130:
        raise KeyboardInterrupt
    kind = {2: InputError, 3: MissingError}.get(program.returncode, Error)
    raise kind("".join(errors).strip() or printed[0].strip(), program.returncode)


def _progress_line(wanted: bool | None) -> Callable[[str], None] | None:
    """A function that shows a text in place of the one before, None where none is shown."""
    if wanted is False:
        return None
    ipython = sys.modules.get("IPython")
    if ipython is not None and hasattr(ipython.get_ipython(), "kernel"):  # a notebook
        from IPython.display import display
        handle = display({"text/plain": ""}, raw=True, display_id=True)
        return lambda text: handle.update({"text/plain": text}, raw=True)
    if not (wanted or sys.stderr.isatty()):
        return None
    width = 0

    def show(text: str) -> None:
        nonlocal width
        print("\r" + text.ljust(width), end="" if text else "\r", file=sys.stderr, flush=True)
        width = len(text)
    return show


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
