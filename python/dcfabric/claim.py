# SPDX-License-Identifier: GPL-2.0-only
"""Who does a run, when processes of one or several machines share the work of a sweep."""
from __future__ import annotations

import contextlib
import functools
import json
import os
import socket
import threading
import uuid
from pathlib import Path
from typing import Any

from .errors import FolderUnusable
from .program import text_digest
from .run_files import Lock, make_folder, usable

FOLDER = ".claims"
"""In the folder of a sweep."""
TAKEOVER = ".takeover"
"""In it: locked by who takes away a claim that was left."""
PATIENCE_S = 10.0
"""For that."""
BEAT_S = 5.0
"""From one sign of life of a claim to the next."""
STALE_S = 60.0
"""A claim without one for so long has been left."""


def _text(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


@functools.cache
def _place() -> str:
    """Where numbers of processes mean what they mean here: this start of this machine, this
    container."""
    try:
        namespace = os.readlink("/proc/self/ns/pid")
    except OSError:
        namespace = ""
    return f"{socket.gethostname()} {_text('/proc/sys/kernel/random/boot_id')} {namespace}"


def _began(pid: int) -> str:
    """When a process began, in ticks; empty if there is none."""
    words = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return "" if not words or words[0] == "Z" else words[19]


def _is_left(text: str) -> bool:
    """Whether a claim is of a process of this machine that has ended. Raises ValueError, KeyError
    or TypeError for a text that is none."""
    owner: dict[str, Any] = json.loads(text)
    return bool(owner["place"] == _place() and _began(owner["pid"]) != owner["began"])


def _mark() -> str:
    """Name of a file that becomes a claim: it tells whose it is while there is nothing in it
    yet."""
    return f".{text_digest(_place())}-{os.getpid()}-{_began(os.getpid())}-{uuid.uuid4().hex}"


def _is_left_mark(name: str) -> bool:
    """The same of such a file. Raises ValueError for a name that is none."""
    place, pid, began, _ = name.removeprefix(".").split("-")
    return place == text_digest(_place()) and _began(int(pid)) != began


class Claim:
    """The right to do a run: a file in the folder ``.claims`` of the sweep that exists for as long.
    ``mine`` tells whether it was got, ``holder`` who has it otherwise.

    It is made by a link, which is atomic on network file systems as well, and it is touched every
    few seconds. One whose process is gone (on this machine), or that was not touched for a minute
    (on another), is taken over. Times are those of the file system. A process that was stopped for
    more than a minute and goes on may do a run that another does, too; both write the same
    bytes."""

    def __init__(self, top: Path, name: str) -> None:
        """top: folder of the sweep. name: of the folder of the run. Raises FolderUnusable."""
        self.path = top.absolute() / FOLDER / name
        self.holder = ""
        self.mine = False
        self._text = json.dumps({"host": socket.gethostname(), "pid": os.getpid(),
                                 "place": _place(),
                                 "began": _began(os.getpid()), "token": uuid.uuid4().hex})
        self._over = threading.Event()
        with usable(top):
            self._take()
        if self.mine:
            threading.Thread(target=self._beat, name=f"claim {name}", daemon=True).start()

    def _take(self) -> None:
        own = self.path.with_name(_mark())
        try:
            self._write(own)
            while not self.mine:
                try:
                    self._link(own)
                    self.mine = True
                except FileExistsError:
                    found = self._found(own.stat().st_mtime)
                    if found is None:
                        continue
                    if not found[1]:
                        return
                    self._remove_stale(found[0])
        finally:
            with contextlib.suppress(OSError):
                own.unlink(missing_ok=True)
                if not self.mine:
                    self.path.parent.rmdir()

    def _link(self, own: Path) -> None:
        try:
            os.link(own, self.path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            with open(self.path, "x", encoding="utf-8") as file:
                file.write(self._text)

    def _write(self, own: Path) -> None:
        while True:
            make_folder(self.path.parent)
            try:
                own.write_text(self._text)
                return
            except FileNotFoundError:  # the last one who was here has just taken the folder away
                continue

    def _found(self, now: float) -> tuple[str, bool] | None:
        """What is in the claim that there is, and whether it was left; None if it has gone. now:
        for the file system."""
        try:
            text, touched = self.path.read_text(), self.path.stat().st_mtime
        except FileNotFoundError:
            return None
        try:
            left, owner = _is_left(text), json.loads(text)
            self.holder = f"process {owner['pid']} on {owner['host']}"
        except (ValueError, KeyError, TypeError):
            self.holder, left = "an unknown process", False
        return text, left or now - touched > STALE_S

    def _remove_stale(self, text: str) -> None:
        """Take away a claim that was left. One at a time: nobody may take away the one that comes
        in its place."""
        lock = Lock(self.path.with_name(TAKEOVER), "another process takes a claim over", PATIENCE_S)
        try:
            with contextlib.suppress(FileNotFoundError):
                if self.path.read_text() == text:
                    self.path.unlink()
        finally:
            lock.release()

    def _beat(self) -> None:
        while not self._over.wait(BEAT_S):
            try:
                os.utime(self.path)
            except OSError:  # taken over: nobody asks for signs of life
                return

    def release(self) -> None:
        """Let others have it. The folder goes with the last claim."""
        if not self.mine:
            return
        self.mine = False
        self._over.set()
        with contextlib.suppress(OSError):
            if self.path.read_text() == self._text:
                self.path.unlink()
            self.path.parent.rmdir()

    def __enter__(self) -> Claim:
        return self

    def __exit__(self, *_: Any) -> None:
        self.release()


def tidy(top: Path) -> None:
    """Take away what processes of this machine have left that died when their runs were done."""
    with contextlib.suppress(OSError):
        for path in (top.absolute() / FOLDER).iterdir():
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError, FolderUnusable):
                if path.name == TAKEOVER:
                    Lock(path, "another process takes a claim over").release()
                elif path.name.startswith("."):
                    if _is_left_mark(path.name):
                        path.unlink()
                elif _is_left(path.read_text()):
                    Claim(top, path.name).release()
        (top.absolute() / FOLDER).rmdir()
