# SPDX-License-Identifier: GPL-2.0-only
"""What the program refuses of a sweep, found before the first run: dcfabric-sim --check builds each
network and its traffic, and ends."""
from __future__ import annotations

import concurrent.futures
import json
import os
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Mapping

from .engine import Engine
from .errors import BadScenario, DcfabricError, Name, SweepFailed
from .flows import flow_file_text
from .job import SOCKET
from .program import last_event, refusal
from .scenario import Scenario
from .task import Task

REFUSED = 2
"""Exit status of a refusal. Whatever else the program says, a run will say."""


def find_refused(tasks: Mapping[Name, Task], jobs: int) -> dict[Name, DcfabricError]:
    """The runs that the program would refuse, and why. Seeds make no difference; where there is no
    other, the first run tells. jobs: programs at a time."""
    alike: dict[str, list[Name]] = {}
    for name, task in tasks.items():
        what = [argument for argument in task.key["arguments"]
                if not argument.startswith("--seed=")]
        alike.setdefault(json.dumps([what, task.key.get("flows")]), []).append(name)
    if len(alike) < 2:
        return {}
    with concurrent.futures.ThreadPoolExecutor(jobs, "dcfabric-check") as pool:
        answers = pool.map(_refusal, (tasks[names[0]] for names in alike.values()))
        found = {name: error for names, error in zip(alike.values(), answers) if error
                 for name in names}
    return {name: found[name] for name in tasks if name in found}


def refuse_any(tasks: Mapping[Name, Task], jobs: int | None = None) -> None:
    """Raises SweepFailed with all that the program would refuse. jobs: programs at a time, by
    default as many as there are processors for us."""
    left = {name: task for name, task in tasks.items() if not task.is_finished()}
    found = find_refused(left, jobs or len(os.sched_getaffinity(0)))
    if found:
        raise SweepFailed(found, {}, len(tasks)) from next(iter(found.values()))


def check_scenario(scenario: Scenario, program: str | os.PathLike[str] | None = None) -> None:
    """See Scenario.check()."""
    error = _ask(Engine(scenario, program), Path())
    if error:
        raise error


def _refusal(task: Task) -> BadScenario | None:
    return _ask(Engine(task.scenario, task.program), task.base)


def _ask(engine: Engine, base: Path) -> BadScenario | None:
    """Why the program refuses a scenario; None if it does not. base: folder that paths count
    from."""
    command = [str(engine.program), *engine.arguments()]
    with tempfile.TemporaryFile() as events, tempfile.NamedTemporaryFile("w") as flows:
        if engine.scenario.flows is not None:
            flows.write(flow_file_text(engine.scenario.flows))
            flows.flush()
            command.append(f"--workload=flows:{Path(flows.name)}")
        # the socket of a control in Python has to be there; nothing is asked before the run
        ours, theirs = socket.socketpair()
        told, decider = events.fileno(), theirs.fileno()
        with ours, theirs:
            try:
                done = subprocess.run(
                    [*command, "--check", f"--progress=json:{told}"], stdin=subprocess.DEVNULL,
                    capture_output=True, text=True, errors="replace", pass_fds=[told, decider],
                    env={**os.environ, **({SOCKET: str(decider)} if engine.policy else {})},
                    cwd=base, check=False)
            except OSError:
                return None
        if done.returncode != REFUSED:
            return None
        said = refusal(last_event(events)) or done.stderr.strip().replace("dcfabric-sim: ", "", 1)
    return BadScenario(said, command=command, status=done.returncode, stderr=done.stderr)
