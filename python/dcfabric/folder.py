# SPDX-License-Identifier: GPL-2.0-only
"""Result folders: who may write into them, and the messages when that fails."""
from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import time
from pathlib import Path
from typing import Iterator

from .errors import FolderUnusable

PARTIAL = "partial"
"""In a folder with complete results: those of a run that was interrupted later."""
LOCK = ".dcfabric-lock"
"""In a folder: locked by the run that writes into it, and names its process (see
doc/results.rst)."""
LOOK_S = 0.05


@contextlib.contextmanager
def usable(folder: Path) -> Iterator[None]:
    """What the system refuses within becomes FolderUnusable."""
    try:
        yield
    except OSError as error:
        raise FolderUnusable(f"cannot write to {error.filename or folder}: "
                             f"{error.strerror or error}") from error


def make_folder(folder: Path) -> None:
    """Unless it is there. Others may make it and take it away meanwhile. Raises OSError."""
    while True:
        try:
            os.makedirs(folder, exist_ok=True)
            return
        except FileExistsError:
            with contextlib.suppress(FileNotFoundError):
                if not stat.S_ISDIR(os.lstat(folder).st_mode):
                    raise
            # it was there, and had gone by the time that Python looked whether it is a folder


class Lock:
    """An exclusive lock on a file, which ends with the process. Raises FolderUnusable while another
    has it.

    ``descriptor`` is for a program that is to share it: the lock holds until both have ended."""

    def __init__(self, path: Path, what: str, patience_s: float = 0.0,
                 keep_file: bool = False) -> None:
        """path: of the file, in a folder that is made if needed. what: who has it, for the message.
        patience_s: how long to wait for it. keep_file: leave the file behind."""
        self.path = path
        self.keep_file = keep_file
        until = time.monotonic() + patience_s
        with usable(path.parent):
            while not self._try():
                if time.monotonic() >= until:
                    raise FolderUnusable(f"{path.parent}: {what}{self._holder()}")
                time.sleep(LOOK_S)

    def _try(self) -> bool:
        while True:
            make_folder(self.path.parent)
            try:
                self.descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            # a run that failed has just taken the folder away that it had made
            except FileNotFoundError:
                continue
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(self.descriptor)
                return False
            except OSError:
                return True  # a file system without locks, as the program says
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self.descriptor), os.stat(self.path)):
                    break
            os.close(self.descriptor)  # who had it has removed the file
        with contextlib.suppress(OSError):  # for people only: the lock holds without it
            os.ftruncate(self.descriptor, 0)
            os.pwrite(self.descriptor, f"{os.getpid()}\n".encode(), 0)
        return True

    def _holder(self) -> str:
        try:
            text = self.path.read_text().strip()
        except (OSError, ValueError):
            text = ""
        return f" (process {text})" if text else ""

    def release(self) -> None:
        """Let others have it."""
        if self.descriptor >= 0:
            if not self.keep_file:
                self.path.unlink(missing_ok=True)  # before others can have the lock
            os.close(self.descriptor)
            self.descriptor = -1
