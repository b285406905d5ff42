# SPDX-License-Identifier: GPL-2.0-only
"""The instances of a congestion control in Python: one for each connection of a run."""
from __future__ import annotations

from typing import Any, Mapping

from .congestion_control import UNLIMITED, CongestionControl, Path

START, ACK, CNP, LOSS, TIMEOUT, TIMER, MODIFIED = range(7)
"""What happened, as ExternalCongestionCall::Kind."""
KEEP = -1
"""Leave a timer as it is."""
NO_TIMERS = (KEEP,) * 4


class Connections:
    """Makes instances and checks what they decide."""

    def __init__(self, policy: type[CongestionControl], parameters: Mapping[str, Any]) -> None:
        """parameters: attributes to set on each instance before it starts."""
        self.policy = policy
        self.parameters = parameters
        self.instances: list[CongestionControl] = []
        self.acted = False
        """whether an instance has set a window, a rate or a timer"""

    def begin(self, connection: int, path: Path) -> CongestionControl:
        """A connection starts, with a window of one BDP and the line rate."""
        instance = self.policy()
        instance.path = path
        instance.connection = connection
        instance.window_bytes = max(1, path.bdp_bytes)
        instance.rate_bps = float(path.line_rate_bps)
        instance._timers = {}
        for name, value in self.parameters.items():
            setattr(instance, name, value)
        self.instances.append(instance)
        instance.start()
        return instance

    def decision(self, instance: CongestionControl) -> tuple[int, float, tuple[int, ...]]:
        """Window (bytes), rate (bit/s) and timers (ps or KEEP or -2 to cancel) as an instance has
        set them. Raises ValueError for what makes no sense."""
        timers: tuple[int, ...] = NO_TIMERS
        if instance._timers:
            timers = tuple(instance._timers.get(i, KEEP) for i in range(4))
            instance._timers.clear()
        window, rate = instance.window_bytes, instance.rate_bps
        if not self.acted:
            path = instance.path
            self.acted = bool(timers is not NO_TIMERS or window != max(1, path.bdp_bytes)
                              or rate != path.line_rate_bps)
        if not (1 <= window <= UNLIMITED and 0 < rate < 1e300):
            raise ValueError(f"{self.policy.__name__} set window_bytes to {window!r} and rate_bps "
                             f"to {rate!r}: "
                             "expected a window from 1 to UNLIMITED and a rate above zero")
        return int(window), rate, timers

    def mistaken(self) -> str | None:
        """What to say of a run in which no instance has set anything that is read, but something
        that resembles it."""
        if self.acted:
            return None
        found = sorted({name for instance in self.instances for name in vars(instance)
                        if name.startswith(("window", "rate", "cwnd"))
                        and name not in ("window_bytes", "rate_bps")})
        if not found:
            return None
        return (f"{self.policy.__name__} has set neither window_bytes nor rate_bps in any "
                "connection, and so had no effect; it has set "
                f"{', '.join(found)}, which nothing reads")
