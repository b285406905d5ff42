# SPDX-License-Identifier: GPL-2.0-only
"""Packets of captures (trace ``pcap``), as far as message sequence charts need them; see
doc/wire-format.rst."""
from __future__ import annotations

import dataclasses
import struct
from pathlib import Path
from typing import Any, Iterator

from dcfabric.errors import DcfabricError

KINDS = {0x11: "ACK", 0xC1: "RTW", 0xC2: "RTS", 0xC3: "RNR",
         **dict.fromkeys((0, 1, 2, 4, 6, 7, 8, 10), "data")}
"""Opcodes of BTH; others are left out."""
BTH, EXTENSION = 42, 54
REFUSAL = EXTENSION + 4 + 32
ACK_COMPLETE = 2


@dataclasses.dataclass(frozen=True)
class Frame:
    """A packet as a port saw it."""

    time_ns: int
    """of its first bit where it was sent, of its last bit where it arrived; rounded down"""
    src: int
    dst: int
    kind: str
    """data, ACK, RTW, RNR or RTS"""
    psn: int
    """packet sequence number; of an answer that of the packet that triggered it"""
    syn: bool = False
    msn: int | None = None
    """message, where the packet names it"""
    epoch: int | None = None
    """attempt, likewise"""
    offset: int | None = None
    """first byte of the payload within the message, or the one asked for"""
    complete: bool = False
    """of an ACK: the message is complete"""

    @property
    def identity(self) -> tuple[Any, ...]:
        """What is the same at both ends."""
        return tuple(getattr(self, field.name) for field in dataclasses.fields(self)[1:])


def number(data: bytes, begin: int, length: int) -> int:
    """A number in network byte order."""
    return int.from_bytes(data[begin:begin + length], "big")


def parse(time_ns: int, data: bytes) -> Frame | None:
    """A frame, None if it is none of KINDS."""
    if (len(data) < EXTENSION or number(data, 12, 2) != 0x0800 or data[23] != 17
            or data[BTH] not in KINDS):
        return None
    kind = KINDS[data[BTH]]
    frame = Frame(time_ns, number(data, 27, 3), number(data, 31, 3), kind, number(data, BTH + 9, 3),
                  bool(data[BTH + 4] & 1))
    if kind == "RTS":
        return dataclasses.replace(frame, epoch=data[EXTENSION], msn=number(data, EXTENSION + 4, 4),
                                   offset=number(data, EXTENSION + 8, 8))
    if kind == "data":
        at = EXTENSION + (16 if data[BTH] in (6, 10) else 0)  # behind RETH
        if not data[BTH + 8] & 0x7F or not data[at] & 0x80:
            return frame  # not matched
        return dataclasses.replace(frame, msn=number(data, at + 4, 4), epoch=data[at + 8],
                                   offset=number(data, at + 16, 8))
    frame = dataclasses.replace(frame, psn=number(data, EXTENSION + 4 + 20, 3),
                                complete=bool(data[EXTENSION + 4 + 16] & ACK_COMPLETE))
    if kind == "ACK":
        return frame
    return dataclasses.replace(frame, epoch=data[REFUSAL], msn=number(data, REFUSAL + 4, 4))


def read(path: Path) -> Iterator[Frame]:
    """The packets of a capture with nanosecond times, in the order of times."""
    data = path.read_bytes()
    if data[:4] != struct.pack("<I", 0xA1B23C4D):
        raise DcfabricError(f"{path}: no capture with nanosecond times")
    at = 24
    while at < len(data):
        seconds, nanoseconds, kept, _ = struct.unpack("<IIII", data[at:at + 16])
        frame = parse(seconds * 10**9 + nanoseconds, data[at + 16:at + 16 + kept])
        if frame is not None:
            yield frame
        at += 16 + kept


def arrows(folder: Path, left: int, right: int) -> list[tuple[Frame, Frame | None]]:
    """The packets between two hosts with one port each, as they were sent and as they arrived
    (None: not), in the order of sending."""
    seen: dict[tuple[Any, ...], list[Frame]] = {}
    sent: list[Frame] = []
    for host in (left, right):
        for frame in read(folder / f"pcap-{host}-0.pcap"):
            if {frame.src, frame.dst} != {left, right}:
                continue
            if frame.src == host:
                sent.append(frame)
            else:
                seen.setdefault(frame.identity, []).append(frame)
    sent.sort(key=lambda frame: frame.time_ns)
    return [(frame, seen[frame.identity].pop(0) if seen.get(frame.identity) else None)
            for frame in sent]
