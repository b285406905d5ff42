# SPDX-License-Identifier: GPL-2.0-only
"""Flows that are given from Python."""
from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, Iterable, NamedTuple

from .errors import DcfabricError


class Flow(NamedTuple):
    """One message from host to host. Hosts have the numbers of the topology."""

    src: int
    """sending host"""
    dst: int
    """receiving host, another one"""
    size_bytes: int
    """payload in bytes, at least 1"""
    start_ns: float = 0
    """start in ns since the start of the simulation; three decimals are kept (a picosecond)"""


FIELDS = Flow._fields


def as_flows(given: Any) -> tuple[Flow, ...]:
    """Flows from a pandas frame with the columns src, dst, size_bytes and start_ns (others are left
    aside, so the ``flows`` of a Result will do), or from an iterable of Flow or of tuples like it.

    Raises DcfabricError for what is neither."""
    if hasattr(given, "columns"):
        missing = [name for name in FIELDS if name not in given.columns]
        if missing:
            raise DcfabricError(f"flows: the frame lacks {', '.join(missing)}; it has "
                                f"{', '.join(map(str, given.columns))}")
        given = zip(*(given[name].tolist() for name in FIELDS))
    try:
        return tuple(_checked(number, Flow(*flow)) for number, flow in enumerate(given))
    except TypeError as error:
        raise DcfabricError("flows: expected a data frame or Flow(src, dst, size_bytes, "
                            "start_ns): "
                            f"{error}") from error


def _checked(number: int, flow: Flow) -> Flow:
    for name in ("src", "dst", "size_bytes"):
        value, least = getattr(flow, name), 1 if name == "size_bytes" else 0
        if isinstance(value, str) or not least <= value < math.inf or int(value) != value:
            raise DcfabricError(f"flows: {name} of flow {number} is {value!r}; expected a whole "
                                f"number from {least}")
    start = flow.start_ns
    if isinstance(start, str) or not 0 <= start < math.inf:
        raise DcfabricError(f"flows: start_ns of flow {number} is {start!r}; expected a time in ns "
                            "from 0")
    # plain numbers, also of what numpy gave
    return Flow(int(flow.src), int(flow.dst), int(flow.size_bytes),
                int(start) if int(start) == start else float(start))


def flow_file_text(flows: Iterable[Flow], priority: int = 3) -> str:
    """The flows as a flow file of ConWeave's format (``src dst pg size_bytes start_s``), which
    ``--workload=flows:PATH`` reads. Flow numbers are positions in it. Starts are rounded to 1
    ps."""
    lines = [f"{f.src} {f.dst} {priority} {f.size_bytes} "
             f"{Decimal(round(f.start_ns * 1000)).scaleb(-12):f}" for f in flows]
    return "\n".join([str(len(lines)), *lines]) + "\n"
