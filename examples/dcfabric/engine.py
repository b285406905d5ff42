# SPDX-License-Identifier: GPL-2.0-only
"""What runs a scenario: the program dcfabric-sim."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Protocol

from .program import find_program, fingerprint
from .scenario import Scenario


class Engine(Protocol):
    """A way to run scenarios, each in a process of its own with the exit statuses of dcfabric-sim."""

    def command(self, scenario: Scenario, arguments: list[str], folder: Path) -> list[str]:
        """The process to start, given options of dcfabric-sim and the folder of results, which exists."""
        ...

    def environment(self) -> dict[str, str] | None:
        """Its environment, None for ours."""
        ...

    def fingerprint(self) -> str:
        """Changes when a new version might give other results."""
        ...

    def key(self, scenario: Scenario) -> dict[str, Any]:
        """What decides the results besides arguments, flows and version, as JSON."""
        ...


class ProgramEngine:
    """dcfabric-sim itself."""

    def __init__(self, program: str | os.PathLike[str] | None = None) -> None:
        self.program = find_program(program)

    def command(self, scenario: Scenario, arguments: list[str], folder: Path) -> list[str]:
        return [str(self.program), *arguments]

    def environment(self) -> dict[str, str] | None:
        return None

    def fingerprint(self) -> str:
        return fingerprint(self.program)

    def key(self, scenario: Scenario) -> dict[str, Any]:
        return {}


def find_engine(scenario: Scenario, program: str | os.PathLike[str] | None) -> Engine:
    """The engine that can run a scenario. Raises DcfabricError if what it needs is missing."""
    return ProgramEngine(program)
