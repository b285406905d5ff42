# SPDX-License-Identifier: GPL-2.0-only
"""Many runs in parallel."""
from __future__ import annotations

import collections
import os
import re
import time
from pathlib import Path
from typing import Any, Hashable, Iterator, Mapping, Sequence, TypeVar, overload

from .engine import Engine
from .errors import DcfabricError, SweepFailed
from .folder import Lock
from .job import Job, TemporaryFolder, is_finished, run_key, stop, wait_any
from .progress import Progress
from .result import Result
from .scenario import Scenario

Name = TypeVar("Name", bound=Hashable)
DRAW_S = 0.5
PATIENCE_S = 5.0


@overload
def sweep(scenarios: Mapping[Name, Scenario], jobs: int | None = ..., out: Any = ..., progress: bool = ...,
          *, program: Any = ...) -> dict[Name, Result]: ...
@overload
def sweep(scenarios: Sequence[Scenario], jobs: int | None = ..., out: Any = ..., progress: bool = ...,
          *, program: Any = ...) -> list[Result]: ...


def sweep(scenarios: Any, jobs: int | None = None, out: str | os.PathLike[str] | None = None,
          progress: bool = True, *, program: str | os.PathLike[str] | None = None) -> Any:
    """Run scenarios, each in a separate process, and return their results in the same form: a mapping
    gives a dict with the same keys, a sequence a list in the same order.

    jobs: processes at a time; None for as many as there are processors for us.
    out: folder with a folder for each run, named by its key or its number. A run that is finished there,
    with the same options, the same input files and the same program, is not run again. None: temporary
    folders, which live as long as the results.
    progress: on standard error, a bar on a terminal and else a line for each run.
    program: dcfabric-sim, see dcfabric.find_program.

    Raises SweepFailed when the others are done, if runs fail. Ctrl-C ends all runs; those that are finished
    stay valid for the next call."""
    named = dict(scenarios) if isinstance(scenarios, Mapping) else dict(enumerate(scenarios))
    if jobs is not None and jobs < 1:
        raise DcfabricError(f"jobs is {jobs}; expected a number from 1")
    keep = None
    if out is None:
        keep = TemporaryFolder()
        out = keep.path
    top = Path(out)
    folders = {name: top / folder for name, folder in zip(named, _folder_names(named))}
    engines = {name: Engine(scenario, program) for name, scenario in named.items()}
    shown = Progress(len(named), progress)
    lock = Lock(top / ".lock", "another sweep is running in this folder", keep_file=True)
    try:
        results, failures = _run_all(named, folders, engines, jobs or len(os.sched_getaffinity(0)), shown)
    finally:
        shown.close()
        lock.release()
    for result in results.values():
        result._keep = keep
    if failures:
        raise SweepFailed(failures, results) from next(iter(failures.values()))
    ordered = {name: results[name] for name in named}
    return ordered if isinstance(scenarios, Mapping) else list(ordered.values())


def _run_all(named: dict[Any, Scenario], folders: dict[Any, Path], engines: dict[Any, Engine], jobs: int,
             shown: Progress) -> tuple[dict[Any, Result], dict[Any, DcfabricError]]:
    results: dict[Any, Result] = {}
    failures: dict[Any, DcfabricError] = {}
    waiting: collections.deque[tuple[Any, dict[str, Any]]] = collections.deque()
    for name, scenario in named.items():
        key = run_key(scenario, engines[name])
        if is_finished(folders[name], key):
            results[name] = Result(folders[name], scenario, resumed=True)
            shown.ended(str(name), f"finished before ({folders[name]})", simulated=False)
        else:
            waiting.append((name, key))
    if shown.bar and results:
        shown.say(f"{len(results)} of {len(named)} runs were finished before")
    running: dict[Any, tuple[Job, float]] = {}
    try:
        while waiting or running:
            # A place that gets free is filled before anything is waited for.
            for name in [name for name, (job, _) in running.items() if job.process.poll() is not None]:
                job, began = running.pop(name)
                try:
                    results[name] = job.finish()
                    shown.ended(str(name), f"done in {time.monotonic() - began:.1f} s")
                except DcfabricError as error:
                    failures[name] = error
                    shown.ended(str(name), f"{type(error).__name__}: {error}", failed=True)
            while waiting and len(running) < jobs:
                name, key = waiting.popleft()
                try:
                    # the folder is the sweep's own; programs of one that has died may just be ending in it
                    job = Job(named[name], folders[name], engines[name], key, shown.bar, force=True,
                              patience_s=PATIENCE_S)
                except DcfabricError as error:
                    failures[name] = error
                    shown.ended(str(name), f"{type(error).__name__}: {error}", failed=True)
                    continue
                running[name] = job, time.monotonic()
            if running:
                jobs_now = [job for job, _ in running.values()]
                shown.draw(sum(job.fraction() for job in jobs_now) if shown.bar else 0.0)
                wait_any(jobs_now, DRAW_S)
    except BaseException:
        stop([job for job, _ in running.values()])
        raise
    return results, failures


def _folder_names(named: dict[Any, Scenario]) -> Iterator[str]:
    """A name that any file system takes for each run."""
    width = len(str(max(0, len(named) - 1)))
    seen: dict[str, Any] = {}
    for name in named:
        text = f"{name:0{width}}" if isinstance(name, int) else re.sub(r"[^\w.+=-]+", "_", str(name))
        text = text.lstrip(".") or "_"
        if text in seen:
            raise DcfabricError(f"the runs {seen[text]!r} and {name!r} would share the folder {text!r}: "
                                "rename one")
        seen[text] = name
        yield text
