# SPDX-License-Identifier: GPL-2.0-only
"""One run: a process and its folder."""
from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from pathlib import Path
from typing import Any

from .engine import Engine
from .errors import (BadScenario, InvariantViolated, Interrupted, PolicyFailed, RunCrashed,
                     RunFailed)
from .flows import flow_file_text
from .program import digest
from .result import Result
from .scenario import Scenario

STAMP = "run.json"
"""Of a finished run: what was run, and with which program. Written last."""
REPORT = "report.txt"
"""What the program printed."""
MESSAGES = "messages.txt"
"""What it said on standard error; missing if it said nothing."""
FLOWS = "input.flows"
"""Flows that were given from Python."""
SOCKET = "DCFABRIC_DECIDER"
"""Environment variable with the descriptor of the socket to a congestion control in Python."""
TAIL_LINES = 20


def input_files(arguments: list[str]) -> dict[str, str]:
    """Hashes of the files that options name, as in ``--workload=flows:PATH``, by path as given."""
    found = {}
    for argument in arguments:
        value = argument.partition("=")[2]
        for text in (value, value.partition(":")[2]):
            text = text.split(",")[0]
            if text and Path(text).is_file():
                found[text] = digest(Path(text))
    return found


def run_key(scenario: Scenario, engine: Engine) -> dict[str, Any]:
    """What decides the results of a run: two runs with the same key give the same files."""
    arguments = engine.arguments()
    key = {"arguments": arguments, "inputs": input_files(arguments), **engine.key()}
    if scenario.flows is not None:
        key["flows"] = flow_file_text(scenario.flows)
    again: dict[str, Any] = json.loads(json.dumps(key))  # as it will be read from a file
    return again


def is_finished(folder: Path, key: dict[str, Any]) -> bool:
    """Whether the folder has the complete results of a run with this key."""
    try:
        stamp = json.loads((folder / STAMP).read_text())
    except (OSError, ValueError):
        return False
    return (stamp == key
            and (folder / "flows.csv").is_file() and (folder / "summary.json").is_file())


class Job:
    """A running program. It ends on its own or by interrupt() or kill(); finish() tells how."""

    def __init__(self, scenario: Scenario, folder: Path, engine: Engine, key: dict[str, Any],
                 draws: bool = False) -> None:
        """Start it. key: see run_key. draws: it shall tell how far it is, for fraction()."""
        self.scenario = scenario
        self.folder = folder.absolute()
        self.key = key
        self.made = [path for path in (self.folder, *self.folder.parents) if not path.exists()]
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / STAMP).unlink(missing_ok=True)
        (self.folder / FLOWS).unlink(missing_ok=True)
        arguments = engine.arguments()
        if scenario.flows is not None:
            (self.folder / FLOWS).write_text(flow_file_text(scenario.flows))
            arguments.append(f"--workload=flows:{self.folder / FLOWS}")
        arguments += [f"--out={self.folder}", f"--progress={'on' if draws else 'off'}"]
        self.command = [str(engine.program), *arguments]
        self.decider = engine.decider()
        options: dict[str, Any] = {}
        if self.decider:
            descriptor = self.decider.theirs.fileno()
            options = {"pass_fds": [descriptor], "env": {**os.environ, SOCKET: str(descriptor)}}
        with open(self.folder / REPORT, "wb") as out, open(self.folder / MESSAGES, "wb") as err:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                            **options)
        if self.decider:
            self.decider.start()

    def fraction(self) -> float:
        """How far the simulation is, 0 to 1, as the program last told."""
        try:
            with open(self.folder / MESSAGES, "rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - 1000))
                told = re.findall(rb"\r\033\[K *([0-9.]+) %", file.read())
        except OSError:
            return 0.0
        return float(told[-1]) / 100 if told else 0.0

    def interrupt(self) -> None:
        """Let the program end with partial results."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the program now."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.decider:
            self.decider.close()

    def finish(self) -> Result:
        """Wait, and return the results. Raises the exception that the exit status stands for."""
        status = self.process.wait()
        if self.decider:
            self.decider.close()
        messages = self.folder / MESSAGES
        told = messages.read_bytes()
        said_bytes = re.sub(rb"\r\033\[K[^\r\n]*", b"", told)  # without the progress line
        said = said_bytes.decode(errors="replace")
        if not said:
            messages.unlink()
        elif said_bytes != told:
            messages.write_bytes(said_bytes)
        if status == 0:
            temporary = self.folder / (STAMP + ".tmp")
            temporary.write_text(json.dumps(self.key, indent=1) + "\n")
            os.replace(temporary, self.folder / STAMP)
            return Result(self.folder, self.scenario,
                          congestion_controls=self.decider.connections.instances if self.decider else ())
        if self.decider and self.decider.error:
            self._clean()
            name, error = self.decider.connections.policy.__name__, self.decider.error
            raise PolicyFailed(f"{name}: {type(error).__name__}: {error}", command=self.command,
                               status=status, stderr=said) from error
        raise self._failure(status, said)

    def _failure(self, status: int, said: str) -> RunFailed:
        tail = "\n".join(said.strip().splitlines()[-TAIL_LINES:])
        common: dict[str, Any] = {"command": self.command, "status": status, "stderr": said}
        if status in (1, 2):
            self._clean()
            # ns-3 says what it refuses in the first line and goes on with all options
            message = said.strip().partition("\n")[0] if status == 1 else tail
            return BadScenario(message.replace("dcfabric-sim: ", "", 1) or "refused without a message",
                               **common)
        common["folder"] = self.folder
        if status == 3:
            return InvariantViolated(tail.replace("dcfabric-sim: ", ""), **common)
        if status == 130:
            return Interrupted(f"interrupted; partial results are in {self.folder}", **common)
        how = f"exit status {status}"
        if status < 0:
            try:
                how = f"signal {signal.Signals(-status).name}"
            except ValueError:
                how = f"signal {-status}"
        return RunCrashed(f"the simulation ended by {how}" + (f":\n{tail}" if tail else ""), **common)

    def _clean(self) -> None:
        """Take away what was put into the folder, and the folders that were made and are empty."""
        for name in (REPORT, MESSAGES, FLOWS):
            (self.folder / name).unlink(missing_ok=True)
        for path in self.made:
            try:
                path.rmdir()
            except OSError:
                break


def wait_any(jobs: list[Job], timeout_s: float) -> None:
    """Wait until one of the programs has ended, or for some time."""
    descriptors = []
    try:
        for job in jobs:
            descriptors.append(os.pidfd_open(job.process.pid))
        select.select(descriptors, [], [], timeout_s)
    except (AttributeError, OSError):  # not on this system, or too many
        time.sleep(0.005)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


class TemporaryFolder:
    """A folder that goes with this object."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="dcfabric-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def run(scenario: Scenario, out: Path | None, program: Any) -> Result:
    """See Scenario.run()."""
    engine = Engine(scenario, program)
    keep = None
    if out is None:
        keep = TemporaryFolder()
        out = keep.path
    job = Job(scenario, out, engine, run_key(scenario, engine))
    try:
        result = job.finish()
    except KeyboardInterrupt:
        stop([job])
        raise
    except RunFailed as error:
        if keep:
            error.folder = None  # it goes away
        raise
    result._keep = keep
    return result


def stop(jobs: list[Job], grace_s: float = 5.0) -> None:
    """End programs after Ctrl-C. At a terminal they have been told already, and a second signal would end
    them without results."""
    if not _terminal_told_them():
        for job in jobs:
            job.interrupt()
    try:
        for job in jobs:
            job.process.wait(grace_s)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        pass
    for job in jobs:
        job.kill()


def _terminal_told_them() -> bool:
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


__all__ = ["Job", "TemporaryFolder", "is_finished", "run", "run_key", "stop", "wait_any"]
