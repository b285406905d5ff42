# SPDX-License-Identifier: GPL-2.0-only
"""What a program tells while it runs, as lines of JSON in a file that it was handed
(doc/describe.rst)."""
from __future__ import annotations

import json
import os
import re
from typing import IO, Any, Mapping

from .option_fields import OptionFields

LAST_BYTES = 100_000
"""Of a file only the last line is looked for, within so many bytes."""


def read_end(file: IO[bytes], most: int | None = None) -> bytes:
    """All of a file, or its last bytes. (A program writes at the common place of the file: not
    moved.)"""
    total = os.fstat(file.fileno()).st_size
    return os.pread(file.fileno(), total, 0 if most is None else max(0, total - most))


def last_event(file: IO[bytes]) -> dict[str, Any]:
    """What the program told last; empty if it has not told anything."""
    *lines, _ = read_end(file, LAST_BYTES).split(b"\n")  # the last may not be whole yet
    try:
        event: dict[str, Any] = json.loads(lines[-1])
    except (IndexError, ValueError):  # nothing yet; a very long text
        return {}
    return event


def fraction(event: Mapping[str, Any]) -> float:
    """How far a run is, 0 to 1; 0 if the program does not know."""
    return 1.0 if event.get("event") == "end" else event.get("fraction") or 0.0


def refusal(event: Mapping[str, Any]) -> str:
    """What was refused, with options as arguments of Scenario; empty if nothing was."""
    return "".join(part if isinstance(part, str) else in_python(part["text"])
                   for part in event.get("parts", ()))


def in_python(name: str) -> str:
    """What the program names by options, such as ``--flow-control=pfc`` or ``a --cc``."""
    return re.sub(r"--([\w:-]+)(?:=(\S+))?", _argument, name)


def _argument(option: re.Match[str]) -> str:
    field = option[1].replace("-", "_")
    if field in OptionFields.__dataclass_fields__:
        return field if option[2] is None else f"{field}={option[2]!r}"
    mapping = "attributes" if "::" in option[1] else "options"
    value = "" if option[2] is None else f": {option[2]!r}"
    return f"{mapping}={{{option[1]!r}{value}}}"
