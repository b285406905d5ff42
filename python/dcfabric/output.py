# SPDX-License-Identifier: GPL-2.0-only
"""Standard output and error whose reader may leave, as under ``| head``: what a program does is
done all the same."""
from __future__ import annotations

import contextlib
import os
import sys
from typing import Any, Callable, Iterator


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
