# SPDX-License-Identifier: GPL-2.0-only
"""Files of runs: written whole, in folders that one run at a time has; and what the package keeps
beside the results: what was run, what the program said, flows from Python."""
from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import json
import math
import os
import re
import stat
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Iterator, Mapping, NamedTuple

from .errors import SHOWN, FolderUnusable
from .program import digest, in_python, read_end, text_digest

STAMP = "run.json"
"""Of a finished run: what was run, with which program, and a hash of its summary. Written last."""
VALUES = "policy_values"
"""In it and in the key of a run: numbers that may change while its congestion control in Python
works, as counters of a class do."""
STUDY = ".study.json"
"""Of the folder of a study: by the folder of each run its labels in the columns of the grid, in the
order of the study."""
REPORT = "report.txt"
"""What the program printed."""
MESSAGES = "messages.txt"
"""What it said on standard error; missing if it said nothing."""
SUMMARY = "summary.json"
"""The program's own; its last file."""
TEMPORARY = ".tmp"
NAME_LETTERS = 50
"""Of a file in the name of its temporary one, which may not become too long."""
LEFT_S = 3600
"""A temporary file so old is of a process that has died."""
PARTIAL = "partial"
"""In a folder with complete results: those of a run that was interrupted later."""
LOCK = ".dcfabric-lock"
"""In a folder: locked by the run that writes into it, and names its process (see
doc/results.rst)."""
LOOK_S = 0.05


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file beside the given one, to be written within; it then takes its place. Whatever happens
    within, the file appears whole or not at all, and several processes may write it at a time. What
    one has left that was killed goes later. A link stays: the file that it leads to is replaced. A
    device or a pipe, such as /dev/null, is written itself."""
    if not _is_file_or_new(path):
        yield path
        return
    named = path
    if path.is_symlink():
        path = Path(os.path.realpath(path))
    begin = f".{path.name[:NAME_LETTERS]}."
    temporary = path.with_name(f"{begin}{uuid.uuid4().hex[:8]}{TEMPORARY}")
    with contextlib.suppress(OSError):
        for left in path.parent.glob(f"{glob.escape(begin)}*{TEMPORARY}"):
            if time.time() - left.stat().st_mtime > LEFT_S:
                left.unlink()
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        # what the caller has named says more; a full disk names nothing
        if error.filename in (None, str(temporary)):
            error.filename = str(named)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def _is_file_or_new(path: Path) -> bool:
    """Whether a file may take this place. Raises OSError for a folder, and where nothing can be."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return True
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return stat.S_ISREG(mode)


def write_whole(path: Path, text: str) -> None:
    """The file appears whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def for_json(value: Any) -> Any:
    """A copy with None in place of NaN and infinity, which JSON lacks."""
    if isinstance(value, Mapping):
        return {key: for_json(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [for_json(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write_json(path: Path, value: Any) -> None:
    """The file appears whole or not at all. NaN and infinity become null: strict readers would
    refuse the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(for_json(value), indent=1, allow_nan=False) + "\n")


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


def is_finished(folder: Path, key: dict[str, Any]) -> bool:
    """Whether the folder has the complete results of a run with this key."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        return (stamp == {**key, "summary": digest(folder / SUMMARY)}
                and (folder / "flows.csv").is_file())
    except (OSError, ValueError):
        return False


class Control(NamedTuple):
    """A congestion control in Python, as run.json tells it. To the program all of them are
    ``external``."""

    name: str
    """of the class"""
    source: str
    """what tells it from another class of the same name: see engine.source_of()"""
    parameters: dict[str, Any]
    """that it was given"""
    values: dict[str, str]
    """numbers and texts of the class and around it, by name: see engine.values_of()"""


def control_in_python(folder: Path) -> Control | None:
    """What decided for the congestion control in the run of a folder; None if the program did."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        if "policy" not in stamp or stamp["summary"] != digest(folder / SUMMARY):
            return None
        return Control(stamp["policy"].partition(" ")[0].rpartition(".")[2], stamp["policy"],
                       dict(stamp.get("cc_parameters", {})), dict(stamp.get(VALUES, {})))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def labels_in(folder: Path) -> dict[str, dict[str, str]]:
    """What STUDY of a folder says; nothing if it is no study's."""
    try:
        found = json.loads((folder / STUDY).read_text(encoding="utf-8"))
        return {str(run): {str(column): str(label) for column, label in labels.items()}
                for run, labels in found.items()}
    except (OSError, ValueError, AttributeError):
        return {}


def options_given(folder: Path) -> set[str]:
    """Names of the options that the run of a folder was given; none if run.json does not tell."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        if stamp["summary"] != digest(folder / SUMMARY):
            return set()
        return {argument.removeprefix("--").partition("=")[0] for argument in stamp["arguments"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return set()


def other_scenario(folder: Path, key: Mapping[str, Any]) -> str:
    """What is different in the scenario whose complete results a folder has; empty if nothing is,
    or there are none. Input files, the source of a class and the program may have changed: that is
    the same scenario, to be run again. key: see Engine.key."""
    try:
        stamp = json.loads((folder / STAMP).read_text(encoding="utf-8"))
        if stamp["summary"] != digest(folder / SUMMARY):
            return ""
        before, now = _scenario_of(stamp), _scenario_of(key)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""
    found = [f"{name} was {before.get(name, 'not given')}, is {now.get(name, 'not given')}"
             for name in {**before, **now} if before.get(name) != now.get(name)]
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return "; ".join(found[:SHOWN]) + more


def _scenario_of(key: Mapping[str, Any]) -> dict[str, str]:
    """What a user has said, by field."""
    found = {}
    for argument in key["arguments"]:
        option, _, value = argument.removeprefix("--").partition("=")
        found[in_python(f"--{option}")] = repr(value)
    if "policy" in key:
        found["cc"] = key["policy"].partition(" ")[0]
    for name, value in key.get("cc_parameters", {}).items():
        found[f"cc_parameters={{{name!r}}}"] = repr(value)
    if "flows" in key:
        found["flows"] = f"(hash {text_digest(key['flows'])})"
    return found


class RunFiles:
    """The files of one run. What it says is kept elsewhere until there are results to put it
    beside, so that those of the run before stay as they are."""

    def __init__(self, folder: Path) -> None:
        """folder: of the run. Nothing is written yet."""
        self.folder = folder
        self.report = folder / (REPORT + TEMPORARY)
        # not in the folder: when its disk is full, this tells
        self.told = tempfile.TemporaryFile()  # noqa: SIM115
        self.events = tempfile.TemporaryFile()  # noqa: SIM115
        self.flows: Path | None = None
        self.made_flows = False
        self.before: tuple[int, int] | None = None

    def begin(self, flows: str | None) -> None:
        """The folder is there and locked. flows: text of the file of flows, None for none."""
        self.before = self._summary_now()
        if flows is not None:
            # named by what is in it: other flows leave those of the run before alone
            self.flows = self.folder / f"input-{text_digest(flows)}.flows"
            self.made_flows = not self.flows.exists()
            write_whole(self.flows, flows)

    def _summary_now(self) -> tuple[int, int] | None:
        try:
            status = (self.folder / SUMMARY).stat()
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns

    def has_results(self) -> bool:
        """Whether the folder has results, of this run or of one before."""
        return (self.folder / SUMMARY).is_file()

    def has_new_results(self) -> bool:
        """Whether the run has put results into the folder."""
        return self.has_results() and self._summary_now() != self.before

    def said(self) -> str:
        """What the program said on standard error."""
        return read_end(self.told).decode(errors="replace")

    def place(self, key: dict[str, Any] | None = None, folder: Path | None = None) -> None:
        """Put them beside the results. key: of the run if it is finished. folder: another one, for
        partial results."""
        to = folder or self.folder
        os.replace(self.report, to / REPORT)
        said = self.said()
        if said:
            write_whole(to / MESSAGES, said)
        else:
            (to / MESSAGES).unlink(missing_ok=True)
        if folder:
            return
        for path in [*self.folder.glob("input*.flows")]:
            if path != self.flows and re.fullmatch(r"input(-[0-9a-f]{16})?\.flows", path.name):
                path.unlink()
        for name in (REPORT, MESSAGES):
            (self.folder / PARTIAL / name).unlink(missing_ok=True)
        if (self.folder / PARTIAL).is_dir() and not any((self.folder / PARTIAL).iterdir()):
            (self.folder / PARTIAL).rmdir()
        if key is None:
            (self.folder / STAMP).unlink(missing_ok=True)
        else:
            stamp = {**key, "summary": digest(self.folder / SUMMARY)}
            write_whole(self.folder / STAMP, json.dumps(stamp, indent=1) + "\n")

    def close(self) -> None:
        """The run has ended."""
        self.told.close()
        self.events.close()

    def discard(self) -> None:
        """Take them away: there are no results."""
        self.report.unlink(missing_ok=True)
        if self.flows and self.made_flows:
            self.flows.unlink(missing_ok=True)
