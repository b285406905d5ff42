# SPDX-License-Identifier: GPL-2.0-only
"""What programs and scripts share: options, output whose reader may leave, as under ``| head``, how
they end, and with which status."""
from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any, Callable, Iterator, Sequence

from .errors import (BadScenario, DcfabricError, FolderUnusable, Interrupted, InvariantViolated,
                     RunStopped, SweepFailed, SweepStopped)
from .program import NAME, ROOT, find_program, way_to


def guarded(name: str, work: Callable[[], int], kept: str = "finished runs are kept") -> int:
    """What a script does, with a line in place of a traceback. name: of the script. kept: what an
    interrupted one says of its results. Returns its exit status: that of work; 2 for wrong input or
    what cannot be written, 3 if a simulation violated an invariant, 128 and the number of the
    signal if interrupted (130 for Ctrl-C). A reader of standard output or error who leaves, as head
    does, changes nothing."""
    with patient_errors():
        return _guarded(name, work, kept)


def _guarded(name: str, work: Callable[[], int], kept: str) -> int:
    try:
        with ended_by_signals(), patient_output():
            return work()
    except SweepStopped as error:
        # a script knows what its other runs come to
        said = f"; {kept}" if isinstance(error, RunStopped) else f": {error}"
        print(f"{name}: interrupted{said}", file=sys.stderr)
        return 128 + error.number
    except KeyboardInterrupt as error:
        print(f"{name}: interrupted; {kept}", file=sys.stderr)
        return 128 + (error.number if isinstance(error, Ended) else signal.SIGINT)
    except DcfabricError as error:
        print(f"{name}: error: {error}", file=sys.stderr)
        return status_of(error)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{name}: error: {where}{error.strerror or error}", file=sys.stderr)
        return 2


class Ended(KeyboardInterrupt):
    """A signal that asks the script to end, as Ctrl-C does."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def ended_by_signals() -> Iterator[None]:
    """Within, SIGTERM and SIGHUP raise Ended, so that programs end with partial results. SIGHUP
    stays ignored where it was, as under nohup."""

    def end(number: int, _: Any) -> None:
        raise Ended(number)

    before = {}
    if threading.current_thread() is threading.main_thread():  # no other can
        before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    caught = [number for number, handler in before.items() if handler is signal.SIG_DFL]
    for number in caught:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, signal.SIG_DFL)


class _Patient:
    """A stream: from the moment that it cannot be written, what is written goes nowhere."""

    def __init__(self, stream: Any, borne: type[OSError]) -> None:
        """borne: errors that are no reason to raise one."""
        self._stream = stream
        self._borne = borne

    def write(self, text: str) -> int:
        self._try(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._try(self._stream.flush)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            self._give_up()
            if not isinstance(error, self._borne):
                raise

    def _give_up(self) -> None:
        """What the stream still holds would be tried once more when Python ends, and fail again."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def patient_output() -> Iterator[None]:
    """Within, standard output whose reader has left is no error: who closes a pipe has read enough.
    All is written at the end. Raises OSError if that fails for another reason, such as a full
    disk."""
    before = sys.stdout
    if before is None:  # it was closed before Python began
        yield
        return
    patient = _Patient(before, BrokenPipeError)
    sys.stdout = patient
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            patient.flush()
        raise
    else:
        patient.flush()
    finally:
        sys.stdout = before


@contextlib.contextmanager
def patient_errors() -> Iterator[None]:
    """Within, standard error that cannot be written is no error, whatever the reason: nobody could
    be told."""
    before = sys.stderr
    if before is None:
        yield
        return
    sys.stderr = _Patient(before, OSError)
    try:
        yield
    finally:
        sys.stderr = before


PACKAGES = ("pandas", "matplotlib")


def require_packages() -> None:
    """Raises DcfabricError if this Python lacks what figures and frames need. Scripts of a checkout
    have gone on in another Python before, if there is one (examples/find_dcfabric.py)."""
    missing = [name for name in PACKAGES if importlib.util.find_spec(name) is None]
    if not missing:
        return
    advice = way_to(f"pip install {' '.join(missing)}, or call {ROOT / 'quickstart'} once",
                    "dcfabric[plot]")
    raise DcfabricError(f"this Python ({sys.executable}) lacks {' and '.join(missing)}: {advice}")


def check_file(option: str, path: Path) -> None:
    """Raises DcfabricError, before work that may take long, if no file can be written at the path
    that an option gives."""
    if path.is_dir():
        raise DcfabricError(f"{option} {path}: is a folder; give the name of a file")
    if not path.parent.is_dir():
        raise DcfabricError(f"{option} {path}: no folder {path.parent}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise DcfabricError(f"{option} {path}: cannot be written")


def wrapped_help(text: str, width: int) -> str:
    """The help of the program, whose lines have 100 letters, in lines of so many letters."""
    lines = []
    for line in re.sub(r"\n {12,}(?=\S)", " ", text).split("\n"):
        head = re.match(r" +-\S+: *", line)
        lines.append(textwrap.fill(line[head.end():], width, initial_indent=head[0],
                                   subsequent_indent=" " * head.end(), break_long_words=False,
                                   break_on_hyphens=False) if head and len(line) > width else line)
    return "\n".join(lines)


WIDEST = 120
"""Of lines that are read."""


def sim(words: Sequence[str] | None = None, name: str = NAME) -> int:
    """The command dcfabric-sim of an installed package: becomes the program; only its help is
    wrapped, and under the name of the command that asks for it. words: of the command line
    (default: those of this process)."""
    words = sys.argv[1:] if words is None else words
    try:
        program = find_program()
        if "--help" in words:
            told = subprocess.run([str(program), *words], stdout=subprocess.PIPE, text=True,
                                  check=False)
            text = re.sub(rf"^{NAME}(?= )", name, told.stdout)
            with patient_output():
                print(wrapped_help(text, min(WIDEST, shutil.get_terminal_size().columns)), end="")
            return told.returncode
        os.execv(program, [str(program), *words])
    except (DcfabricError, OSError) as error:
        print(f"{NAME}: error: {error}", file=sys.stderr)
        return 2


def positive(text: str) -> int:
    """A whole number from 1, for argparse."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def not_negative(text: str) -> int:
    """A whole number from 0, for argparse."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return value


def status_of(error: DcfabricError) -> int:
    """The exit status that the programs document for an error."""
    if isinstance(error, SweepFailed):
        return max(status_of(each) for each in error.failures.values())
    if isinstance(error, InvariantViolated):
        return 3
    if isinstance(error, Interrupted):
        return error.status or 130
    return (2 if isinstance(error, (BadScenario, FolderUnusable))
            or type(error) is DcfabricError else 1)
