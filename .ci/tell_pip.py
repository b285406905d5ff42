# SPDX-License-Identifier: GPL-2.0-only
"""Tells who runs pip what the build does (build_wheel.py). pip shows nothing of it without -v, and
compiling takes minutes: lines go to what pip itself writes to, if that is a terminal or a pipe. In
a file they would be under what pip writes next."""
from __future__ import annotations

import contextlib
import os
import re
import stat
import threading
import time
from pathlib import Path
from typing import Iterator

EVERY = 30.0
"""Seconds between two lines about what goes on."""


def _words(process: int) -> list[str]:
    """How a process was called."""
    return Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace").split("\0")


def _shows_nothing(words: list[str]) -> bool:
    """Whether the words call a pip that is to install, but neither shows all (-v) nor nothing
    (-q)."""
    return (any(os.path.basename(word).startswith("pip") for word in words)
            and not any(re.fullmatch("-[UI]*[vq]+[UIvq]*|--verbose|--quiet", one) for one in words))


def say(text: str) -> None:
    """A line, in the output of this process and in that of pip, if it does not show the former."""
    print(text, flush=True)
    with contextlib.suppress(OSError):
        pip = os.getppid()
        if not _shows_nothing(_words(pip)):
            return
        path = f"/proc/{pip}/fd/1"
        kind = os.stat(path).st_mode
        if stat.S_ISFIFO(kind) or stat.S_ISCHR(kind):
            with open(path, "w", encoding="utf-8") as output:
                # a terminal is in the middle of a line, where pip turns a sign
                begin = "\n" if stat.S_ISCHR(kind) else ""
                output.write(f"{begin}  dcfabric: {text}\n")


@contextlib.contextmanager
def told(text: str, seconds: float = EVERY) -> Iterator[None]:
    """Says what begins, now and then that it still goes on, and how long it took."""
    began = time.monotonic()
    over = threading.Event()

    def keep_telling() -> None:
        while not over.wait(seconds):
            say(f"{text}: {time.monotonic() - began:.0f} s so far")

    say(text)
    teller = threading.Thread(target=keep_telling, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()
    say(f"{text}: done after {time.monotonic() - began:.0f} s")
