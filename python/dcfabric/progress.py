# SPDX-License-Identifier: GPL-2.0-only
"""Progress of a sweep: a bar with the remaining time on a terminal, otherwise a line for each
run."""
from __future__ import annotations

import importlib.util
import sys
from typing import Any, TextIO

FORMAT = "{percentage:3.0f} %|{bar}| {desc}  {elapsed}, {remaining} left"


class Progress:
    """Told of each run as it ends; draws on standard error, with tqdm if it is there."""

    def __init__(self, total: int, wanted: bool = True, stream: TextIO | None = None) -> None:
        self.total = total
        self.stream = stream or sys.stderr
        self.wanted = wanted
        self.bar = wanted and self.stream.isatty() and importlib.util.find_spec("tqdm") is not None
        self.done = 0
        self.failed = 0
        self._drawn: Any = None
        if self.bar:
            from tqdm import tqdm

            # smoothing 0: the remaining time is that at the mean rate
            self._drawn = tqdm(total=total, file=self.stream, leave=False, bar_format=FORMAT,
                               smoothing=0, mininterval=0,
                               dynamic_ncols=True)
            self.draw()

    def say(self, text: str) -> None:
        """A line that stays."""
        if self._drawn is not None:
            self._drawn.write(text, file=self.stream)
        elif self.wanted:
            try:
                self.stream.write(f"{text}\n")
                self.stream.flush()
            except OSError:  # its reader has left, its disk is full: no reason to give up runs
                self.wanted = False

    def ended(self, name: str, how: str, *, simulated: bool = True, failed: bool = False) -> None:
        """A run ended. how: for the line. simulated: it was run now. failed: without results."""
        self.done += 1
        self.failed += failed
        if self._drawn is not None and not simulated:
            self._drawn.initial += 1  # took no time
        if not self.bar or failed:
            self.say(f"[{self.done}/{self.total}] {name}: {how}")
        self.draw()

    def draw(self, running: float = 0.0) -> None:
        """Draw the bar if there is one. running: the sum of how far running simulations are, each 0
        to 1."""
        if self._drawn is not None:
            self._drawn.n = self.done + running
            bad = f", {self.failed} failed" if self.failed else ""
            self._drawn.set_description_str(f"{self.done}/{self.total}{bad}")

    def close(self) -> None:
        """Take the bar away."""
        if self._drawn is not None:
            self._drawn.close()
