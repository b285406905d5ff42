# SPDX-License-Identifier: GPL-2.0-only
"""A sweep as a list of jobs: for Slurm's arrays, GNU parallel, and whatever else begins
commands."""
from __future__ import annotations

import importlib
import json
import os
import time
from pathlib import Path
from typing import Any, Mapping, Sequence

from .errors import DcfabricError
from .run_files import write_whole
from .scenario import Scenario, option_text
from .sweep import LOOK_S, Name, tasks_of
from .task import Done, Task, perform

FORMAT = "dcfabric jobs 1"
"""First line of a list."""


def write_jobs(path: str | os.PathLike[str],
               scenarios: Mapping[Name, Scenario] | Sequence[Scenario],
               out: str | os.PathLike[str], *,
               program: str | os.PathLike[str] | None = None) -> int:
    """Write a list of the runs of a sweep, which ``python3 -m dcfabric job LIST INDEX`` does one by
    one, in any order, on any machine that sees the same paths. ``sweep`` with the same scenarios
    and the same folder then finds them finished. Returns their number.

    path: of the list. out, program: as of sweep(). Raises DcfabricError for a congestion control in
    Python that cannot be imported by name."""
    if isinstance(scenarios, Mapping):
        tasks = list(tasks_of(scenarios, Path(out), program).values())
    else:
        tasks = list(tasks_of(dict(enumerate(scenarios)), Path(out), program).values())
    write_whole(Path(path),
                "".join(json.dumps(line, default=_text) + "\n"
                        for line in [FORMAT, *map(_line, tasks)]))
    return len(tasks)


def read_jobs(path: str | os.PathLike[str]) -> list[Task]:
    """The runs of a list. Raises DcfabricError if it is none."""
    try:
        lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    except OSError as error:
        raise DcfabricError(f"{path}: {error.strerror}") from error
    except ValueError:
        lines = []
    if not lines or lines[0] != FORMAT:
        raise DcfabricError(f"{path}: not a list of jobs; dcfabric.write_jobs() writes one")
    return list(map(_task, lines[1:]))


def do_job(path: str | os.PathLike[str], index: int) -> Done:
    """Do the run with this index, from 0. If another process does it, wait; if it dies, do it.
    Raises what Scenario.run() does, and DcfabricError if there is no such job."""
    tasks = read_jobs(path)
    if not 0 <= index < len(tasks):
        raise DcfabricError(f"{path}: no job {index}; there are {len(tasks)}, from 0")
    while True:
        done = perform(tasks[index])
        if done.how != "claimed":
            return done
        while not tasks[index].is_free():
            time.sleep(LOOK_S)


def _text(value: Any) -> str:
    """Of an attribute or option that JSON does not know, such as a path: as the program gets it."""
    return os.fspath(value) if isinstance(value, os.PathLike) else option_text(value)


def _line(task: Task) -> dict[str, Any]:
    fields = task.scenario.set_fields()
    policy = fields.get("cc")
    if isinstance(policy, type):
        if policy.__module__ == "__main__" or "." in policy.__qualname__:
            raise DcfabricError(f"congestion control {policy.__qualname__} is in "
                                f"{policy.__module__}: put it into a module of "
                                "its own, which jobs can import")
        fields["cc"] = {"module": policy.__module__, "name": policy.__qualname__}
    return {"folder": str(task.folder), "program": str(task.program), "base": str(task.base),
            "key": task.key,
            "scenario": {name: os.fspath(value) if isinstance(value, os.PathLike) else value
                         for name, value in fields.items()}}


def _task(line: Any) -> Task:
    fields = dict(line["scenario"])
    policy = fields.get("cc")
    if isinstance(policy, dict):
        try:
            fields["cc"] = getattr(importlib.import_module(policy["module"]), policy["name"])
        except (ImportError, AttributeError) as error:
            raise DcfabricError(f"congestion control {policy['name']}: {error}; PYTHONPATH has to "
                                "name the folder of its "
                                "module") from error
    return Task(Scenario(**fields), Path(line["folder"]), Path(line["program"]), line["key"],
                Path(line["base"]))
