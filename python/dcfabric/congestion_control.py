# SPDX-License-Identifier: GPL-2.0-only
"""A congestion control written in Python: for teaching and for trying ideas out."""
from __future__ import annotations

import difflib
from typing import ClassVar, Iterable, NamedTuple

from .errors import DcfabricError
from .wording import nearest_text

UNLIMITED = 2**64 - 1
"""No window."""
EFFECTS = ("raised", "lowered", "forgiven")
"""What on_modified() is told, in the order of ModifierEffect."""


class Path(NamedTuple):
    """What a connection knows when it starts."""

    line_rate_bps: int
    """rate of the sender's link in bit/s"""
    base_rtt_ns: float
    """round-trip time of the empty network in ns"""
    bdp_bytes: int
    """their product in bytes"""
    payload_bytes: int
    """payload of a full packet"""
    packet_bytes: int
    """frame of a full packet"""


class Hop(NamedTuple):
    """INT record of a switch port. Time and bytes continue from the first record; only differences
    are meaningful. They begin anew on another path, and after a pause of half the time in which a
    field of a packed record wraps (5 ms of pause at 100 Gb/s, less at higher rates)."""

    time_ns: float
    """when it was taken"""
    tx_bytes: int
    """bytes that the port has sent"""
    queue_bytes: int
    """bytes waiting in the queue"""
    rate_bps: int
    """capacity of the link in bit/s"""


class Ack(NamedTuple):
    """Contents of one acknowledgement."""

    now_ns: float
    """time of arrival in ns"""
    rtt_ns: float
    """round-trip time of the packet that triggered it, in ns"""
    acked_bytes: int
    """payload that it newly acknowledges, in bytes"""
    cumulative_bytes: int
    """payload acknowledged in order since the connection began"""
    sent_bytes: int
    """payload sent for the first time since the connection began"""
    in_flight_bytes: int
    """payload sent and not yet acknowledged, after this ACK"""
    covered_packets: int
    """data packets answered"""
    marked_packets: int
    """of these, marked with ECN"""
    active_flows: int
    """number of flows that the receiver sees (FNCC)"""
    trigger_marked: bool
    """the packet that triggered the ACK was marked"""
    hops: tuple[Hop, ...]
    """INT records of the path, with ``needs_int``"""


class CongestionControl:
    """Base class: derive from it, set ``window_bytes`` and ``rate_bps`` in the hooks, and give the
    class to ``Scenario(cc=...)``. Each connection (by default: each message) has an instance of its
    own; after the run they are in ``Result.congestion_controls``, in the order in which connections
    began.

    Hooks are called in this process while the simulation waits: doc/python.rst says how slow that
    is. An exception in a hook ends the run and arrives as PolicyFailed.

        class Halve(CongestionControl):
            needs_ecn = True

            def on_ack(self, ack):
                if ack.marked_packets:
                    self.window_bytes = max(self.path.payload_bytes, self.window_bytes // 2)
                else:
                    self.window_bytes += self.path.payload_bytes * ack.acked_bytes //
                    self.window_bytes
    """

    needs_ecn: ClassVar[bool] = False
    """it goes by marks: a run without them is refused, and modifiers take them for signals.
    Switches mark anyway, unless options of the run say otherwise"""
    needs_int: ClassVar[str | None] = None
    """``"data"`` for INT on data packets, which ACKs bring back (as HPCC), ``"ack"`` for INT on
    ACKs (as FNCC), None for no INT"""
    cnp_interval_ns: ClassVar[int | None] = None
    """minimum time between two CNPs of a receiver in ns, as for DCQCN; None for no CNPs"""

    path: Path
    """the connection"""
    connection: int
    """its number, from 0 in the order in which connections begin"""
    window_bytes: int
    """payload that may be in flight, from 1 to UNLIMITED; at the start as much as the BDP. For a
    round trip it has a reduction that a gate withholds, although more may still be sent"""
    rate_bps: float
    """rate at which packets are paced, bit/s of frame bytes, above 0; clipped to the line rate, its
    value at the start"""

    _timers: dict[int, int]

    def start(self) -> None:
        """The connection begins; ``path`` is known. Initialize the state of the algorithm."""

    def on_ack(self, ack: Ack) -> None:
        """An acknowledgement arrived."""

    def on_cnp(self, now_ns: float) -> None:
        """A congestion notification packet arrived."""

    def on_loss(self, now_ns: float, lost_bytes: int) -> None:
        """Packets were detected as lost, by selective acknowledgement or NACK."""

    def on_timeout(self, now_ns: float) -> None:
        """The retransmission timer expired."""

    def on_timer(self, timer: int, now_ns: float) -> None:
        """A timer expired."""

    def on_modified(self, effect: str, now_ns: float) -> None:
        """Modifiers have changed window and rate, which have their new values: ``"raised"``,
        ``"lowered"`` (a reduction that had been forgiven took effect after all) or ``"forgiven"``
        (a reduction that a gate withheld was never made: a class that spaces its cuts no longer
        counts it)."""

    def set_timer(self, timer: int, at_ns: float) -> None:
        """Call on_timer(timer) at a time (ns), once; replaces the pending call of the same timer.
        timer: 0 to 3."""
        self._check(timer)
        self._timers[timer] = round(at_ns * 1000)

    def cancel_timer(self, timer: int) -> None:
        """Cancel the pending call of a timer, 0 to 3."""
        self._check(timer)
        self._timers[timer] = -2

    @staticmethod
    def _check(timer: int) -> None:
        if timer not in range(4):
            raise ValueError(f"timer {timer!r}: there are timers 0 to 3")


HOOKS = ("start", "on_ack", "on_cnp", "on_loss", "on_timeout", "on_timer", "on_modified")
"""What is called."""
NEEDS = ("needs_ecn", "needs_int", "cnp_interval_ns")
"""What is read of the class."""
NAMES_BY_INT = {None: "external", "data": "external-int", "ack": "external-ack-int"}
"""The value of --cc by needs_int."""


def check_class(policy: type[CongestionControl]) -> None:
    """Refuse a class with a setting that cannot be right, or with a name that would have no effect.
    Raises DcfabricError."""
    check_names(policy)
    if policy.needs_int not in NAMES_BY_INT:
        raise DcfabricError(f"{policy.__name__}.needs_int is {policy.needs_int!r}; known: "
                            f"{', '.join(map(repr, NAMES_BY_INT))}")


def check_names(policy: type[CongestionControl]) -> None:
    """Refuse names that resemble a hook or a need but are none: they would silently have no effect.
    Hooks are methods; a name resembles one if it begins with ``on_`` or differs from one by case,
    underscores or the order of two letters. A name resembles a need if it begins with ``needs_`` or
    nearly equals one. Names that begin with an underscore are free.

    Raises DcfabricError with the nearest known name."""
    for owner in policy.__mro__[:policy.__mro__.index(CongestionControl)]:
        for name, value in vars(owner).items():
            if name in vars(CongestionControl) or name.startswith("_"):
                continue
            plain = _letters(name)
            if callable(value):
                prefix, kind = "on_", "hook"
                known: tuple[str, ...] = HOOKS
                alike = [hook for hook in HOOKS
                         if plain == _letters(hook) or _swapped(plain, _letters(hook))]
            else:
                known, prefix, kind = NEEDS, "needs_", "setting"
                alike = difflib.get_close_matches(name, NEEDS, 1, 0.85)
            if alike or name.startswith(prefix):
                raise DcfabricError(f"{owner.__name__}.{name} is no {kind} of a congestion control "
                                    "and would have no effect"
                                    f"{nearest_text(name, alike or known)}; known: "
                                    f"{', '.join(known)}; a name of your own may begin with an "
                                    "underscore")


def check_parameters(policy: type[CongestionControl], parameters: Iterable[str]) -> None:
    """Refuse parameters of which the class has no attribute: nothing would read them.

    Raises DcfabricError with the nearest known name."""
    known = sorted({name for owner in policy.__mro__[:-1]
                    for name in (*vars(owner), *vars(owner).get("__annotations__", ()))
                    if not name.startswith("_") and not callable(getattr(owner, name, None))
                    and name not in NEEDS})
    for name in parameters:
        if name not in known:
            raise DcfabricError(f"cc_parameters: {policy.__name__} has no attribute {name}"
                                f"{nearest_text(name, known)}; known: {', '.join(known) or 'none'}")


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def _swapped(name: str, known: str) -> bool:
    """Two adjacent letters are swapped."""
    wrong = [i for i in range(min(len(name), len(known))) if name[i] != known[i]]
    return (len(name) == len(known) and len(wrong) == 2 and wrong[1] == wrong[0] + 1
            and name[wrong[0]] == known[wrong[1]] and name[wrong[1]] == known[wrong[0]])
