# SPDX-License-Identifier: GPL-2.0-only
"""What can go wrong, as exceptions: each says what was wrong, where, and what would be right."""
from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Hashable, Mapping, Sequence, TypeVar

if TYPE_CHECKING:
    from .result import Result

Name = TypeVar("Name", bound=Hashable)


class DcfabricError(Exception):
    """Base of all exceptions of this package; raised itself where something is missing."""


class RunFailed(DcfabricError):
    """A run did not end well.

    Attributes: ``command`` (the program and its arguments), ``status`` (its exit status; minus the
    number of a signal that ended it), ``stderr`` (its standard error), ``folder`` (where
    partial results are, None if there are none).
    """

    def __init__(self, message: str, *, command: Sequence[str] = (), status: int | None = None,
                 stderr: str = "", folder: Path | None = None) -> None:
        super().__init__(message)
        self.command = list(command)
        self.status = status
        self.stderr = stderr
        self.folder = folder


class BadScenario(RunFailed, ValueError):
    """An option, value or input file was refused (exit status 2); nothing was simulated."""


class FolderUnusable(RunFailed):
    """The result folder cannot be used: it cannot be created or written to, the disk is full,
    another run is writing into it, or it holds results of other options. Its contents are
    unchanged."""


class InvariantViolated(RunFailed):
    """An invariant was violated (exit status 3): a lossless fabric dropped a packet, packets are
    missing, or the simulation is stuck. The results up to then are in ``folder``."""


class Interrupted(RunFailed):
    """The run was interrupted (exit status 130, or 143 and 129 for the signals TERM and HUP); its
    partial results are in ``folder``."""


class RunCrashed(RunFailed):
    """The program was ended by a signal or exited with an undocumented status."""


class PolicyFailed(RunFailed):
    """A congestion control in Python raised an exception, which is the cause (``__cause__``) of
    this one."""


class SweepFailed(DcfabricError):
    """Some runs of a sweep failed; the others are done.

    Attributes: ``failures`` (exceptions by name of the run), ``results`` (results of the others by
    name).
    """

    def __init__(self, failures: Mapping[Name, DcfabricError],
                 results: Mapping[Name, Result]) -> None:
        lines = [f"{name}: {type(error).__name__}: {error}" for name, error in failures.items()]
        total = len(failures) + len(results)
        super().__init__("\n".join([f"{len(failures)} of {total} {'run' if total == 1 else 'runs'} "
                                    "failed", *lines]))
        self.failures: dict[Hashable, DcfabricError] = {name: error
                                                        for name, error in failures.items()}
        self.results: dict[Hashable, Result] = {name: result for name, result in results.items()}


class FewSeedsWarning(UserWarning):
    """An interval is of so few seeds that it says little."""
