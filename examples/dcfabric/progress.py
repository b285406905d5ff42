# SPDX-License-Identifier: GPL-2.0-only
"""Progress of a sweep: a bar with the remaining time on a terminal, otherwise a line for each run."""
from __future__ import annotations

import shutil
import sys
import time
from typing import TextIO


def _clock(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


class Progress:
    """Told of each run as it ends; draws on standard error."""

    def __init__(self, total: int, wanted: bool = True, stream: TextIO | None = None) -> None:
        self.total = total
        self.stream = stream or sys.stderr
        self.wanted = wanted
        self.bar = wanted and self.stream.isatty()
        self.done = 0
        self.simulated = 0  # runs that took time
        self.failed = 0
        self.began = time.monotonic()

    def say(self, text: str) -> None:
        """A line that stays."""
        if self.wanted:
            self.stream.write(f"{self._clear()}{text}\n")
            self.stream.flush()

    def ended(self, name: str, how: str, *, simulated: bool = True, failed: bool = False) -> None:
        """A run ended. how: for the line. simulated: it was run now. failed: without results."""
        self.done += 1
        self.simulated += simulated
        self.failed += failed
        if not self.bar or failed:
            self.say(f"[{self.done}/{self.total}] {name}: {how}")
        self.draw()

    def draw(self, running: float = 0.0) -> None:
        """Draw the bar if there is one. running: the sum of how far running simulations are, each 0 to 1."""
        if not self.bar:
            return
        elapsed = time.monotonic() - self.began
        left = "?"
        if self.simulated + running > 0.005:
            left = _clock(elapsed / (self.simulated + running) * (self.total - self.done - running))
        width = max(10, min(40, shutil.get_terminal_size().columns - 50))
        filled = int(width * (self.done + running) / max(1, self.total))
        bad = f"  {self.failed} failed" if self.failed else ""
        self.stream.write(f"{self._clear()}[{'#' * filled}{'.' * (width - filled)}] "
                          f"{self.done}/{self.total}{bad}  {_clock(elapsed)}  ETA {left}")
        self.stream.flush()

    def close(self) -> None:
        """Take the bar away."""
        if self.bar:
            self.stream.write(self._clear())
            self.stream.flush()

    def _clear(self) -> str:
        return "\r\033[K" if self.bar else ""
