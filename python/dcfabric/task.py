# SPDX-License-Identifier: GPL-2.0-only
"""A run of a sweep as a piece of work that any process may do, also one on another machine, and
lists of these: for Slurm's arrays, GNU parallel, and whatever else begins commands."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import importlib
import json
import os
import re
import socket
import subprocess
import threading
import time
import uuid
from pathlib import Path
from typing import Any, Callable, Hashable, Iterable, Iterator, Mapping, Sequence, TypeVar

from .claim import Claim
from .engine import Engine
from .errors import DcfabricError, FolderUnusable, Interrupted
from .job import Job, is_finished, stop
from .result import Result
from .run_files import VALUES, other_scenario, write_whole
from .scenario import Scenario, option_text
from .wording import count_of

Name = TypeVar("Name", bound=Hashable)
PATIENCE_S = 5.0
GRACE_S = 5.0
LOOK_S = 1.0
"""From one look at what other processes do to the next."""


@dataclasses.dataclass(frozen=True)
class Task:
    """One run. Can be pickled."""

    scenario: Scenario
    folder: Path
    """of the run, absolute, in that of the sweep"""
    program: Path
    key: dict[str, Any]
    """see Engine.key: who does the run has to come to the same"""
    base: Path
    """folder that paths of the scenario count from"""
    force: bool = False
    """over results of another scenario"""
    attempt: str = dataclasses.field(default_factory=lambda: uuid.uuid4().hex)
    """executors that keep results by arguments do not take one attempt for another"""

    def is_finished(self) -> bool:
        """Whether the results are there, of whoever did it."""
        return is_finished(self.folder, self.key)

    def is_free(self) -> bool:
        """Whether nobody does it now."""
        with Claim(self.folder.parent, self.folder.name) as claim:
            return claim.mine

    def again(self) -> Task:
        """Another attempt."""
        return dataclasses.replace(self, attempt=uuid.uuid4().hex)


@dataclasses.dataclass(frozen=True)
class Done:
    """What came of a task that did not fail."""

    how: str
    """done, finished (before), claimed"""
    said: str = ""
    """how long it took; who does it, if it is claimed"""
    result: Result | None = None
    """in the process of the sweep"""


class Here:
    """The executor of this process, whose programs it watches."""

    def __init__(self, jobs: int) -> None:
        """jobs: programs at a time."""
        self._pool = concurrent.futures.ThreadPoolExecutor(jobs, "dcfabric")
        self._lock = threading.Lock()
        self._jobs: set[Job] = set()
        self._stopping = False

    def submit(self, _: Callable[[Task], Done], task: Task, /) -> concurrent.futures.Future[Done]:
        """Begin as soon as there is a place."""
        return self._pool.submit(self._perform, task)

    def fraction(self) -> float:
        """The sum of how far all programs are, each 0 to 1."""
        with self._lock:
            return sum(job.fraction() for job in self._jobs)

    def close(self) -> None:
        """Begin nothing more, and end the programs that still run: with partial results if they can
        do that soon."""
        with self._lock:
            self._stopping = True
            jobs = list(self._jobs)
        self._pool.shutdown(wait=False)
        for job in jobs:
            job.interrupt()
        until = time.monotonic() + GRACE_S
        for job in jobs:
            try:
                job.process.wait(max(0.0, until - time.monotonic()))
            except (subprocess.TimeoutExpired, KeyboardInterrupt):
                job.process.kill()
        self._pool.shutdown(wait=True)

    def _perform(self, task: Task) -> Done:
        return _do(task, self._wait)

    def _wait(self, start: Callable[[], Job]) -> Result:
        """Start a program and wait for it."""
        with self._lock:
            if self._stopping:
                raise Interrupted("the sweep was interrupted")
            job = start()
            self._jobs.add(job)
        job.process.wait()
        with self._lock:
            self._jobs.remove(job)
            stopping = self._stopping
        if stopping:
            job.kill()
            raise Interrupted("the sweep was interrupted")
        return job.finish()


def _wait_alone(start: Callable[[], Job]) -> None:
    """The same on a worker."""
    job = start()
    try:
        job.finish()
    except KeyboardInterrupt:
        stop([job])
        raise


def perform(task: Task) -> Done:
    """Do a run on a worker, unless it is finished or somebody else does it.

    Raises what Scenario.run() does, and DcfabricError if program or input files are not those of
    the sweep."""
    if not task.is_finished():
        _check(task)
    return _do(task, _wait_alone)


def _do(task: Task, wait: Callable[[Callable[[], Job]], Result | None]) -> Done:
    """The same anywhere. wait: starts the program and waits for it."""
    if task.is_finished():
        return Done("finished", "finished before")
    with Claim(task.folder.parent, task.folder.name) as claim:
        if not claim.mine:
            return Done("claimed", claim.holder)
        if task.is_finished():  # by who had the claim a moment ago
            return Done("finished", "finished before")
        engine = Engine(task.scenario, task.program)
        began = time.monotonic()
        # programs of a worker that has died may just be ending in the folder
        result = wait(lambda: Job(task.scenario, task.folder, engine, task.key, force=task.force,
                                  patience_s=PATIENCE_S,
                                  base=task.base))
        return Done("done", f"done in {time.monotonic() - began:.1f} s", result)


def _check(task: Task) -> None:
    """Raise DcfabricError unless this machine has what the sweep was begun with."""
    key = Engine(task.scenario, task.program).key(task.base)
    wrong = sorted(name for name in {*key, *task.key} - {VALUES}
                   if key.get(name) != task.key.get(name))
    if wrong:
        raise DcfabricError(f"{', '.join(wrong)} on {socket.gethostname()} differ from where the "
                            "sweep was begun: all machines "
                            "need the same program, package and input files at the same paths")


def tasks_of(named: Mapping[Name, Scenario], out: Path,
             program: str | os.PathLike[str] | None, force: bool = False) -> dict[Name, Task]:
    """The runs of a sweep by name. force: over results of other scenarios. Raises DcfabricError if
    two would share a folder, or the program is missing, and FolderUnusable without force for such
    results."""
    folders = dict(zip(named, folder_names(named)))
    base, top = Path.cwd(), out.absolute()
    tasks = {}
    for name, scenario in named.items():
        engine = Engine(scenario, program)
        tasks[name] = Task(scenario, top / folders[name], engine.program, engine.key(),
                           base, force)
    if not force:
        _refuse_others(tasks)
    return tasks


def _refuse_others(tasks: Mapping[Name, Task]) -> None:
    """Raises FolderUnusable if folders have complete results of other scenarios."""
    others = {name: other_scenario(task.folder, task.key) for name, task in tasks.items()}
    names = [name for name, difference in others.items() if difference]
    if names:
        more = (f" (and so {count_of(len(names) - 1, 'other run', 'other runs')})"
                if len(names) > 1 else "")
        raise FolderUnusable(f"the folder '{tasks[names[0]].folder}' holds results of another "
                             f"scenario ({others[names[0]]}){more}; give another out or other "
                             "names, or overwrite them with force=True")


def folder_names(named: Iterable[Hashable]) -> Iterator[str]:
    """A name that any file system takes for each run."""
    named = list(named)
    width = len(str(max(0, len(named) - 1)))
    seen: dict[str, Hashable] = {}
    for name in named:
        text = (f"{name:0{width}}" if isinstance(name, int)
                else re.sub(r"[^\w.+=-]+", "_", str(name)))
        text = text.lstrip(".") or "_"
        if text in seen:
            raise DcfabricError(f"the runs {seen[text]!r} and {name!r} would share the folder "
                                f"{text!r}: "
                                "rename one")
        seen[text] = name
        yield text


FORMAT = "dcfabric jobs 1"
"""First line of a list."""


def write_jobs(path: str | os.PathLike[str],
               scenarios: Mapping[Name, Scenario] | Sequence[Scenario],
               out: str | os.PathLike[str], *,
               program: str | os.PathLike[str] | None = None, force: bool = False) -> int:
    """Write a list of the runs of a sweep, which ``python3 -m dcfabric job LIST INDEX`` does one by
    one, in any order, on any machine that sees the same paths. ``sweep`` with the same scenarios
    and the same folder then finds them finished. Returns their number.

    path: of the list. out, program, force: as of sweep(). Raises DcfabricError for a congestion
    control in Python that cannot be imported by name, and SweepFailed if the program would refuse
    runs."""
    from .refused import refuse_any  # which knows tasks

    if isinstance(scenarios, Mapping):
        by_name = tasks_of(scenarios, Path(out), program, force)
        refuse_any(by_name)
        tasks = [*by_name.values()]
    else:
        by_place = tasks_of(dict(enumerate(scenarios)), Path(out), program, force)
        refuse_any(by_place)
        tasks = [*by_place.values()]
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
            "key": task.key, **({"force": True} if task.force else {}),
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
                Path(line["base"]), line.get("force", False))
