# SPDX-License-Identifier: GPL-2.0-only
"""Lines of fault files."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Sequence

from .errors import DcfabricError
from .run_files import write_whole

Node = int | str


def flapping(first_us: float, a: Node, b: Node, down_us: float, up_us: float,
             times: int) -> list[str]:
    """Lines for a link that goes down and comes up again and again.

    first_us: when it goes down at first. a, b: nodes at its ends, or ``"16:2"`` for a port.
    down_us, up_us: how long it is down and up each time, above zero. times: how often it goes
    down."""
    if down_us <= 0 or up_us <= 0:
        raise DcfabricError("a link that flaps needs times down and up above zero, found "
                            f"{down_us} us and {up_us} us")
    lines = []
    for number in range(times):
        begin = first_us + number * (down_us + up_us)
        lines += [f"{begin:.6f}us down {a} {b}", f"{begin + down_us:.6f}us up {a} {b}"]
    return lines


def write_faults(path: str | os.PathLike[str], lines: Sequence[str]) -> Path:
    """Write a fault file for Scenario(faults=...); returns its whole path. What it says is checked
    when it is run."""
    whole = Path(path).resolve()
    whole.parent.mkdir(parents=True, exist_ok=True)
    write_whole(whole, "".join(f"{line}\n" for line in lines))
    return whole
