# SPDX-License-Identifier: GPL-2.0-only
"""A congestion control in Python at work: an instance for each connection of a run, and what
answers the questions of dcfabric-sim --cc=external by asking them.

The other end is helper/scenario/decider-socket.cc: both read and write the same bytes of a socket.
"""
from __future__ import annotations

import socket
import struct
import threading
from typing import Any, Mapping

from .congestion_control import EFFECTS, UNLIMITED, Ack, CongestionControl, Hop, Path

START, ACK, CNP, LOSS, TIMEOUT, TIMER, MODIFIED = range(7)
"""What happened, as ExternalCongestionCall::Kind."""
KEEP = -1
"""Leave a timer as it is."""
NO_TIMERS = (KEEP,) * 4

# kind, connection, now, window, rate, five numbers, four counts, hops, timer or effect
QUESTION = struct.Struct("=IIqQd5Q4III")
HOP = struct.Struct("=qQQQ")  # time, transmitted, queue, rate
ANSWER = struct.Struct("=Qd4q")  # window, rate, timers


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


class Decider:
    """Serves one run in a thread of its own."""

    def __init__(self, policy: type[CongestionControl], parameters: Mapping[str, Any]) -> None:
        self.connections = Connections(policy, parameters)
        self.error: BaseException | None = None
        self._ours, self.theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="dcfabric-decider", daemon=True)

    def start(self) -> None:
        """Begin to answer, once the program has its end of the socket."""
        self.theirs.close()
        self._thread.start()

    def close(self) -> None:
        """The program has ended."""
        self._thread.join()
        self._ours.close()

    def _serve(self) -> None:
        try:
            self._answer_all()
        except ConnectionError:
            pass  # the program has ended, and its status tells why
        except BaseException as error:  # whatever a policy raises belongs to who runs it
            self.error = error
            self._ours.shutdown(socket.SHUT_RDWR)  # the program notices, and ends

    def _receive(self, size: int) -> bytes:
        return self._ours.recv(size, socket.MSG_WAITALL)

    def _answer_all(self) -> None:
        connections, receive, send = self.connections, self._receive, self._ours.sendall
        instances, decision = connections.instances, connections.decision
        while len(question := receive(QUESTION.size)) == QUESTION.size:
            (kind, connection, now_ps, window, rate, n0, n1, n2, n3, n4, c0, c1, c2, c3, n_hops,
             timer) = QUESTION.unpack(question)
            now_ns = now_ps / 1000
            if kind == START:
                instance = connections.begin(connection, Path(n0, n1 / 1000, n2, c0, c1))
            else:
                instance = instances[connection]
                instance.window_bytes = window
                instance.rate_bps = rate
            if kind == ACK:
                hops: tuple[Hop, ...] = ()
                if n_hops:
                    hops = tuple(Hop(time / 1000, sent, queue, capacity) for time, sent, queue,
                                 capacity
                                 in HOP.iter_unpack(receive(HOP.size * n_hops)))
                instance.on_ack(Ack(now_ns, n0 / 1000, n1, n2, n3, n4, c0, c1, c2, c3 != 0, hops))
            elif kind == TIMER:
                instance.on_timer(timer, now_ns)
            elif kind == CNP:
                instance.on_cnp(now_ns)
            elif kind == LOSS:
                instance.on_loss(now_ns, n0)
            elif kind == TIMEOUT:
                instance.on_timeout(now_ns)
            elif kind == MODIFIED:
                instance.on_modified(EFFECTS[timer], now_ns)
            decided, paced, timers = decision(instance)
            send(ANSWER.pack(decided, paced, *timers))
