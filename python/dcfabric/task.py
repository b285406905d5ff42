# SPDX-License-Identifier: GPL-2.0-only
"""A run of a sweep as a piece of work that any process may do, also one on another machine."""
from __future__ import annotations

import concurrent.futures
import dataclasses
import socket
import subprocess
import threading
import time
import uuid
from pathlib import Path
from typing import Any, Callable

from .claim import Claim
from .engine import VALUES, Engine
from .errors import DcfabricError, Interrupted
from .job import Job, is_finished, stop
from .result import Result
from .scenario import Scenario

PATIENCE_S = 5.0
GRACE_S = 5.0


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
        # the folder is the sweep's own; programs of a worker that has died may just be ending in it
        result = wait(lambda: Job(task.scenario, task.folder, engine, task.key, force=True,
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
