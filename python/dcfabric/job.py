# SPDX-License-Identifier: GPL-2.0-only
"""One run: a process and its folder."""
from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import warnings
import weakref
from pathlib import Path
from typing import Any

from .engine import Engine
from .errors import (BadScenario, DcfabricError, FolderUnusable, InvariantViolated, Interrupted,
                     PolicyFailed, RunCrashed, RunFailed, RunStopped, hide_traceback)
from .flows import flow_file_text
from .program import fraction, last_event, refusal
from .result import Result
from .run_files import LOCK, PARTIAL, SUMMARY, Lock, RunFiles, is_finished, usable
from .scenario import Scenario

SOCKET = "DCFABRIC_DECIDER"
"""Environment variable with the descriptor of the socket to a congestion control in Python."""
DECIDER = "DCFABRIC_DECIDER_NAME"
"""The same with the name of that congestion control, for the report."""
LOCKED = "DCFABRIC_LOCK"
"""The same with that of the lock of the folder, which the program shares."""
PARENT = "DCFABRIC_PARENT"
"""The same with that of a pipe: the program ends when nobody holds its other end, as when Python is
killed."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals after which the program ends with partial results, and with 128 and their number as exit
status."""
OF_FOLDER = "dcfabric-sim: --out: "
"""How the program begins to say that the folder cannot be used."""
TAIL_LINES = 20


class Job:
    """A running program. It ends on its own or by interrupt() or kill(); finish() tells how. The
    folder is locked until then."""

    def __init__(self, scenario: Scenario, folder: Path, engine: Engine, key: dict[str, Any],
                 *, force: bool = False, patience_s: float = 0.0, base: Path = Path()) -> None:
        """Start it. key: see Engine.key. force: over results of other options. patience_s: how long
        to wait for a folder that is locked. base: folder that paths of input files count from."""
        self.scenario = scenario
        self.base = base
        self.folder = folder.absolute()
        self.key = key
        self.parent_end = -1
        with usable(self.folder):
            self.made = [path for path in (self.folder, *self.folder.parents) if not path.exists()]
            self.files = RunFiles(self.folder)
        try:
            self.lock = Lock(self.folder / LOCK, "another run is using this folder", patience_s)
        except BaseException:
            self.files.close()
            raise
        try:
            with usable(self.folder):
                self.files.begin(None if scenario.flows is None else flow_file_text(scenario.flows))
                self._start(engine, force)
        except BaseException:
            self._clean()
            raise
        if self.decider:
            self.decider.start()

    def _start(self, engine: Engine, force: bool) -> None:
        arguments = engine.arguments()
        if self.files.flows:
            arguments.append(f"--workload=flows:{self.files.flows}")
        arguments.append(f"--out={self.folder}")
        if force:
            arguments.append("--force")
        self.command = [str(engine.program), *arguments]
        events = self.files.events.fileno()
        self.decider = engine.decider()
        child_end, self.parent_end = os.pipe()
        descriptors = {LOCKED: self.lock.descriptor, PARENT: child_end}
        if self.decider:
            descriptors[SOCKET] = self.decider.theirs.fileno()
        environment = {**os.environ, **{name: str(number) for name, number in descriptors.items()},
                       DECIDER: engine.policy.__name__ if engine.policy else ""}
        try:
            with open(self.files.report, "wb") as out:
                try:
                    self.process = subprocess.Popen(
                        [*self.command, f"--progress=json:{events}"], stdin=subprocess.DEVNULL,
                        stdout=out,
                        stderr=self.files.told, pass_fds=[events, *descriptors.values()],
                        env=environment,
                        cwd=self.base)
                except OSError as error:
                    raise DcfabricError(
                        f"{engine.program} cannot be started: {error.strerror}") from error
        finally:
            os.close(child_end)

    def fraction(self) -> float:
        """How far the simulation is, 0 to 1, as the program last told; 0 if it does not know."""
        return fraction(last_event(self.files.events))

    def interrupt(self) -> None:
        """Let the program end with partial results. (Not by SIGINT: after a Ctrl-C at a terminal
        that would be the second one, which ends it without results.)"""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End the program now; what it has left stays."""
        if self.process.poll() is None:
            self.process.kill()
        status = self.process.wait()
        if self.decider:
            self.decider.close()
        with contextlib.suppress(FolderUnusable), usable(self.folder):
            if status - 128 in ENDING:
                self._place_partial()
            else:
                self.files.discard()
        self._release()

    def finish(self) -> Result:
        """Wait, and return the results. Raises the exception that the exit status stands for."""
        status = self.process.wait()
        if self.decider:
            self.decider.close()
        try:
            with usable(self.folder):
                return self._conclude(status, self.files.said())
        finally:
            self._release()

    def _conclude(self, status: int, said: str) -> Result:
        if status == 0:
            if not self.files.has_new_results():
                self._clean()
                raise DcfabricError(f"{self.folder}: no results here: {self.command[0]} ended "
                                    "well, but wrote no "
                                    "summary.json; is it dcfabric-sim?")
            self.files.place(self.key)
            mistake = self.decider and self.decider.connections.mistaken()
            if mistake:
                warnings.warn(mistake, stacklevel=2)
            return Result(self.folder, self.scenario,
                          congestion_controls=self.decider.connections.instances if self.decider
                          else ())
        if self.decider and self.decider.error:
            self._clean()
            name, error = self.decider.connections.policy.__name__, self.decider.error
            raise PolicyFailed(f"{name}: {type(error).__name__}: {error}", command=self.command,
                               status=status, stderr=said) from error
        raise self._failure(status, said)

    def _failure(self, status: int, said: str) -> RunFailed:
        lines = said.strip().splitlines()
        tail = "\n".join(lines[-TAIL_LINES:])
        common: dict[str, Any] = {"command": self.command, "status": status, "stderr": said}
        if status in (1, 2):
            of_folder = [line[len(OF_FOLDER):] for line in lines if line.startswith(OF_FOLDER)]
            if not lines:
                of_folder = ["refused without a message, which may not have fit on the disk"]
            refused = refusal(last_event(self.files.events))
            self._clean()
            if of_folder:
                return FolderUnusable(refused.removeprefix("out: ") or of_folder[0], **common)
            # ns-3 says what it refuses in the first line and goes on with all options
            message = said.strip().partition("\n")[0] if status == 1 else tail
            return BadScenario(refused or message.replace("dcfabric-sim: ", "", 1), **common)
        common["folder"] = self.folder
        if status == 3:
            self.files.place()
            first = next((at for at, line in enumerate(lines) if "violation:" in line),
                         max(0, len(lines) - TAIL_LINES))
            return InvariantViolated("\n".join(lines[first:]).replace("dcfabric-sim: ", ""),
                                     **common)
        if status - 128 in ENDING:
            common["folder"] = self._place_partial()
            return Interrupted(f"interrupted; partial results are in {common['folder']}", **common)
        if self.files.has_results():  # of a run before, and they stay as they are
            self.files.discard()
            common["folder"] = None
        else:
            self.files.place()
        how = f"exit status {status}"
        if status < 0:
            try:
                how = f"signal {signal.Signals(-status).name}"
            except ValueError:
                how = f"signal {-status}"
        return RunCrashed(f"the simulation ended by {how}" + (f":\n{tail}" if tail else ""),
                          **common)

    def _place_partial(self) -> Path:
        """Put the files beside partial results, and tell where these are."""
        aside = self.folder / PARTIAL
        if (aside / SUMMARY).is_file() and not self.files.has_new_results():
            self.files.place(folder=aside)
            return aside
        self.files.place()
        return self.folder

    def _clean(self) -> None:
        """Take away what was put into the folder, and the folders that were made and are empty."""
        with contextlib.suppress(OSError):
            self.files.discard()
            self._release()
            for path in self.made:
                path.rmdir()

    def _release(self) -> None:
        """Let others use the folder."""
        self.lock.release()
        self.files.close()
        if self.parent_end >= 0:
            os.close(self.parent_end)
            self.parent_end = -1


class TemporaryFolder:
    """A folder that goes with this object."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="dcfabric-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def run(scenario: Scenario, out: Path | None, program: Any, force: bool = False) -> Result:
    """See Scenario.run()."""
    engine = Engine(scenario, program)
    keep = None
    if out is None:
        keep = TemporaryFolder()
        out = keep.path
    job = Job(scenario, out, engine, engine.key(), force=force)
    try:
        result = job.finish()
    except KeyboardInterrupt as error:
        stop([job])
        hide_traceback()
        kept = "" if keep else f", with partial results in {out}"
        raise RunStopped(f"the run is not finished{kept}; the same call does it anew", 0,
                         getattr(error, "number", signal.SIGINT)) from None
    except RunFailed as error:
        if keep:
            error.folder = None  # it goes away
        raise
    result._keep = keep
    return result


def stop(jobs: list[Job], grace_s: float = 5.0) -> None:
    """End programs, with partial results if they can do that soon."""
    for job in jobs:
        job.interrupt()
    try:
        for job in jobs:
            job.process.wait(grace_s)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        pass
    for job in jobs:
        job.kill()


__all__ = ["Job", "TemporaryFolder", "is_finished", "run", "stop"]
