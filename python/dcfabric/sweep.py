# SPDX-License-Identifier: GPL-2.0-only
"""Many runs in parallel, on one machine or on many."""
from __future__ import annotations

import asyncio
import importlib.util
import os
import queue
import signal
import sys
import time
from pathlib import Path
from typing import Any, Callable, Generic, Mapping, Protocol, Sequence, TextIO, TypeVar, overload

from .claim import tidy
from .errors import DcfabricError, SweepFailed, SweepStopped, hide_traceback
from .job import TemporaryFolder
from .program import advice
from .refused import refuse_any
from .result import Result
from .run_files import usable
from .scenario import Scenario
from .task import LOOK_S, Done, Here, Name, Task, perform, tasks_of
from .wording import count_of, spelled

DRAW_S = 0.5
ATTEMPTS = 4
"""Of a run whose worker is lost."""
Self = TypeVar("Self", bound="Future")


class Future(Protocol):
    """What an executor gives for a run."""

    def result(self) -> Done:
        """What came of it, or the exception that it raised."""

    def add_done_callback(self: Self, function: Callable[[Self], None], /) -> object:
        """Have a function called when it has ended."""


class Executor(Protocol):
    """Anything with ``submit(function, argument)`` whose futures have
    ``add_done_callback(function)`` and ``result()``: those of concurrent.futures, the client of
    dask.distributed. A future may also have ``cancel()``."""

    def submit(self, function: Callable[[Task], Done], argument: Task, /) -> Future:
        """Begin."""


@overload
def sweep(scenarios: Mapping[Name, Scenario], jobs: int | None = ...,
          out: str | os.PathLike[str] | None = ...,
          progress: bool = ..., *, program: str | os.PathLike[str] | None = ...,
          executor: Executor | None = ..., force: bool = ...) -> dict[Name, Result]: ...
@overload
def sweep(scenarios: Sequence[Scenario], jobs: int | None = ...,
          out: str | os.PathLike[str] | None = ...,
          progress: bool = ..., *, program: str | os.PathLike[str] | None = ...,
          executor: Executor | None = ..., force: bool = ...) -> list[Result]: ...


@spelled
def sweep(scenarios: Mapping[Name, Scenario] | Sequence[Scenario], jobs: int | None = None,
          out: str | os.PathLike[str] | None = None, progress: bool = True, *,
          program: str | os.PathLike[str] | None = None,
          executor: Executor | None = None,
          force: bool = False) -> dict[Name, Result] | list[Result]:
    """Run scenarios, each in a separate process, and return their results in the same form: a
    mapping gives a dict with the same keys, a sequence a list in the same order.

    jobs: processes at a time; None for as many as there are processors for us.
    out: folder with a folder for each run, named by its key or its number. A run that is finished
    there, with the same options, the same input files and the same program, is not run again. With
    other input files or another program it is. A folder with results of another scenario is
    refused, as by Scenario.run(), unless force is true: then they are overwritten.
    Several processes, also on several machines, may sweep the same scenarios into one folder: each
    run is done by one of them. None: temporary folders, which live as long as the results.
    progress: on standard error, a bar on a terminal and else a line for each run. program:
    dcfabric-sim, see dcfabric.find_program. executor: who does the runs in place of processes here,
    such as the client of dask.distributed (see doc/clusters.rst); it decides how many at a time.
    Needs out, a folder that all its workers see at the same path. A run whose worker is lost is
    done again.

    Before the first run, the program is asked of each scenario (but for its seed) whether it can be
    run: SweepFailed tells of all that it refuses, and nothing is run. It is raised when the others
    are done, if runs fail. Ctrl-C ends all runs here (SweepStopped says how many are done); those
    that are finished stay valid for the next call."""
    if jobs is not None and jobs < 1:
        raise DcfabricError(f"jobs is {jobs}; expected a number from 1")
    if executor is not None and jobs is not None:
        raise DcfabricError("jobs and executor both say how many runs there are at a time: give "
                            "one of them")
    if executor is not None and out is None:
        raise DcfabricError("executor needs out: a folder that its workers see as well")
    if isinstance(scenarios, Mapping):
        return _sweep(dict(scenarios), jobs, out, progress, program, executor, force)
    return list(_sweep(dict(enumerate(scenarios)), jobs, out, progress, program, executor,
                       force).values())


def _sweep(named: Mapping[Name, Scenario], jobs: int | None, out: str | os.PathLike[str] | None,
           progress: bool,
           program: str | os.PathLike[str] | None, executor: Executor | None,
           force: bool) -> dict[Name, Result]:
    """The same by name."""
    keep = None
    if out is None:
        keep = TemporaryFolder()
        out = keep.path
    tasks = tasks_of(named, Path(out), program, force)
    at_a_time = jobs or len(os.sched_getaffinity(0))
    refuse_any(tasks, at_a_time)
    shown = Progress(len(named), progress)
    own = None
    if executor is None:
        executor = own = Here(at_a_time)
    work = _Sweep(tasks, executor, shown)
    try:
        with usable(Path(out)):
            Path(out).mkdir(parents=True, exist_ok=True)
        work.run(own)
        tidy(Path(out))
    except KeyboardInterrupt as error:
        work.cancel()
        hide_traceback()
        raise SweepStopped(_said_of(work, None if keep else Path(out)), len(work.done),
                           getattr(error, "number", signal.SIGINT)) from None
    except BaseException:
        work.cancel()
        raise
    finally:
        if own:
            own.close()
        shown.close()
    results = {name: done.result
               or Result(tasks[name].folder, named[name], resumed=done.how == "finished")
               for name, done in work.done.items()}
    for result in results.values():
        result._keep = keep
    if work.failures:
        raise SweepFailed(work.failures, results) from next(iter(work.failures.values()))
    return {name: results[name] for name in named}


def _said_of(work: _Sweep[Name], out: Path | None) -> str:
    """Of a sweep that was interrupted."""
    done = f"{len(work.done)} of {count_of(len(work.tasks), 'run')} done"
    return (f"{done}, whose results are gone; out='results' would keep them" if out is None
            else f"{done} and kept in {out}; the same call does the others")


class _Sweep(Generic[Name]):
    """The runs, where they are now, and what came of them."""

    def __init__(self, tasks: Mapping[Name, Task], executor: Executor, shown: Progress) -> None:
        self.tasks = dict(tasks)
        self.executor = executor
        self.shown = shown
        self.done: dict[Name, Done] = {}
        self.failures: dict[Name, DcfabricError] = {}
        self._pending: dict[Name, Future] = {}
        self._elsewhere: set[Name] = set()
        self._attempts: dict[Name, int] = {}
        self._ended: queue.SimpleQueue[tuple[Name, Future]] = queue.SimpleQueue()

    def run(self, own: Here | None) -> None:
        """Until all have ended. own: the executor, if it is this process."""
        for name, task in self.tasks.items():
            if task.is_finished():
                self._finish(name, Done("finished"), f"finished before ({task.folder})")
            else:
                self._submit(name)
        if self.shown.bar and self.done:
            self.shown.say(f"finished before: {len(self.done)} of "
                           f"{count_of(len(self.tasks), 'run')}")
        looked = time.monotonic()
        while self._pending or self._elsewhere:
            self.shown.draw(own.fraction() if own and self.shown.bar else 0.0)
            try:
                self._conclude(*self._ended.get(timeout=DRAW_S))
            except queue.Empty:
                pass
            if time.monotonic() > looked + LOOK_S:
                self._look_elsewhere()
                looked = time.monotonic()

    def cancel(self) -> None:
        """Take back what has not begun."""
        for future in self._pending.values():
            if hasattr(future, "cancel"):
                future.cancel()

    def _submit(self, name: Name) -> None:
        self._attempts[name] = self._attempts.get(name, 0) + 1
        try:
            future = self.executor.submit(perform, self.tasks[name].again())
        except Exception as error:
            raise DcfabricError(
                f"executor takes no run: {type(error).__name__}: {error}") from error
        self._pending[name] = future
        future.add_done_callback(lambda ended: self._ended.put((name, ended)))

    def _conclude(self, name: Name, future: Future) -> None:
        """A future has ended."""
        if name not in self._pending or self._pending[name] is not future:
            return
        del self._pending[name]
        try:
            done = future.result()
        except DcfabricError as error:
            self._fail(name, error)
        except (Exception, asyncio.CancelledError) as error:
            self._lost(name, f"{type(error).__name__}: {error}", error)
        else:
            if done.how == "claimed":
                self.shown.say(f"{name}: {done.said} does it")
                self._elsewhere.add(name)
            else:
                self._finish(name, done, done.said)

    def _lost(self, name: Name, what: str, error: BaseException) -> None:
        """A worker has not brought the run to an end."""
        if isinstance(self.executor, Here):
            raise error
        if self._attempts[name] < ATTEMPTS:
            self.shown.say(f"{name}: worker lost ({what}); again")
            self._submit(name)
        else:
            self._fail(name, DcfabricError(f"not done in {ATTEMPTS} attempts; the last: {what}"))

    def _look_elsewhere(self) -> None:
        """Whether runs that others do are done, or left."""
        for name in sorted(self._elsewhere, key=list(self.tasks).index):
            task = self.tasks[name]
            if task.is_finished():
                self._elsewhere.remove(name)
                self._finish(name, Done("finished"), f"done elsewhere ({task.folder})")
                continue
            if task.is_free():
                self._elsewhere.remove(name)
                self._attempts[name] -= 1
                self._submit(name)

    def _finish(self, name: Name, done: Done, how: str) -> None:
        self.done[name] = done
        self.shown.ended(str(name), how, simulated=done.how == "done")

    def _fail(self, name: Name, error: DcfabricError) -> None:
        self.failures[name] = error
        self.shown.ended(str(name), f"{type(error).__name__}: {error}", failed=True)


NOTEBOOK_COLUMNS = 80
"""Width of a bar."""


def in_notebook() -> bool:
    """Whether this is a notebook, whose output goes back to the beginning of a line as a terminal
    does."""
    found = sys.modules.get("IPython")
    return found is not None and hasattr(found.get_ipython(), "kernel")


FORMAT = "{percentage:3.0f} %|{bar}| {desc}  {elapsed}, {remaining} left"


class Progress:
    """Told of each run as it ends; draws on standard error, with tqdm if it is there."""

    def __init__(self, total: int, wanted: bool = True, stream: TextIO | None = None) -> None:
        self.total = total
        self.stream = stream or sys.stderr
        self.wanted = wanted
        self.bar = (wanted and (self.stream.isatty() or in_notebook())
                    and importlib.util.find_spec("tqdm") is not None)
        self.done = 0
        self.failed = 0
        self._drawn: Any = None
        if wanted and not self.bar and in_notebook():
            self.say(f"a bar instead of a line for each run: {advice('tqdm', 'notebook')}")
        if self.bar:
            from tqdm import tqdm

            # smoothing 0: the remaining time is that at the mean rate
            self._drawn = tqdm(total=total, file=self.stream, leave=False, bar_format=FORMAT,
                               smoothing=0, mininterval=0,
                               **({"dynamic_ncols": True} if self.stream.isatty()
                                  else {"ncols": NOTEBOOK_COLUMNS}))
            self.draw()

    def say(self, text: str) -> None:
        """A line that stays."""
        if self._drawn is not None:
            self._drawn.write(text, file=self.stream)
        elif self.wanted:
            try:
                self.stream.write(f"{text}\n")
                self.stream.flush()
            except OSError:  # its reader has left, its disk is full: no reason to give up runs
                self.wanted = False

    def ended(self, name: str, how: str, *, simulated: bool = True, failed: bool = False) -> None:
        """A run ended. how: for the line. simulated: it was run now. failed: without results."""
        self.done += 1
        self.failed += failed
        if self._drawn is not None and not simulated:
            self._drawn.initial += 1  # took no time
        if not self.bar or failed:
            self.say(f"[{self.done}/{self.total}] {name}: {how}")
        self.draw()

    def draw(self, running: float = 0.0) -> None:
        """Draw the bar if there is one. running: the sum of how far running simulations are, each 0
        to 1."""
        if self._drawn is not None:
            self._drawn.n = self.done + running
            bad = f", {self.failed} failed" if self.failed else ""
            self._drawn.set_description_str(f"{self.done}/{self.total}{bad}")

    def close(self) -> None:
        """Take the bar away."""
        if self._drawn is not None:
            self._drawn.close()
