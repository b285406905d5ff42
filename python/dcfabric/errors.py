# SPDX-License-Identifier: GPL-2.0-only
"""What can go wrong, as exceptions: each says what was wrong, where, and what would be right."""
from __future__ import annotations

import contextlib
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Hashable, Mapping, Sequence, TypeVar

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


SHOWN = 3
"""Names in a list; more are counted."""


def _listed(names: Sequence[Hashable]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(str, names[:SHOWN])) + more


class SweepStopped(KeyboardInterrupt):
    """Ctrl-C or a signal ended a sweep, or one run. At a prompt, in a script and in a notebook its
    message takes the place of a traceback: how many runs are done, and how to go on.

    Attributes: ``done`` (number of finished runs), ``number`` (of the signal)."""

    def __init__(self, message: str, done: int, number: int = signal.SIGINT) -> None:
        super().__init__(message)
        self.done = done
        self.number = number

    def _render_traceback_(self) -> list[str]:
        """What IPython shows."""
        return [f"interrupted: {self}"]


class RunStopped(SweepStopped):
    """The same of one run that a script has begun by itself."""


def hide_traceback() -> None:
    """What has not been caught ends a script with its message, and 128 and the signal as exit
    status."""
    before = sys.excepthook
    if getattr(before, "hides", False):
        return

    def hook(kind: Any, error: Any, trace: Any) -> None:
        if not isinstance(error, SweepStopped):
            before(kind, error, trace)
            return
        with contextlib.suppress(OSError, AttributeError):
            sys.stderr.write(f"interrupted: {error}\n")
            sys.stderr.flush()
        raise SystemExit(128 + error.number)

    hook.hides = True  # type: ignore[attr-defined]
    sys.excepthook = hook


class SweepFailed(DcfabricError):
    """Some runs of a sweep failed, and the others are done; or some would be refused, and none was
    begun.

    Attributes: ``failures`` (exceptions by name of the run), ``results`` (results of the others by
    name), ``begun`` (whether runs were begun).
    """

    def __init__(self, failures: Mapping[Name, DcfabricError],
                 results: Mapping[Name, Result], total: int | None = None) -> None:
        """total: of a sweep of which nothing was begun."""
        said: dict[str, list[Name]] = {}  # each failure once, and which runs have it
        for name, error in failures.items():
            said.setdefault(f"{type(error).__name__}: {error}", []).append(name)
        lines = [f"{_listed(names)}: {text}" for text, names in said.items()]
        self.begun = total is None
        how = "failed" if self.begun else "would be refused, so none was begun"
        total = total or len(failures) + len(results)
        super().__init__("\n".join([f"{len(failures)} of {total} {'run' if total == 1 else 'runs'} "
                                    f"{how}", *lines]))
        self.failures: dict[Hashable, DcfabricError] = {name: error
                                                        for name, error in failures.items()}
        self.results: dict[Hashable, Result] = {name: result for name, result in results.items()}


class FewSeedsWarning(UserWarning):
    """An interval is of so few seeds that it says little."""


class FewFlowsWarning(UserWarning):
    """A percentile has so few flows (or other values) above it that it is the luck of single
    ones."""
