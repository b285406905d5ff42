# SPDX-License-Identifier: GPL-2.0-only
"""How long computations and accesses to memory take that a trace only counts: the roofline of
Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for Multicore
Architectures", CACM 2009, and a memory with a latency and a rate."""
from __future__ import annotations

import dataclasses
import math
import re

from ..errors import DcfabricError
from .job import MAX_PS

PS = 10 ** 12
"""Of a second."""
_MAX_RATE = 1e24
_SHOWN = 40
"""Characters of a number in a message."""
_PREFIXES = {"": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_RATE = re.compile(r"(?P<number>\d+(?:\.\d*)?(?:[eE]\+?\d+)?)(?P<prefix>[kMGTPE]?)"
                   r"(?P<unit>FLOPS|FLOP/s|B/s)?")
_TIME = re.compile(r"(?P<number>\d+(?:\.\d*)?)(?P<unit>s|ms|us|ns|ps)")
_TIMES = {"s": 12, "ms": 9, "us": 6, "ns": 3, "ps": 0}


@dataclasses.dataclass(frozen=True)
class Roofline:
    """What a rank computes and moves in a second."""

    flops: float
    """operations in a second at most, above 0"""
    bandwidth: float = math.inf
    """bytes in a second between memory and processor, above 0"""

    def __post_init__(self) -> None:
        for what, value in (("operations", self.flops), ("bytes", self.bandwidth)):
            if not value > 0 or (what == "operations" and value == math.inf):
                raise DcfabricError(f"{value:g} {what} in a second; it must be above 0")

    @classmethod
    def parse(cls, text: str) -> Roofline:
        """Of ``FLOPS,BYTES/s``, such as ``312T,2.039T`` or ``312TFLOPS,2039GB/s``. Raises
        DcfabricError for anything else."""
        parts = text.split(",")
        if len(parts) != 2:
            raise DcfabricError(f"'{text}' is no roofline; expected FLOPS,BYTES/s, such as "
                                "312TFLOPS,2TB/s")
        return cls(_rate(parts[0], ("FLOPS", "FLOP/s")), _rate(parts[1], ("B/s",)))

    def time_ps(self, operations: int, size: int) -> int:
        """Time of a computation with so many operations on so many bytes: what the slower of both
        takes, at least 1 ps. With an intensity of I operations a byte that is operations over
        min(flops, I bandwidth). Raises DcfabricError if it is longer than a program can have."""
        return max(1, _whole_ps(PS * max(operations / self.flops, size / self.bandwidth),
                                f"{operations} operations on {size} bytes"))


@dataclasses.dataclass(frozen=True)
class Memory:
    """A memory that is read and written by nodes of their own."""

    latency_ps: int
    """of an access"""
    bandwidth: float
    """bytes in a second, above 0"""

    @classmethod
    def parse(cls, text: str) -> Memory:
        """Of ``LATENCY,BYTES/s``, such as ``1us,100GB/s``. Raises DcfabricError for anything
        else."""
        latency, _, rate = text.partition(",")
        found = _TIME.fullmatch(latency.strip())
        if not found or not rate:
            raise DcfabricError(f"'{text}' is no memory; expected LATENCY,BYTES/s, such as "
                                "1us,100GB/s")
        bandwidth = _rate(rate, ("B/s",))
        return cls(_whole_ps(float(found["number"]) * 10.0 ** _TIMES[found["unit"]],
                             f"latency {latency.strip()[:_SHOWN]}"), bandwidth)

    def time_ps(self, size: int) -> int:
        """Time of an access to so many bytes. Raises DcfabricError if it is longer than a program
        can have."""
        return _whole_ps(self.latency_ps + PS * size / self.bandwidth, f"{size} bytes")


def _whole_ps(value: float, what: str) -> int:
    """A time. Raises DcfabricError if it is longer than a program can have; what: takes it."""
    if not value <= MAX_PS:
        raise DcfabricError(f"{what}: takes longer than {MAX_PS // PS} s, the most that a program "
                            "can have")
    return round(value)


def _rate(text: str, units: tuple[str, ...]) -> float:
    """A number with a prefix, in one of these units or without one."""
    found = _RATE.fullmatch(text.strip())
    if not found or found["unit"] not in (None, *units):
        raise DcfabricError(f"'{text.strip()[:_SHOWN]}' is no number of {units[0]}; expected such "
                            f"as 312e12, 312T or 312T{units[0]}")
    value = float(found["number"]) * 10.0 ** _PREFIXES[found["prefix"]]
    if not 0 < value <= _MAX_RATE:
        raise DcfabricError(f"{text.strip()[:_SHOWN]}: a rate must be above 0"
                            + (f", and no more than {_MAX_RATE:g}" if value else ""))
    return value
